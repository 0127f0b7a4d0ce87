// A terminal without a screen, for programs that need one.

import CTestSupport
import Foundation
import Synchronization

/// A terminal that a test reads and types on. A program opens its `path` as standard input and
/// output.
///
/// - Thread: [any]
public final class PseudoTerminal: Sendable {
  /// The terminal's file.
  public let path: String
  private let master: Int32
  /// Held open, so that the terminal exists without a program.
  private let slave: Int32
  private let written = Mutex([UInt8]())

  /// - Throws: `RigError.serverRefused` if the system has no more terminals.
  public init(columns: Int = 80, rows: Int = 24) throws(RigError) {
    var name = [CChar](repeating: 0, count: 128)
    master = rigTerminalOpen(&name, name.count)
    guard master >= 0 else { throw .serverRefused(operation: "opening a terminal") }
    path = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    slave = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard slave >= 0 else { throw .serverRefused(operation: "opening \(path)") }
    resize(columns: columns, rows: rows)
  }

  deinit {
    close(slave)
    close(master)
  }

  /// Changes the size. The test sends SIGWINCH to the programs that need to know.
  public func resize(columns: Int, rows: Int) {
    var size = winsize(
      ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(master, UInt(TIOCSWINSZ), &size)
  }

  public func type(_ text: String) {
    let bytes = Array(text.utf8)
    _ = write(master, bytes, bytes.count)
  }

  /// All output so far, including control sequences.
  public var text: String {
    written.withLock { written in
      var buffer = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(master, &buffer, buffer.count)
        if count <= 0 { break }
        written += buffer[..<count]
      }
      return String(decoding: written, as: UTF8.self)
    }
  }

  /// The terminal's mode: its input, output, control and local flags.
  public var settings: [UInt32] {
    var settings = termios()
    tcgetattr(slave, &settings)
    return [settings.c_iflag, settings.c_oflag, settings.c_cflag, settings.c_lflag]
  }
}
