// Blockwise sample rate conversion.

import CSoxr

/// A soxr converter at its highest quality.
final class RateConverter {
  static let blockFrames = 4096

  private let handle: OpaquePointer
  private let memory: SampleMemory
  private let inputFrames: Int
  private let input: [UnsafeMutablePointer<Float>]
  /// Frames in the input buffer, and the number of them that were consumed.
  private var available = 0
  private var taken = 0
  private var isEnding = false

  /// The largest ratio of two rates that soxr's filters support.
  static let largestRatio = 768.0

  static func bears(_ input: Double, _ output: Double) -> Bool {
    (1 / largestRatio...largestRatio).contains(output / input)
  }

  /// - Parameters:
  ///   - input: the input's rate, in hertz; `output` is the output's.
  ///   - name: for errors.
  init(
    from input: Double, to output: Double, channelCount: Int, name: String
  ) throws(AudioClipError) {
    guard Self.bears(input, output) else {
      throw .sampleRate(
        name: name, output, reason: "one is more than \(Int(Self.largestRatio)) times the other")
    }
    // soxr keeps its output of a block in memory, and does not check allocations.
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

  /// - Parameter read: reads up to a number of input frames; 0 at the input's end.
  /// - Returns: the number of frames written; 0 only at the end.
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
      // soxr only reads the list.
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
