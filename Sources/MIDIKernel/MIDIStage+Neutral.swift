// What a stage that changes no note has in common with the stage before it: the notes that it remembers.

import UnitRender

extension MIDIStage {
  /// Whether note-ons go through the stage on their channel and key, as it is set now, one for one; and so
  /// does all that ends notes.
  var isNeutralToNotes: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter(let stage): return stage.pointee.isNeutral
      case .transpose(let stage): return stage.pointee.isNeutral
      case .scale(let stage): return stage.pointee.isNeutral
      case .channel(let stage): return stage.pointee.isNeutral
      case .chord(let stage): return stage.pointee.isNeutral
      case .velocity, .bend, .controller: return true
      case .arpeggiator, .echo, .clock: return false
      }
    }
  }

  /// Whether the stage needs no notes while it changes none and another remembers them for it. A chord
  /// stage looks at them.
  var canShareNotes: Bool {
    @_noLocks @_noAllocation get {
      switch self {
      case .filter, .transpose, .scale, .channel: return true
      case .chord, .velocity, .bend, .controller, .arpeggiator, .echo, .clock: return false
      }
    }
  }

  /// Whether no note is remembered, be it one that was not sent on.
  var remembersNoNote: Bool {
    @_noLocks @_noAllocation get {
      guard let notes = heldNotes else { return true }
      return notes.isEmpty
    }
  }

  /// The kinds of message that matter to the stage while another remembers the notes for it: those with a
  /// meaning for pedals.
  var kindsOfInterestBesideNotes: UInt16 {
    @_noLocks @_noAllocation get {
      switch self {
      case .transpose, .scale: return 0
      case .filter, .channel: return MessageKind.controller.bit | MessageKind.systemReset.bit
      case .chord, .velocity, .bend, .controller, .arpeggiator, .echo, .clock:
        return kindsOfInterest
      }
    }
  }

  /// Remembers the notes that another stage has sent, each as one that came and was sent on as it was.
  /// - Complexity: O(keys pressed since the last look + notes held), O(1) without notes.
  @_noLocks @_noAllocation
  func rememberNotes(of other: MIDIStage) {
    guard let notes = other.heldNotes, notes.holdsNotes() else { return }
    var word = 0
    while word < PlaceSet.count {
      var rest = notes.marks(word: word)
      while rest != 0 {
        let place = rest.takePlace(ofWord: word)
        var count = notes.sentCount(place)
        while count > 0 {
          rememberUnchanged(place)
          count &-= 1
        }
      }
      word &+= 1
    }
  }

  @_noLocks @_noAllocation
  private func rememberUnchanged(_ place: Int) {
    switch self {
    case .filter, .transpose, .scale: _ = heldNotes?.press(place, tag: place & 127)
    case .channel(let stage): stage.pointee.rememberUnchanged(place)
    case .chord, .velocity, .bend, .controller, .arpeggiator, .echo, .clock: break
    }
  }
}
