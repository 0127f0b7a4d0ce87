// Moving parameters by controls.

import MIDIStages
import Realtime
import UnitRender

extension ControlKernel {
  /// Moves all parameters that are mapped to a source.
  ///
  /// - Parameter level: the control's position, 0…1.
  /// - Returns: the cost: the number of the source's mappings, and of all that its triggers set.
  @_noLocks @_noAllocation
  mutating func move(
    _ source: Int, _ level: Double, _ message: ShortMessage, at frame: FrameTime,
    _ output: RenderEventList
  ) -> Int {
    let first = table.pointee.start(of: source)
    let end = table.pointee.end(of: source)
    var index = first
    var cost = end &- first
    while index < end {
      let entry = table.pointee.entries + index
      if entry.pointee.channels >> UInt16(truncatingIfNeeded: message.channel) & 1 != 0 {
        if entry.pointee.trigger >= 0 {
          cost &+= press(entry, level, message, at: frame, output)
        } else {
          move(entry, level, message, at: frame, output)
        }
      }
      index &+= 1
    }
    return cost
  }

  @_noLocks @_noAllocation
  private mutating func move(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ level: Double, _ message: ShortMessage,
    at frame: FrameTime, _ output: RenderEventList
  ) {
    let parameter = table.pointee.parameters + entry.pointee.parameter
    let known = memory.parameters + parameter.pointee.slot
    let mapping = memory.mappings + entry.pointee.slot
    look(at: parameter, known, frame)
    if mapping.pointee.generation != entry.pointee.generation {
      mapping.pointee = MappingMemory(generation: entry.pointee.generation)
    }
    let position = position(entry, mapping, known.pointee.present, level, message)
    hold(entry, mapping, level, at: frame)
    if position < 0 { return }
    let value = entry.pointee.value(position)
    mapping.pointee.position = position
    mapping.pointee.sent = value
    known.pointee.present = value
    moves.note(parameter.pointee.slot, parameter.pointee.generation, at: frame)
    let ramp = entry.pointee.rampFrames
    if ramp > 0 { known.pointee.rampEnd = frame &+ FrameTime(ramp) }
    var event = RenderEvent.parameter(
      address: parameter.pointee.address, value: value, rampFrames: ramp, at: frame)
    event.target = parameter.pointee.target
    // A full list counts the events it refuses.
    _ = output.insert(event)
  }

  /// Reads, once a call, the value of a parameter that others may have moved. Its unit has not
  /// rendered this call yet: other changes within the call are seen by the next one.
  @_noLocks @_noAllocation
  private func look(
    at parameter: UnsafeMutablePointer<ControlParameter>,
    _ known: UnsafeMutablePointer<ParameterMemory>, _ frame: FrameTime
  ) {
    if known.pointee.call == call && known.pointee.generation == parameter.pointee.generation {
      return
    }
    let value = parameter.pointee.values[parameter.pointee.valueIndex]
    if known.pointee.generation != parameter.pointee.generation {
      known.pointee = ParameterMemory(generation: parameter.pointee.generation, value: value)
    }
    known.pointee.call = call
    // An unchanged value may be older than the value sent last.
    if !value.isFinite || value.bitPattern == known.pointee.seen.bitPattern { return }
    known.pointee.seen = value
    if frame >= known.pointee.rampEnd { known.pointee.present = value }
  }

  // MARK: Positions

  /// Returns the position to apply, 0…1; below 0 if nothing moves.
  @_noLocks @_noAllocation
  private func position(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ mapping: UnsafeMutablePointer<MappingMemory>,
    _ present: Float, _ level: Double, _ message: ShortMessage
  ) -> Double {
    switch entry.pointee.mode {
    case .absolute: return absolute(entry, mapping, present, level)
    case .toggle:
      let wasPressed = mapping.pointee.isPressed
      mapping.pointee.isPressed = isPress(message, level)
      if wasPressed || !mapping.pointee.isPressed { return -1 }
      return currentPosition(entry, mapping, present) > 0.5 ? 0 : 1
    case .relative, .relativeOffset, .relativeSign:
      let steps = Self.steps(message.value, entry.pointee.mode)
      if steps == 0 { return -1 }
      let moved = currentPosition(entry, mapping, present) + Double(steps) * entry.pointee.step
      return moved > 0 ? (moved < 1 ? moved : 1) : 0
    }
  }

  /// Whether it is a press: a key at any velocity above 0, another control from its middle on.
  @_noLocks @_noAllocation
  func isPress(_ message: ShortMessage, _ level: Double) -> Bool {
    message.status & 0xF0 == 0x90 ? level > 0 : level >= 0.5
  }

  /// Returns the control's position for a parameter's value. Encoder steps that are too small for
  /// the parameter add up.
  @_noLocks @_noAllocation
  private func currentPosition(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ mapping: UnsafeMutablePointer<MappingMemory>,
    _ present: Float
  ) -> Double {
    mapping.pointee.sent == present ? mapping.pointee.position : entry.pointee.position(present)
  }

  @_noLocks @_noAllocation
  private func absolute(
    _ entry: UnsafeMutablePointer<ControlEntry>, _ mapping: UnsafeMutablePointer<MappingMemory>,
    _ present: Float, _ level: Double
  ) -> Double {
    if case .jump = entry.pointee.pickup { return level }
    let before = mapping.pointee.control
    mapping.pointee.control = level
    let current = currentPosition(entry, mapping, present)
    let isAway = Self.distance(current, mapping.pointee.position) > Self.nearness
    if !(mapping.pointee.sent == mapping.pointee.sent) || isAway {
      mapping.pointee.isCaught = false
    }
    if mapping.pointee.isCaught { return level }
    if case .scale = entry.pointee.pickup {
      if Self.distance(level, current) <= 1.0 / 254 {
        mapping.pointee.isCaught = true
        return level
      }
      return before < 0 ? -1 : Self.scaled(current, from: before, to: level)
    }
    let isPassing = before >= 0 && (before < current) != (level < current)
    if !isPassing && Self.distance(level, current) > Self.nearness { return -1 }
    mapping.pointee.isCaught = true
    return level
  }

  /// The maximum distance between positions that count as equal: one step of 7 bits, and half a
  /// step for rounding.
  private static var nearness: Double { @_noLocks @_noAllocation get { 1.5 / 127 } }

  /// Moves a position by the same share of its way to the end as the control.
  @_noLocks @_noAllocation
  private static func scaled(_ current: Double, from before: Double, to level: Double) -> Double {
    if level > before { return current + (1 - current) * (level - before) / (1 - before) }
    if level < before { return current - current * (before - level) / before }
    return -1
  }

  @_noLocks @_noAllocation
  private static func distance(_ first: Double, _ second: Double) -> Double {
    first > second ? first - second : second - first
  }

  /// Returns the steps of an encoder's message, −64 to 64.
  @_noLocks @_noAllocation
  private static func steps(_ data: Int, _ mode: ControlMode) -> Int {
    switch mode {
    case .relative: return data < 64 ? data : data &- 128
    case .relativeOffset: return data &- 64
    case .relativeSign: return data < 64 ? data : 64 &- data
    case .absolute, .toggle: return 0
    }
  }
}
