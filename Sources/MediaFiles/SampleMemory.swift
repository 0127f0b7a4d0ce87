// Memory for samples.

import Glibc

/// Memory whose allocation may fail with an error; Swift's own would end the program.
final class SampleMemory {
  let samples: UnsafeMutablePointer<Float>

  /// - Parameter name: for errors.
  init(count: Int, name: String) throws(AudioClipError) {
    let (bytes, overflows) = count.multipliedReportingOverflow(by: MemoryLayout<Float>.size)
    guard count >= 0, !overflows, let memory = malloc(max(bytes, 1)) else {
      throw .outOfMemory(name: name, bytes: overflows ? .max : bytes)
    }
    samples = memory.bindMemory(to: Float.self, capacity: count)
  }

  deinit { free(samples) }

  /// Returns the start of each channel of a block.
  func channels(_ count: Int, frames: Int) -> [UnsafeMutablePointer<Float>] {
    (0..<count).map { samples + $0 * frames }
  }
}
