// The time of an arpeggio: its next step, the notes of the step, and their ends.

import Realtime
import UnitRender

extension ArpeggiatorStage {
  /// - Parameter lines: musical time over the call's frames.
  @_noLocks @_noAllocation
  mutating func begin(_ call: MIDIChainCall, _ lines: BeatSegments) {
    if !cursor.begin(at: call.start) { isAstray = true }
    self.lines = lines
    isFull = false
  }

  /// Plays the events due before `end`, after the event `previous`.
  /// - Returns: the last inserted event; `previous` for none.
  @_noLocks @_noAllocation
  mutating func advance(
    after previous: UnsafeMutablePointer<RenderEvent>?, to end: FrameTime, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    guard let lines else { return previous }
    var last = previous
    while cursor.now < end {
      let line = cursor.line(of: lines)
      findStep(line)
      let endOfLine = cursor.endOfLine(of: lines, before: end)
      // Events left after the segment may be due earlier on the next one.
      while cursor.now < endOfLine {
        let ending = isFull ? -1 : sounding.first()
        var off = ending < 0 ? endOfLine : sounding.end(of: ending, on: line)
        if off < cursor.now { off = cursor.now }
        let plays = keys.count > 0 && !line.isWaiting
        var on = !plays ? endOfLine : line.frame(ofBeat: grid.beat(of: nextStep))
        if on < cursor.now { on = cursor.now }
        if off >= endOfLine && on >= endOfLine { break }
        if off <= on {
          cursor.advance(to: off)
          last = endNote(ending, at: off, after: last, in: list)
        } else {
          cursor.advance(to: on)
          last = play(line, after: last, in: list)
          skipMissedSteps(line)
        }
      }
      cursor.advance(to: endOfLine)
    }
    return last
  }

  /// Finds the next step after a jump, a change of the grid, or a first key.
  @_noLocks @_noAllocation
  private mutating func findStep(_ line: BeatSegment) {
    if line.epoch != epoch {
      epoch = line.epoch
      isAstray = true
      if line.isPositioned && !isPositioned {
        grid.origin = 0
        begins = begins || beginsWithKey
      }
      isPositioned = line.isPositioned
    }
    if keys.count == 0 || line.isWaiting || !(isAstray || begins) { return }
    let beat = line.beat(at: cursor.now)
    if begins { grid.origin = isPositioned ? 0 : beat }
    nextStep = grid.step(notBefore: beat, tolerance: line.beatsPerFrame * 1e-3)
    if begins { firstStep = beginsWithKey ? nextStep : 0 }
    isAstray = false
    begins = false
  }

  /// Skips the steps that a correction of the clock has made late by more than half a step.
  @_noLocks @_noAllocation
  private mutating func skipMissedSteps(_ line: BeatSegment) {
    let late = line.beat(at: cursor.now) - grid.beat(of: nextStep)
    if late > grid.length / 2 { isAstray = true }
    findStep(line)
  }

  @_noLocks @_noAllocation
  private mutating func endNote(
    _ note: Int, at frame: FrameTime, after previous: UnsafeMutablePointer<RenderEvent>?,
    in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    if list.room < 1 {
      // The note-off waits for the next call's list.
      isFull = true
      return previous
    }
    let added = list.insert(sounding.noteOff(of: note, at: frame), after: previous)
    sounding.remove(note)
    return added
  }

  /// Plays the next step.
  @_noLocks @_noAllocation
  private mutating func play(
    _ line: BeatSegment, after previous: UnsafeMutablePointer<RenderEvent>?,
    in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let step = nextStep
    nextStep &+= 1
    let position = Self.remainder(step - firstStep, of: patternLength)
    var last = previous
    if case .chord = mode {
      var index = 0
      while index < keys.count {
        last = play(keys.rising(index), octave: position, step, line, after: last, in: list)
        index &+= 1
      }
      return last
    }
    let (key, octave) = keyOfPattern(position, step)
    return play(key, octave: octave, step, line, after: last, in: list)
  }

  /// The number of steps after which a pattern repeats.
  private var patternLength: Int {
    @_noLocks @_noAllocation get {
      let notes = keys.count * octaves
      switch mode {
      case .chord: return octaves
      case .upDown: return notes > 1 ? 2 * notes - 2 : 1
      case .up, .down, .random, .asPlayed: return notes
      }
    }
  }

  /// - Parameter position: 0 ..< `patternLength`.
  @_noLocks @_noAllocation
  private func keyOfPattern(_ position: Int, _ step: Int) -> (ArpeggioKey, octave: Int) {
    let notes = keys.count * octaves
    var note = position
    switch mode {
    case .down: note = notes - 1 - position
    case .upDown where position >= notes: note = 2 * notes - 2 - position
    case .random: note = random(step - firstStep, below: notes)
    case .asPlayed: return (keys.played(note % keys.count), note / keys.count)
    case .up, .upDown, .chord: break
    }
    return (keys.rising(note % keys.count), note / keys.count)
  }

  /// A number that depends only on the seed and the step: splitmix64's output function.
  @_noLocks @_noAllocation
  private func random(_ step: Int, below count: Int) -> Int {
    var bits = UInt64(truncatingIfNeeded: step) &+ UInt64(truncatingIfNeeded: seed) << 32
    bits = bits &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Int(truncatingIfNeeded: bits >> 33) % count
  }

  @_noLocks @_noAllocation
  private static func remainder(_ value: Int, of count: Int) -> Int {
    let rest = value % count
    return rest < 0 ? rest + count : rest
  }

  @_noLocks @_noAllocation
  private mutating func play(
    _ key: ArpeggioKey, octave: Int, _ step: Int, _ line: BeatSegment,
    after previous: UnsafeMutablePointer<RenderEvent>?, in list: RenderEventList
  ) -> UnsafeMutablePointer<RenderEvent>? {
    let number = Int(key.key) + 12 * octave
    if number > 127 { return previous }
    let pitch = UInt8(truncatingIfNeeded: number)
    var last = previous
    let earlier = sounding.index(channel: key.channel, key: pitch)
    // A sounding note of the same key ends first; room for both, or neither.
    if !sounding.hasRoom || list.room < (earlier < 0 ? 1 : 2) {
      list.header.pointee.droppedCount &+= 1
      return previous
    }
    if earlier >= 0 { last = endNote(earlier, at: cursor.now, after: last, in: list) }
    last = list.insert(
      .midi(0x90 | key.channel, pitch, velocity(of: key, step), at: cursor.now), after: last)
    // The gate begins on the grid, so that a full one ends where the next step begins.
    let exact = grid.beat(of: step)
    let begin = line.frame(ofBeat: exact) == cursor.now ? exact : line.beat(at: cursor.now)
    sounding.append(
      channel: key.channel, key: pitch,
      end: line.elapsed + (begin - line.beat) + gate * grid.length, notBefore: cursor.now &+ 1)
    return last
  }

  @_noLocks @_noAllocation
  private func velocity(of key: ArpeggioKey, _ step: Int) -> UInt8 {
    switch velocities {
    case .asPlayed: return key.velocity
    case .fixed: return velocity
    case .accent:
      let beat = grid.evenBeat(of: step) - (isPositioned ? 0 : grid.origin)
      return abs(beat - Double(wholeNumber(notBelow: beat - 0.5))) < 1e-6 ? velocity : key.velocity
    }
  }
}
