// A terminal is given back by a program that crashes, too.

import CCurses
import Foundation

/// Takes the signals that end a program where it is, before whoever took them.
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
        sigaction(number, formerActions + Int(number), nil)
        // Comes as soon as this returns.
        raise(number)
      }
      sigaction(number, &action, formerActions + Int(number))
    }
  }

  static func end() {
    for number in signals { sigaction(number, formerActions + Int(number), nil) }
  }
}

// Set before any handler reads them.
private nonisolated(unsafe) var formerSettings = termios()
private nonisolated(unsafe) let formerActions = {
  let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 32)
  actions.initialize(repeating: sigaction(), count: 32)
  return actions
}()
