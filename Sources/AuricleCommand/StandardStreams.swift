// Lines for people and for programs, written at once.

import Foundation

/// Lines on standard output. They are not buffered: whoever waits for "ready" in a pipe gets it.
enum StandardOutput {
  static func write(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }
}

/// Lines on standard error.
enum StandardError {
  static func write(_ line: String) {
    FileHandle.standardError.write(Data((line + "\n").utf8))
  }
}
