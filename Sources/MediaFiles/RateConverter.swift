// Sample rate conversion from block to block.

import CSoxr

/// soxr at its highest quality.
final class RateConverter {
  static let blockFrames = 4096

  private let handle: OpaquePointer
  private let memory: UnsafeMutablePointer<Float>
  private let input: [UnsafeMutablePointer<Float>]
  /// Frames of the input, and how many of them have been taken.
  private var available = 0
  private var taken = 0
  private var isEnding = false

  init(_ rates: RatePair, channelCount: Int, name: String) throws(AudioClipError) {
    var problem: soxr_error_t?
    var kinds = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
    guard
      let handle = soxr_create(
        rates.input, rates.output, UInt32(channelCount), &problem, &kinds, &quality, nil)
    else {
      throw .sampleRate(
        name: name, rates.output, reason: problem.map { String(cString: $0) } ?? "no memory")
    }
    self.handle = handle
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: Self.blockFrames * channelCount)
    self.memory = memory
    input = (0..<channelCount).map { memory + $0 * Self.blockFrames }
  }

  deinit {
    soxr_delete(handle)
    memory.deallocate()
  }

  /// - Parameter read: brings at most so many frames of input, none at its end.
  /// - Returns: how many frames were written; 0 only at the end.
  func convert(
    into buffers: [UnsafeMutablePointer<Float>], count: Int,
    from read: ([UnsafeMutablePointer<Float>], Int) throws(AudioClipError) -> Int
  ) throws(AudioClipError) -> Int {
    while true {
      if taken == available, !isEnding {
        taken = 0
        available = 0
        available = try read(input, Self.blockFrames)
        isEnding = available == 0
      }
      let written = process(buffers, count)
      if written > 0 || isEnding { return written }
    }
  }

  private func process(_ buffers: [UnsafeMutablePointer<Float>], _ count: Int) -> Int {
    var used = 0
    var written = 0
    let outputs: [UnsafeMutableRawPointer?] = buffers.map { UnsafeMutableRawPointer($0) }
    let inputs: [UnsafeRawPointer?] = input.map { UnsafeRawPointer($0 + taken) }
    outputs.withUnsafeBytes { outputs in
      // soxr reads the list alone.
      let list = UnsafeMutableRawPointer(mutating: outputs.baseAddress!)
      _ = inputs.withUnsafeBytes { inputs in
        soxr_process(
          handle, isEnding ? nil : inputs.baseAddress, available - taken, &used, list, count,
          &written)
      }
    }
    taken += used
    return written
  }
}
