// MIDI messages in words and numbers.

import Platform
import UnitModel
import UnitRender

/// A MIDI message, described.
public struct MonitoredMessage: Sendable {
  /// The kinds of messages, named as by the stage `filter`.
  public enum Kind: String, Sendable, CaseIterable {
    case note, controller, bend, pressure, program, sysex, system
  }

  public let kind: Kind
  /// The channel, 1 to 16; nil for a message without one.
  public private(set) var channel: Int?
  /// The name of the message: "note on".
  public let name: String
  /// The data in words: "C4 (60) velocity 100"; empty if there are none.
  public private(set) var detail = ""
  /// The data in numbers, by their keys in JSON.
  public private(set) var numbers: [String: Int] = [:]
  /// The first bytes.
  public let bytes: [UInt8]
  /// Whether the sender repeats it all the time: clock, active sensing.
  public let isContinual: Bool

  /// Describes bytes; those that are no whole message are "unknown".
  ///
  /// - Parameters:
  ///   - bytes: the first bytes; all of them for a message other than SysEx.
  ///   - byteCount: the length of the whole message.
  /// - Thread: [any]
  public init(_ bytes: [UInt8], byteCount: Int) {
    self.bytes = bytes
    let status = bytes.first ?? 0
    let isWhole =
      byteCount == bytes.count && byteCount == MIDIMessage.length(ofStatus: status)
      && byteCount > 0 && bytes.dropFirst().allSatisfy { $0 < 0x80 }
    isContinual = isWhole && [0xF8, 0xFE].contains(status)
    let data = (bytes.dropFirst() + [0, 0]).prefix(2).map(Int.init)
    let (first, second) = (data[0], data[1])
    let key = "\(NoteName.name(min(first, 127))) (\(first))"
    if status == 0xF0 {
      (kind, name) = (.sysex, "system exclusive")
      detail = Self.text(bytes, byteCount)
      numbers = ["byteCount": byteCount]
      return
    }
    guard isWhole else {
      (kind, name) = (.system, "unknown")
      detail = Self.text(bytes, byteCount)
      return
    }
    if status < 0xF0 { channel = Int(status & 0x0F) + 1 }
    switch status & 0xF0 {
    case 0x90 where second > 0:
      (kind, name) = (.note, "note on")
      (detail, numbers) = ("\(key) velocity \(second)", ["key": first, "velocity": second])
    case 0x90:
      (kind, name) = (.note, "note off")
      (detail, numbers) = ("\(key), as note on with velocity 0", ["key": first, "velocity": 0])
    case 0x80:
      (kind, name) = (.note, "note off")
      (detail, numbers) = ("\(key) velocity \(second)", ["key": first, "velocity": second])
    case 0xA0:
      (kind, name) = (.pressure, "key pressure")
      (detail, numbers) = ("\(key) \(second)", ["key": first, "pressure": second])
    case 0xB0:
      (kind, name) = (.controller, "controller")
      let meaning = controllerName(first).map { " (\($0))" } ?? ""
      (detail, numbers) = ("\(first)\(meaning) \(second)", ["controller": first, "value": second])
    case 0xC0:
      (kind, name) = (.program, "program")
      (detail, numbers) = ("\(first)", ["program": first])
    case 0xD0:
      (kind, name) = (.pressure, "channel pressure")
      (detail, numbers) = ("\(first)", ["pressure": first])
    case 0xE0:
      (kind, name) = (.bend, "pitch bend")
      let bend = (second << 7 | first) - 8192
      (detail, numbers) = ("\(bend > 0 ? "+" : "")\(bend)", ["bend": bend])
    default:
      kind = .system
      switch status {
      case 0xF1:
        name = "time code quarter frame"
        (detail, numbers) = ("\(first)", ["value": first])
      case 0xF2:
        name = "song position"
        let position = second << 7 | first
        (detail, numbers) = ("\(position)", ["position": position])
      case 0xF3:
        name = "song select"
        (detail, numbers) = ("\(first)", ["song": first])
      case 0xF6: name = "tune request"
      case 0xF8: name = "clock"
      case 0xFA: name = "start"
      case 0xFB: name = "continue"
      case 0xFC: name = "stop"
      case 0xFE: name = "active sensing"
      default: name = "system reset"
      }
    }
  }

  /// Returns the number of bytes and the first ones in hexadecimal: "6 bytes F0 7E 7F 09 01 F7".
  private static func text(_ bytes: [UInt8], _ byteCount: Int) -> String {
    let shown = bytes.map { String($0, radix: 16, uppercase: true).aligned(right: 2, filler: "0") }
    return (["\(byteCount) bytes"] + shown + (byteCount > bytes.count ? ["…"] : []))
      .joined(separator: " ")
  }
}

/// Returns the name of a controller, as of MIDI 1.0; nil for one without a name.
private func controllerName(_ number: Int) -> String? {
  switch number {
  case 0: "bank select"
  case 1: "modulation"
  case 2: "breath"
  case 4: "foot"
  case 5: "portamento time"
  case 6: "data entry"
  case 7: "volume"
  case 8: "balance"
  case 10: "pan"
  case 11: "expression"
  case 32...63: controllerName(number - 32).map { "\($0), fine" }
  case 64: "sustain pedal"
  case 65: "portamento"
  case 66: "sostenuto pedal"
  case 67: "soft pedal"
  case 68: "legato"
  case 69: "hold 2"
  case 71: "resonance"
  case 72: "release time"
  case 73: "attack time"
  case 74: "brightness"
  case 84: "portamento control"
  case 91: "reverb"
  case 93: "chorus"
  case 96: "data increment"
  case 97: "data decrement"
  case 98: "NRPN, fine"
  case 99: "NRPN"
  case 100: "RPN, fine"
  case 101: "RPN"
  case 120: "all sound off"
  case 121: "reset all controllers"
  case 122: "local control"
  case 123: "all notes off"
  case 124: "omni off"
  case 125: "omni on"
  case 126: "mono"
  case 127: "poly"
  default: nil
  }
}
