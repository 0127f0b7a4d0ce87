// Errors of graphs.

import UnitModel

/// The reason why an edit of a graph, or its compilation, was refused.
public enum GraphError: Error, Sendable, Equatable, CustomStringConvertible {
  case duplicateUnit(id: String)
  /// A unit object was added under two ids; it has one kernel, which renders once in each cycle.
  case sameUnit(id: String, other: String)
  case unknownUnit(id: String, known: [String])
  /// No unit has this index, counted from 0.
  case noSuchUnit(number: Int, count: Int)
  case sampleRateOutOfRange(Double)
  /// A count of `CompileOptions` is out of range.
  case optionOutOfRange(name: String, Int, ClosedRange<Int>)
  /// `bus` counts from 0, as the graph does; messages count from 1, as configurations do.
  case noSuchBus(id: String, bus: Int, direction: String, count: Int)
  case alreadyConnected(from: String, to: String)
  case cycle(path: [String])
  case channelMismatch(from: String, fromChannels: Int, to: String, toChannels: Int)
  /// An input of an open array, which has one channel count, already has a source with another
  /// count.
  case otherChannels(from: String, fromChannels: Int, to: String, toChannels: Int)
  case noMIDIInput(id: String)
  case noMIDIOutput(id: String)
  /// The units that feed a time effect cannot be rendered on a separate timeline.
  case timeEffect(id: String, TimeEffectProblem)
  case unitFailed(id: String, reason: String)

  public var description: String {
    switch self {
    case .duplicateUnit(let id):
      "there are two units with the id '\(id)'; give one of them another id"
    case .sameUnit(let id, let other):
      "'\(id)' is the same unit as '\(other)'; instantiate another one"
    case .unknownUnit(let id, let known):
      "there is no unit '\(id)'; the units are \(known.joined(separator: ", "))"
    case .noSuchUnit(let number, let count):
      "there is no unit \(number); accepted: 0 to \(count - 1)"
    case .sampleRateOutOfRange(let hertz): "\(AudioUnitError.sampleRateOutOfRange(hertz))"
    case .optionOutOfRange(let name, let value, let range):
      "\(name) is \(value); accepted: \(range.lowerBound) to \(range.upperBound)"
    case .noSuchBus(let id, let bus, let direction, let count):
      count == 0
        ? "unit '\(id)' has no \(direction) bus"
        : "unit '\(id)' has no \(direction) bus \(max(bus, bus &+ 1)); it has \(direction) bus 1"
          + (count > 1 ? " to \(count)" : "")
    case .alreadyConnected(let from, let to):
      "'\(from)' is connected to '\(to)' already"
    case .cycle(let path):
      "the connections go round in a circle: \(path.joined(separator: " -> ")); remove one of them"
    case .channelMismatch(let from, let fromChannels, let to, let toChannels):
      "'\(from)' has \(fromChannels) channels, but '\(to)' takes \(toChannels);"
        + " connect busses of the same channel count, or mono to any"
    case .otherChannels(let from, let fromChannels, let to, let toChannels):
      "'\(from)' has \(fromChannels) channels, but '\(to)' gets \(toChannels) already;"
        + " connect it to another input"
    case .noMIDIInput(let id):
      "unit '\(id)' does not take MIDI"
    case .noMIDIOutput(let id):
      "unit '\(id)' does not send MIDI"
    case .timeEffect(let id, let problem):
      "the time effect '\(id)' may need more input than it puts out, or less: \(problem)"
    case .unitFailed(let id, let reason):
      "unit '\(id)' cannot render: \(reason)"
    }
  }
}
