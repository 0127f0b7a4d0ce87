// The entry point of libFuzzer: one of seven readers of untrusted input, set by the environment.

import Foundation

/// The reader under test, by its name in `AURICLE_FUZZ`.
private let target: @Sendable (UnsafeRawBufferPointer) -> Void = {
  let name = ProcessInfo.processInfo.environment["AURICLE_FUZZ"] ?? ""
  switch name {
  case "toml": return fuzzConfiguration
  case "midi-file": return fuzzMIDIFile
  case "midi-stream": return fuzzMIDIStream
  case "property-list": return fuzzPropertyList
  case "soundfont": return fuzzSoundFont
  case "session-line": return fuzzSessionWire
  case "osc": return fuzzOSCPacket
  default: fatalError("AURICLE_FUZZ is '\(name)'; see scripts/fuzz.sh")
  }
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target(UnsafeRawBufferPointer(start: bytes, count: count))
  return 0
}
