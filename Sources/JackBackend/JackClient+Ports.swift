// Ports of a server.

import CJack

/// A port of any client.
public struct JackPort: Sendable, Equatable {
  /// The full name, `client:port`.
  public let name: String
  public let isMIDI: Bool
  /// Whether it is an input.
  public let isInput: Bool
}

extension JackClient {
  /// All ports of the server, in its order.
  /// - Thread: [control]
  public var ports: [JackPort] {
    [JACK_DEFAULT_AUDIO_TYPE, JACK_DEFAULT_MIDI_TYPE].flatMap { type in
      [JackPortIsInput, JackPortIsOutput].flatMap { direction in
        portNames(type: type, flags: direction).map {
          JackPort(
            name: $0, isMIDI: type == JACK_DEFAULT_MIDI_TYPE,
            isInput: direction == JackPortIsInput)
        }
      }
    }
  }

  /// Returns the physical ports, in the server's order: loudspeakers, microphones and MIDI devices.
  /// Omits ports that only loop MIDI back from one program to another.
  /// - Thread: [control]
  func physicalPortNames(type: String, flags: JackPortFlags) -> [String] {
    let physical = JackPortIsPhysical.rawValue | JackPortIsTerminal.rawValue
    let names = portNames(type: type, flags: JackPortFlags(rawValue: flags.rawValue | physical))
    guard type == JACK_DEFAULT_MIDI_TYPE else { return names }
    return names.filter { name in !(aliases(of: name) + [name]).contains(where: Self.isThrough) }
  }

  /// Whether a port is ALSA's "Midi Through". It has the flags of a device but repeats the output
  /// of programs, so connecting both its directions would make a MIDI loop.
  private static func isThrough(_ name: String) -> Bool {
    let letters = name.lowercased().filter(\.isLetter)
    return letters.contains("midithrough") || letters.contains("midithru")
  }

  /// Returns the full name of a port from its name or one of its aliases; nil if there is no such
  /// port.
  /// - Thread: [control]
  package func fullName(of name: String) -> String? {
    guard let port = jack_port_by_name(handle, name), let full = jack_port_name(port) else {
      return nil
    }
    return String(cString: full)
  }

  private func aliases(of name: String) -> [String] {
    guard let port = jack_port_by_name(handle, name) else { return [] }
    let size = Int(jack_port_name_size())
    let first = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    let second = UnsafeMutablePointer<CChar>.allocate(capacity: size)
    defer {
      first.deallocate()
      second.deallocate()
    }
    let count = Int(auriclePortAliases(port, first, second))
    return [first, second].prefix(max(0, count)).map { (alias: UnsafeMutablePointer<CChar>) in
      String(cString: alias)
    }
  }
}
