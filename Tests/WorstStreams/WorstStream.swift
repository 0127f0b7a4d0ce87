// A costly stream of MIDI, and its text form.

import Foundation

/// Messages at their frames, for the units of a rig.
public struct WorstStream: Sendable {
  /// A short message with its status byte, or a SysEx from 0xF0 to 0xF7.
  public struct Message: Sendable, Equatable {
    public var frame: Int
    public var bytes: [UInt8]

    public init(_ frame: Int, _ bytes: [UInt8]) {
      self.frame = frame
      self.bytes = bytes
    }
  }

  public var name: String
  public var rig: WorstRig.Kind
  /// The messages in the order of their frames.
  public var messages: [Message]
  /// The number of cycles.
  public var cycleCount: Int

  public init(_ name: String, _ rig: WorstRig.Kind, cycles: Int, _ messages: [Message]) {
    self.name = name
    self.rig = rig
    cycleCount = cycles
    self.messages = messages
  }

  /// The messages of each cycle, at frames within it.
  public var cycles: [[Message]] {
    var cycles = [[Message]](repeating: [], count: cycleCount)
    for message in messages {
      let (cycle, offset) = message.frame.quotientAndRemainder(dividingBy: WorstRig.period)
      cycles[cycle].append(Message(offset, message.bytes))
    }
    return cycles
  }

  /// The rig, the cycles, and a line for each frame with messages: `frame: 90 3C 64  80 3C 00`.
  public var text: String {
    var lines = ["rig: \(rig.rawValue)", "cycles: \(cycleCount)"]
    var last = -1
    for message in messages {
      let hex = message.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
        .joined(separator: " ")
      if message.frame == last {
        lines[lines.count - 1] += "  " + hex
      } else {
        lines.append("\(message.frame): " + hex)
      }
      last = message.frame
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// Reads the form that `text` returns; nil if `text` has another form.
  public init?(name: String, text: String) {
    var rig: WorstRig.Kind?
    var cycles = 0
    var messages: [Message] = []
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { return nil }
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      switch parts[0] {
      case "rig": rig = WorstRig.Kind(rawValue: value)
      case "cycles": cycles = Int(value) ?? 0
      default:
        guard let frame = Int(parts[0]), frame >= 0 else { return nil }
        for hex in value.components(separatedBy: "  ") {
          messages.append(
            Message(frame, hex.split(separator: " ").compactMap { UInt8($0, radix: 16) }))
        }
      }
    }
    guard let rig, let last = messages.last, last.frame < cycles * WorstRig.period else {
      return nil
    }
    self.init(name, rig, cycles: cycles, messages)
  }
}
