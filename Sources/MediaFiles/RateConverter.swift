// Sample rate conversion from block to block.

import CSoxr

/// soxr at its highest quality.
final class RateConverter {
  static let blockFrames = 4096

  private let handle: OpaquePointer
  private let memory: SampleMemory
  private let inputFrames: Int
  private let input: [UnsafeMutablePointer<Float>]
  /// Frames of the input, and how many of them have been taken.
  private var available = 0
  private var taken = 0
  private var isEnding = false

  /// How many times as high or as low a rate may be: soxr's filters bear no more.
  static let largestRatio = 768.0

  static func bears(_ input: Double, _ output: Double) -> Bool {
    (1 / largestRatio...largestRatio).contains(output / input)
  }

  /// - Parameters:
  ///   - input: the rates, in hertz.
  ///   - name: for errors.
  init(
    from input: Double, to output: Double, channelCount: Int, name: String
  ) throws(AudioClipError) {
    guard Self.bears(input, output) else {
      throw .sampleRate(
        name: name, output, reason: "one is more than \(Int(Self.largestRatio)) times the other")
    }
    // What soxr makes of a block it keeps in memory, and does not look whether there is any.
    inputFrames = max(64, min(Self.blockFrames, Int(Double(Self.blockFrames) * input / output)))
    memory = try SampleMemory(count: inputFrames * channelCount, name: name)
    var problem: soxr_error_t?
    var kinds = soxr_io_spec(SOXR_FLOAT32_S, SOXR_FLOAT32_S)
    var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
    guard
      let handle = soxr_create(
        input, output, UInt32(channelCount), &problem, &kinds, &quality, nil)
    else {
      throw .sampleRate(
        name: name, output, reason: problem.map { String(cString: $0) } ?? "no memory")
    }
    self.handle = handle
    self.input = memory.channels(channelCount, frames: inputFrames)
  }

  deinit { soxr_delete(handle) }

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
        available = try read(input, inputFrames)
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
