// An audio file in memory that the render thread reads.

import Foundation
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
  /// - Parameter name: the file's, for errors.
  /// - Thread: [control]
  init(_ reader: AudioFileReader, _ name: String, maximumBytes: Int) throws(PlayerError) {
    let blockFrames = 1 << 16
    let frameBytes = reader.channelCount * MemoryLayout<Float>.size
    var blocks: [[[Float]]] = []
    var frames = 0
    while true {
      let block: [[Float]]
      do throws(AudioFileError) { block = try reader.read(maximumFrames: blockFrames) } catch {
        throw .audio(error)
      }
      frames += block[0].count
      if frames * frameBytes > maximumBytes {
        throw .tooLarge(file: name, maximumBytes: maximumBytes)
      }
      blocks.append(block)
      if block[0].count < blockFrames { break }
    }
    if frames == 0 { throw .empty(file: name) }
    // Swift's own allocation would end the program.
    let bytes = frames * frameBytes
    guard let memory = malloc(bytes)?.bindMemory(to: Float.self, capacity: bytes / 4) else {
      throw .outOfMemory(file: name, bytes: bytes)
    }
    self.memory = memory
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
  func deallocate() { free(memory) }
}
