// Ports registered by this client.

import CJack

/// One of the session's ports, with its state in the process callback. Outlives the graphs that use
/// it.
final class JackOwnPort {
  enum Kind {
    case audioInput
    case audioOutput
    case midiInput
    case midiOutput

    fileprivate var type: String {
      switch self {
      case .audioInput, .audioOutput: JACK_DEFAULT_AUDIO_TYPE
      case .midiInput, .midiOutput: JACK_DEFAULT_MIDI_TYPE
      }
    }

    fileprivate var flags: JackPortFlags {
      switch self {
      case .audioInput, .midiInput: JackPortIsInput
      case .audioOutput, .midiOutput: JackPortIsOutput
      }
    }
  }

  let name: String
  let port: OpaquePointer
  /// The state of a MIDI input, which also counts; nil for other ports.
  let midiInput: UnsafeMutablePointer<JackMIDIInput>?
  /// The state of a MIDI output; nil for other ports.
  let midiOutput: UnsafeMutablePointer<JackMIDIOutput>?
  /// The aliases, by which other clients can address the port too; at most two.
  private(set) var aliases: [String] = []

  /// - Throws: `portRefused`.
  /// - Thread: [control]
  init(_ name: String, _ kind: Kind, of client: OpaquePointer) throws(JackError) {
    guard
      let port = jack_port_register(client, name, kind.type, UInt(kind.flags.rawValue), 0)
    else { throw .portRefused(name) }
    self.name = name
    self.port = port
    var input: UnsafeMutablePointer<JackMIDIInput>?
    var output: UnsafeMutablePointer<JackMIDIOutput>?
    switch kind {
    case .audioInput, .audioOutput: break
    case .midiInput:
      input = .allocate(capacity: 1)
      input?.initialize(to: JackMIDIInput(port: port, counts: MIDIInputCounts()))
    case .midiOutput:
      output = .allocate(capacity: 1)
      output?.initialize(to: JackMIDIOutput(port: port))
    }
    (midiInput, midiOutput) = (input, output)
  }

  /// Replaces the aliases. JACK takes two of a bounded length; others are left out.
  /// - Thread: [control]
  func setAliases(_ names: [String]) {
    if names == aliases { return }
    for alias in aliases { jack_port_unset_alias(port, alias) }
    aliases = names.filter {
      $0.utf8.count < Int(jack_port_name_size()) - 1 && jack_port_set_alias(port, $0) == 0
    }
  }

  /// Called once no process callback uses it any more.
  deinit {
    if let midiInput {
      midiInput.pointee.counts.deallocate()
      midiInput.pointee.deallocate()
      midiInput.deinitialize(count: 1)
      midiInput.deallocate()
    }
    if let midiOutput {
      midiOutput.pointee.deallocate()
      midiOutput.deinitialize(count: 1)
      midiOutput.deallocate()
    }
  }
}
