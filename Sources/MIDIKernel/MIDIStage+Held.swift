// What a stage has let in and waits for the end of.

import UnitRender

extension MIDIStage {
  /// The notes that the stage remembers, nil for a stage whose note-offs need no memory.
  var heldNotes: HeldNotes? {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter(let stage): return stage.pointee.held
      case .transpose(let stage): return stage.pointee.held
      case .scale(let stage): return stage.pointee.held
      case .channel(let stage): return stage.pointee.held
      case .chord(let stage): return stage.pointee.held
      case .arpeggiator(let stage): return stage.pointee.held
      case .velocity, .bend, .controller, .echo, .clock: return nil
      }
    }
  }

  /// Whether the stage waits for the end of a note, be it one that was not sent on.
  @_noLocks @_noAllocation
  func holdsNote(_ channel: Int, _ key: Int) -> Bool {
    guard let held = heldNotes else { return false }
    return held.tag(channel: channel, key: key) != -2
  }

  /// Whether notes of a channel were sent on, or made, and have not ended.
  @_noLocks @_noAllocation
  func holdsNotes(_ channel: Int) -> Bool {
    if case .arpeggiator(let stage) = self, stage.pointee.sounding.sounds(channel: channel) {
      return true
    }
    guard let held = heldNotes else { return false }
    return held.holdsNotes(channel: channel)
  }

  /// The pedals of a channel, as bits, that were let in as pressed, by a stage that does more than
  /// pass them.
  @_noLocks @_noAllocation
  func pedals(_ channel: Int) -> UInt8 {
    switch self {
    case .filter(let stage): return stage.pointee.pedals[channel]
    case .channel(let stage): return stage.pointee.pressedPedals(channel)
    case .controller(let stage): return stage.pointee.passed[channel]
    case .arpeggiator(let stage): return stage.pointee.pressedPedals(channel)
    case .transpose, .velocity, .scale, .bend, .chord, .echo, .clock: return 0
    }
  }

  /// Takes notice of a message that has passed around the stage: it may end notes that the stage
  /// has sent.
  @_noLocks @_noAllocation
  func passedAround(_ message: ShortMessage, _ kind: MessageKind) {
    switch self {
    case .channel(let stage):
      if message.endsNotes(kind) {
        stage.pointee.forget(UInt16(0).with(bit: message.channel, true))
      }
    case .echo(let stage): stage.pointee.passedAround(message, kind)
    default: break
    }
  }

  var holdsAnything: Bool {
    @_noLocks @_noAllocation get {
      var channel = 0
      while channel < 16 {
        if holdsNotes(channel) || pedals(channel) != 0 { return true }
        channel &+= 1
      }
      return false
    }
  }

  /// Whether events pass the stage also while it is bypassed, and it does by itself what a bypass
  /// means.
  var bypassesItself: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .bend, .clock: return true
      default: return false
      }
    }
  }

  /// Tells the stage that it is bypassed, or no longer; what it owes then is told by `settle`.
  @_noLocks @_noAllocation
  func setBypassed(_ isBypassed: Bool) {
    switch self {
    case .bend(let stage): stage.pointee.setBypassed(isBypassed)
    // What a mapping has pressed nothing else releases.
    case .controller(let stage): if isBypassed { stage.pointee.oweAll() }
    case .arpeggiator(let stage): stage.pointee.setBypassed(isBypassed)
    case .clock(let stage): stage.pointee.setBypassed(isBypassed)
    case .filter, .transpose, .velocity, .scale, .channel, .chord, .echo: break
    }
  }
}
