// The stream that FluidSynth reads a SoundFont from, with its progress.

import CFluidSynth
import Glibc
import Synchronization

/// Called with the part of a file that was read, 0 to below 1.
package typealias ReadingProgress = @Sendable (Double) -> Void

/// The bytes of a SoundFont file.
package protocol FontBytes: Sendable {
  /// The number of bytes.
  var size: Int { get }

  /// - Returns: whether all bytes could be read.
  func read(at position: Int, _ count: Int, into buffer: UnsafeMutableRawPointer) -> Bool
}

/// Bytes that are counted as FluidSynth reads them.
final class FontStream {
  private struct Next {
    let bytes: any FontBytes
    let progress: ReadingProgress?
  }

  /// The bytes of the next stream that is opened; guarded by the library's lock.
  private static let next = Mutex<Next?>(nil)
  /// The size of a piece between two reports: FluidSynth reads all samples of an SF2 file at once.
  private static let pieceBytes = 1 << 20

  private let bytes: any FontBytes
  private let progress: ReadingProgress?
  private var position = 0
  private var readBytes = 0

  private init(_ next: Next) {
    bytes = next.bytes
    progress = next.progress
  }

  /// Lets a synth load a font, under any name.
  ///
  /// - Thread: [worker], within `FluidSynthLibrary.use`.
  static func install(
    _ bytes: any FontBytes, in synth: OpaquePointer, _ settings: OpaquePointer,
    progress: ReadingProgress?
  ) {
    next.withLock { $0 = Next(bytes: bytes, progress: progress) }
    guard let loader = new_fluid_defsfloader(settings) else { return }
    fluid_sfloader_set_callbacks(
      loader,
      { _ in
        guard let next = FontStream.next.withLock({ $0 }) else { return nil }
        return Unmanaged.passRetained(FontStream(next)).toOpaque()
      },
      { buffer, count, handle in FontStream.at(handle).read(buffer, Int(count)) },
      { handle, offset, origin in FontStream.at(handle).seek(Int(offset), origin) },
      { handle in fluid_long_long_t(FontStream.at(handle).position) },
      { handle in
        if let handle { Unmanaged<FontStream>.fromOpaque(handle).release() }
        return FLUID_OK
      })
    fluid_synth_add_sfloader(synth, loader)
  }

  /// Releases the bytes.
  static func uninstall() { next.withLock { $0 = nil } }

  private static func at(_ handle: UnsafeMutableRawPointer?) -> FontStream {
    Unmanaged<FontStream>.fromOpaque(handle!).takeUnretainedValue()
  }

  /// Reads exactly `count` bytes.
  private func read(_ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int32 {
    guard let buffer, count >= 0 else { return FLUID_FAILED }
    var done = 0
    while done < count {
      let length = min(count - done, Self.pieceBytes)
      guard bytes.read(at: position, length, into: buffer + done) else { return FLUID_FAILED }
      done += length
      position += length
      readBytes += length
      // Bytes that are read are not loaded yet, and the records may be read twice.
      if length > 256 { progress?(min(Double(readBytes) / Double(max(bytes.size, 1)), 0.999)) }
    }
    return FLUID_OK
  }

  private func seek(_ offset: Int, _ origin: Int32) -> Int32 {
    let base = origin == SEEK_SET ? 0 : origin == SEEK_END ? bytes.size : position
    let (target, overflows) = base.addingReportingOverflow(offset)
    guard !overflows, (0...bytes.size).contains(target) else { return FLUID_FAILED }
    position = target
    return FLUID_OK
  }
}
