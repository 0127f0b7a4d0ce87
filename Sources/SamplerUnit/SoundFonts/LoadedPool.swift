// A pool of synths with the SoundFonts that it plays.

import FluidSynthPool

/// A pool made for a stack of SoundFonts, or for none.
final class LoadedPool: Sendable {
  let stack: SoundFontStack?
  private let pool: PreparedPool

  /// - Returns: nil if there is not enough memory.
  /// - Thread: [worker]
  init?(
    _ stack: SoundFontStack?, sampleRate: Double, bank: Int, program: Int, size: PoolSize,
    keepsPrograms: Bool
  ) {
    let configured = stack?.configured(bank: bank, program: program) ?? ConfiguredProgram()
    guard
      let pool = PreparedPool(
        stack?.fonts, sampleRate: sampleRate, configured: configured, size: size,
        keepsPrograms: keepsPrograms)
    else { return nil }
    self.stack = stack
    self.pool = pool
  }

  /// The pool for the render thread, valid as long as this object.
  var handle: UnsafeMutablePointer<SynthPool> { pool.handle }
}
