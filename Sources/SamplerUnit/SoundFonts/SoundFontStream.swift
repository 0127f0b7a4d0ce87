// The stream that FluidSynth reads a SoundFont from, with its progress.

import CFluidSynth
import Glibc
import Synchronization

/// Told the part of a file that was read, 0 to below 1.
typealias ReadingProgress = @Sendable (Double) -> Void

/// An image whose bytes are counted as FluidSynth reads them.
final class SoundFontStream {
  private struct Next {
    let image: SoundFontImage
    let progress: ReadingProgress?
  }

  /// What the next stream that is opened reads; guarded by the library's lock.
  private static let next = Mutex<Next?>(nil)
  /// FluidSynth reads all samples of an SF2 file at once: it is told after each such piece.
  private static let pieceBytes = 1 << 20

  private let image: SoundFontImage
  private let progress: ReadingProgress?
  private var place = 0
  private var readBytes = 0

  private init(_ next: Next) {
    image = next.image
    progress = next.progress
  }

  /// Lets a synth load an image, under whatever name.
  ///
  /// - Thread: [worker], within `FluidSynthLibrary.use`.
  static func install(
    _ image: SoundFontImage, in synth: OpaquePointer, _ settings: OpaquePointer,
    progress: ReadingProgress?
  ) {
    next.withLock { $0 = Next(image: image, progress: progress) }
    guard let loader = new_fluid_defsfloader(settings) else { return }
    fluid_sfloader_set_callbacks(
      loader,
      { _ in
        guard let next = SoundFontStream.next.withLock({ $0 }) else { return nil }
        return Unmanaged.passRetained(SoundFontStream(next)).toOpaque()
      },
      { buffer, count, handle in SoundFontStream.at(handle).read(buffer, Int(count)) },
      { handle, offset, origin in SoundFontStream.at(handle).seek(Int(offset), origin) },
      { handle in fluid_long_long_t(SoundFontStream.at(handle).place) },
      { handle in
        if let handle { Unmanaged<SoundFontStream>.fromOpaque(handle).release() }
        return FLUID_OK
      })
    fluid_synth_add_sfloader(synth, loader)
  }

  /// Lets go of the image.
  static func uninstall() { next.withLock { $0 = nil } }

  private static func at(_ handle: UnsafeMutableRawPointer?) -> SoundFontStream {
    Unmanaged<SoundFontStream>.fromOpaque(handle!).takeUnretainedValue()
  }

  /// Reads exactly so many bytes.
  private func read(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let buffer, count >= 0 else { return FLUID_FAILED }
    var done = 0
    while done < count {
      let length = min(count - done, Self.pieceBytes)
      guard image.read(at: place, length, into: buffer + done) else { return FLUID_FAILED }
      done += length
      place += length
      readBytes += length
      // What is read is not loaded yet, and the records may be read twice.
      if length > 256 { progress?(min(Double(readBytes) / Double(max(image.size, 1)), 0.999)) }
    }
    return FLUID_OK
  }

  private func seek(_ offset: Int, _ origin: Int32) -> Int32 {
    let base = origin == SEEK_SET ? 0 : origin == SEEK_END ? image.size : place
    let (target, overflows) = base.addingReportingOverflow(offset)
    guard !overflows, (0...image.size).contains(target) else { return FLUID_FAILED }
    place = target
    return FLUID_OK
  }
}
