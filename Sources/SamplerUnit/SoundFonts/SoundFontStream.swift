// The file that FluidSynth reads a SoundFont from, with its progress.

import CFluidSynth
import Glibc
import Synchronization

/// Told the part of a file that was read, 0 to below 1.
typealias ReadingProgress = @Sendable (Double) -> Void

/// An open file whose bytes are counted as FluidSynth reads them.
final class SoundFontStream {
  /// Whom the next file that is opened tells; guarded by the library's lock.
  private static let listener = Mutex<ReadingProgress?>(nil)
  /// FluidSynth reads all samples of an SF2 file at once: it is told after each such piece.
  private static let pieceBytes = 1 << 20

  private let file: Int32
  private let size: Double
  private var readBytes = 0
  private let progress: ReadingProgress?

  private init?(path: UnsafePointer<CChar>) {
    file = open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    var status = stat()
    size = fstat(file, &status) == 0 ? Double(max(status.st_size, 1)) : 1
    progress = Self.listener.withLock { $0 }
  }

  deinit { if file >= 0 { close(file) } }

  /// Lets a synth load SoundFonts with it, one after the other.
  ///
  /// - Thread: [worker], within `FluidSynthLibrary.use`.
  static func install(
    in synth: OpaquePointer, _ settings: OpaquePointer, progress: ReadingProgress?
  ) {
    listener.withLock { $0 = progress }
    guard let loader = new_fluid_defsfloader(settings) else { return }
    fluid_sfloader_set_callbacks(
      loader,
      { path in
        guard let path, let stream = SoundFontStream(path: path) else { return nil }
        return Unmanaged.passRetained(stream).toOpaque()
      },
      { buffer, count, handle in SoundFontStream.at(handle).read(buffer, Int(count)) },
      { handle, offset, origin in
        lseek(SoundFontStream.at(handle).file, off_t(offset), origin) < 0 ? FLUID_FAILED : FLUID_OK
      },
      { handle in fluid_long_long_t(lseek(SoundFontStream.at(handle).file, 0, SEEK_CUR)) },
      { handle in
        if let handle { Unmanaged<SoundFontStream>.fromOpaque(handle).release() }
        return FLUID_OK
      })
    fluid_synth_add_sfloader(synth, loader)
  }

  private static func at(_ handle: UnsafeMutableRawPointer?) -> SoundFontStream {
    Unmanaged<SoundFontStream>.fromOpaque(handle!).takeUnretainedValue()
  }

  /// Reads exactly so many bytes.
  private func read(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let buffer, count >= 0 else { return FLUID_FAILED }
    var done = 0
    while done < count {
      let length = Glibc.read(file, buffer + done, min(count - done, Self.pieceBytes))
      if length < 0 && errno == EINTR { continue }
      if length <= 0 { return FLUID_FAILED }
      done += length
      readBytes += length
      // What is read is not loaded yet, and the records may be read twice.
      progress?(min(Double(readBytes) / size, 0.999))
    }
    return FLUID_OK
  }
}
