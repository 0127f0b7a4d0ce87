// Restores the terminal if the program crashes.

import CCurses
import Glibc

/// A handler for the signals of a crash, which then passes them to the former handlers.
///
/// It does not call ncurses, which may be running on this or another thread and would take over the
/// terminal again with its next output.
enum TerminalRescue {
  private static let signals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// - Parameter settings: the terminal's settings before ncurses started.
  static func begin(_ settings: termios) {
    formerSettings.pointee = settings
    terminal = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 0)
    nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC)
    writeParting()
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        // Output of other threads is discarded from now on.
        dup2(nowhere, STDOUT_FILENO)
        tcsetattr(STDIN_FILENO, TCSANOW, formerSettings)
        write(terminal, parting.baseAddress, partingCount)
        sigaction(number, formerActions + Int(number), nil)
        // Delivered as soon as this returns.
        raise(number)
      }
      sigaction(number, &action, formerActions + Int(number))
    }
  }

  static func end() {
    for number in signals { sigaction(number, formerActions + Int(number), nil) }
    close(terminal)
    close(nowhere)
  }

  /// Prepares the bytes that restore the terminal: plain text, the cursor on the last line, the
  /// keypad mode and the former screen.
  private static func writeParting() {
    partingCount = 0
    for text in [
      auricleCapability("sgr0"), auricleLastLine(), auricleCapability("cnorm"),
      auricleCapability("rmkx"), auricleCapability("rmcup"),
    ] {
      guard let text else { continue }
      tputs(text, 1) { byte in
        guard partingCount < parting.count else { return byte }
        parting[partingCount] = UInt8(truncatingIfNeeded: byte)
        partingCount += 1
        return byte
      }
    }
  }
}

// Set before any handler reads them.
private nonisolated(unsafe) let formerSettings = {
  let settings = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  settings.initialize(to: termios())
  return settings
}()
private nonisolated(unsafe) var terminal: Int32 = -1
private nonisolated(unsafe) var nowhere: Int32 = -1
private nonisolated(unsafe) var partingCount = 0
private nonisolated(unsafe) let parting = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: 512)
private nonisolated(unsafe) let formerActions = {
  let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  actions.initialize(repeating: sigaction(), count: 32)
  return actions
}()
