// An audio file in memory that the render thread reads.

import MediaFiles

/// All samples of a file, one channel behind the other.
///
/// The value owns memory: `deallocate` frees it.
struct PlayedSamples: @unchecked Sendable, BitwiseCopyable {
  let memory: UnsafeMutablePointer<Float>
  let channelCount: Int
  let frameCount: Int

  /// Reads a file to its end, whatever its header says of its length.
  ///
  /// - Returns: nil for one that would take more than `maximumBytes`.
  /// - Thread: [control]
  init?(_ reader: AudioFileReader, maximumBytes: Int) throws(AudioFileError) {
    let blockFrames = 1 << 16
    let frameBytes = reader.channelCount * MemoryLayout<Float>.size
    var blocks: [[[Float]]] = []
    var frames = 0
    while true {
      let block = try reader.read(maximumFrames: blockFrames)
      frames += block[0].count
      if frames * frameBytes > maximumBytes { return nil }
      blocks.append(block)
      if block[0].count < blockFrames { break }
    }
    memory = .allocate(capacity: max(frames * reader.channelCount, 1))
    channelCount = reader.channelCount
    frameCount = frames
    var done = 0
    // What has been copied is freed, so that there is never all of it twice.
    for index in blocks.indices {
      let count = blocks[index][0].count
      for channel in 0..<channelCount {
        (memory + channel * frames + done).initialize(from: blocks[index][channel], count: count)
      }
      done += count
      blocks[index] = []
    }
  }

  /// - Thread: [control]
  func deallocate() { memory.deallocate() }
}
