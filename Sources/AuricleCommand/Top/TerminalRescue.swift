// A terminal is given back by a program that crashes, too.

import CCurses
import Foundation

/// Takes the signals that end a program where it is.
enum TerminalRescue {
  private static let signals = [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV]

  /// - Parameter settings: the terminal's, before ncurses had it.
  static func begin(_ settings: termios) {
    formerSettings = settings
    for number in signals {
      var action = sigaction()
      action.__sigaction_handler.sa_handler = { number in
        // First what cannot fail, whatever became of the memory. ncurses ends so in handlers of its
        // own, too.
        tcsetattr(STDIN_FILENO, TCSANOW, &formerSettings)
        endwin()
        // Ends the program as soon as this returns.
        raise(number)
      }
      action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
      sigaction(number, &action, nil)
    }
  }

  static func end() {
    for number in signals { signal(number, SIG_DFL) }
  }
}

/// Set before any handler reads it.
private nonisolated(unsafe) var formerSettings = termios()
