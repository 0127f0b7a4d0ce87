// Frames on the command line.

import ArgumentParser

/// Parses a session frame, for options.
func sessionFrame(_ text: String) throws -> Int64 {
  guard let frame = Int64(text), frame >= 0 else {
    throw ValidationError("it takes a frame from 0 on")
  }
  return frame
}
