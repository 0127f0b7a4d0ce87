// The clock stage and MTC: all rates, drop frame, jumps, both directions, and full messages.

import MIDIStages
import Realtime
import TestSupport
import Testing
import UnitRender

/// A time in MTC's format.
struct TimeCode {
  /// 0 to 3: 24, 25, 29.97 with drop frame, 30 frames a second.
  var rate: Int
  var hours = 0
  var minutes = 0
  var seconds = 0
  var frames = 0

  static let perSecond = [24, 25, 30000.0 / 1001, 30]
  static let whole = [24, 25, 30, 30]

  func piece(_ number: Int) -> UInt8 {
    let value =
      switch number {
      case 0: frames & 15
      case 1: frames >> 4
      case 2: seconds & 15
      case 3: seconds >> 4
      case 4: minutes & 15
      case 5: minutes >> 4
      case 6: hours & 15
      default: hours >> 4 | rate << 1
      }
    return UInt8(number << 4 | value)
  }

  /// The next frame's time. Drop frame omits frames 0 and 1 of minutes not divisible by ten.
  var next: TimeCode {
    var next = self
    next.frames += 1
    if next.frames == Self.whole[rate] { (next.frames, next.seconds) = (0, seconds + 1) }
    if next.seconds == 60 { (next.seconds, next.minutes) = (0, minutes + 1) }
    if next.minutes == 60 { (next.minutes, next.hours) = (0, hours + 1) }
    if rate == 2 && next.seconds == 0 && next.frames == 0 && next.minutes % 10 != 0 {
      next.frames = 2
    }
    return next
  }

  /// Quarter frames of `sets` sets of eight, each two frames of time, from the frame `first`.
  func quarterFrames(
    sets: Int, from first: Double, speed: Double = 1, jitter: () -> Double = { 0 }
  ) -> [TestEvent] {
    var time = self
    let length = 48000 / Self.perSecond[rate] / 4 / speed
    return (0..<sets).flatMap { (set: Int) -> [TestEvent] in
      let now = time
      time = time.next.next
      return (0..<8).map { (piece: Int) -> TestEvent in
        let frame: Double = first + Double(8 * set + piece) * length
        return .midi([0xF1, now.piece(piece)], at: FrameTime((frame + jitter()).rounded()))
      }
    }
  }

  var fullMessage: [UInt8] {
    [
      0xF0, 0x7F, 0x7F, 1, 1, UInt8(rate << 5 | hours), UInt8(minutes), UInt8(seconds),
      UInt8(frames), 0xF7,
    ]
  }
}

@Suite struct TimeCodeTests {
  /// Seven seconds of time code from a frame, across the end of a minute, and the seconds at that
  /// frame. The quarter frames are up to a millisecond early or late.
  func jittered(
    _ rate: Int, _ seed: UInt64, from first: Double
  ) -> (events: [TestEvent], seconds: Double) {
    var random = SeededRandom(seed: seed)
    let time = TimeCode(rate: rate, minutes: 2, seconds: 57)
    let events = time.quarterFrames(sets: 90, from: first) {
      Double.random(in: -48...48, using: &random)
    }
    let dropped = rate == 2 ? 4.0 : 0
    let count = 177 * Double(TimeCode.whole[rate]) - dropped
    return (events, count / TimeCode.perSecond[rate])
  }

  /// The error of a time is at first that of its quarter frame. From 48 quarter frames on a line is
  /// fitted to them, and the error is below 0.4 ms.
  @Test(arguments: 0...3, 0..<8 as Range<UInt64>)
  func aMillisecondOfJitterIsSmoothedAway(rate: Int, seed: UInt64) {
    let (events, seconds) = jittered(rate, seed, from: 1000)
    let rig = rig()
    // The first eight quarter frames state the time.
    _ = rig.run(Array(events[..<7]), until: events[6].frame + 1) { 100 }
    for (index, event) in events.enumerated().dropFirst(7) {
      _ = rig.process([event], slices: [event.frame + 1])
      let exact = seconds + Double(event.frame + 1 - 1000) / 48000
      let error = abs(Double(rig.reading("clock.position")) - exact)
      #expect(error < (index < 48 ? 1.05e-3 : 0.4e-3), "quarter frame \(index)")
    }
  }

  @Test(arguments: 0...3, 0..<8 as Range<UInt64>)
  func jitterNeitherDoublesNorLosesAStep(rate: Int, seed: UInt64) {
    let (events, seconds) = jittered(rate, seed, from: 5000)
    let rig = ChainRig([.clock, .arpeggiator])
    let end = events.last!.frame
    let output = rig.run([.midi([0x90, 60, 1], at: 0)] + events, until: end) { 128 }
    // At 120 beats a minute an eighth of a second is a sixteenth.
    let frame = { (step: Int) in 5000 + 48000 * (Double(step) / 8 - seconds) }
    let steps = Int(seconds * 8)..<Int(seconds * 8) + 100
    let expected = steps.map(frame).filter {
      $0 > Double(events[7].frame) && $0 < Double(end) - 3000
    }
    let played = output.compactMap { event -> Double? in
      guard case .midi(let bytes, let frame) = event, bytes[0] == 0x90 else { return nil }
      return frame > events[7].frame && Double(frame) < expected.last! + 3000
        ? Double(frame) : nil
    }
    #expect(played.count == expected.count && expected.count > 40)
    for (played, exact) in zip(played, expected) {
      let limit = exact < Double(events[48].frame) ? 1.05e-3 : 0.4e-3
      #expect(abs(played - exact) < 48000 * limit, "\(exact)")
    }
  }

  func rig(tempo: Float = 60) -> ChainRig {
    let rig = ChainRig([.clock])
    rig.setNow("clock.tempo", tempo)
    return rig
  }

  /// The position at the last event, in seconds: at 60 beats a minute a beat is a second.
  func position(after events: [TestEvent], _ rig: ChainRig) -> Double {
    _ = rig.run(events, until: events.last!.frame, period: { 100 })
    _ = rig.process([events.last!], slices: [events.last!.frame + 1])
    return Double(rig.reading("clock.position"))
  }

  @Test(arguments: 0...3) func everyRateGivesItsSeconds(rate: Int) {
    let time = TimeCode(rate: rate, minutes: 1, seconds: 59, frames: 10)
    let events = time.quarterFrames(sets: 30, from: 1000)
    // The time is that of the first quarter frame; the last one follows 7 quarter frames later.
    let fps = TimeCode.perSecond[rate]
    let dropped = rate == 2 ? 2.0 : 0
    let first = ((60.0 + 59) * Double(TimeCode.whole[rate]) + 10 - dropped) / fps
    let expected = first + (29 * 8 + 7) / (4 * fps)
    #expect(abs(position(after: events, rig()) - expected) < 1e-3)
  }

  @Test func dropFrameCountsAnHourAsAnHour() {
    let time = TimeCode(rate: 2, hours: 1)
    let events = time.quarterFrames(sets: 1, from: 0)
    let expected = 107_892 * 1001.0 / 30000 + 7.0 / 4 / TimeCode.perSecond[2]
    #expect(abs(position(after: events, rig()) - expected) < 1e-3)
  }

  @Test func thePositionIsInBeatsOfTheInternalTempoFromTheOffsetOn() {
    let rig = rig(tempo: 120)
    rig.setNow("clock.offset", 3600)
    let events = TimeCode(rate: 1, hours: 1, seconds: 10).quarterFrames(sets: 1, from: 0)
    #expect(abs(position(after: events, rig) - 2 * (10 + 0.07)) < 1e-3)
    #expect(rig.reading("clock.measured") == 120)
  }

  @Test func anArpeggioLiesOnTheGridOfTheTimeCode() {
    let rig = ChainRig([.clock, .arpeggiator])
    let events =
      [.midi([0x90, 60, 1], at: 0)]
      + TimeCode(rate: 1, seconds: 2).quarterFrames(sets: 40, from: 777)
    let output = rig.run(events, until: 150_000) { 333 }
    // Second 2 is at frame 777; at 120 beats a minute a sixteenth has 6000 frames.
    let locked: FrameTime = 777 + 7 * 480
    let starts = output.filter {
      if case .midi(let bytes, let frame) = $0 { bytes[0] == 0x90 && frame > locked } else { false }
    }
    #expect(starts.count == 24)
    for (index, start) in starts.enumerated() {
      #expect(abs(start.frame - 777 - 6000 * FrameTime(index + 1)) <= 1)
    }
  }

  @Test func aJumpIsFollowedOnceItIsStated() {
    let rig = rig()
    _ = position(after: TimeCode(rate: 1, seconds: 5).quarterFrames(sets: 10, from: 0), rig)
    let events = TimeCode(rate: 1, minutes: 3).quarterFrames(sets: 2, from: 80 * 480)
    #expect(abs(position(after: events, rig) - 180 - 15.0 / 100) < 1e-3)
  }

  /// A jump between two sets leaves no gap in the quarter frames; only the stated time shows it.
  @Test(arguments: [2, 30]) func stepsLieOnTheGridOfTheTimeThatIsJumpedTo(seconds: Int) {
    let rig = ChainRig([.clock, .arpeggiator])
    let jump: FrameTime = 777 + 10 * 3840
    let events =
      [.midi([0x90, 60, 1], at: 0)]
      + TimeCode(rate: 1, seconds: 10).quarterFrames(sets: 10, from: 777)
      + TimeCode(rate: 1, seconds: seconds, frames: 3).quarterFrames(sets: 20, from: Double(jump))
    let output = rig.run(events, until: jump + 20 * 3840) { 333 }
    // The jump is known with the eighth quarter frame. The time at the jump is `seconds` plus 0.12
    // seconds. At 120 beats a minute a sixteenth takes an eighth of a second.
    let known = jump + 7 * 480
    let starts = output.compactMap { event -> FrameTime? in
      guard case .midi(let bytes, let frame) = event, bytes[0] == 0x90 else { return nil }
      return frame > known ? frame : nil
    }
    #expect(starts.count == 12)
    for (index, start) in starts.enumerated() {
      #expect(abs(start - (jump - 5760 + 6000 * FrameTime(index + 2))) <= 1)
    }
  }

  @Test func aFullMessageEndsTheRunAndTheNextTimeIsTaken() {
    let rig = rig()
    _ = position(after: TimeCode(rate: 1, seconds: 5).quarterFrames(sets: 10, from: 0), rig)
    let there = TimeCode(rate: 1, hours: 2)
    let full: TestEvent = .sysex(there.fullMessage, at: 80 * 480)
    #expect(rig.process([full]) == [full])
    let events = there.quarterFrames(sets: 1, from: 100 * 480)
    #expect(abs(position(after: events, rig) - 7200 - 7.0 / 100) < 1e-3)
  }

  @Test func backwardsNothingIsPositionedAndForwardsAgainItIs() {
    let rig = ChainRig([.clock, .arpeggiator])
    rig.setNow("clock.source", 3)
    var back = TimeCode(rate: 1, seconds: 20).quarterFrames(sets: 10, from: 0)
    let frames = back.map(\.frame)
    back = zip(back.reversed(), frames).map { event, frame in
      guard case .midi(let bytes, _) = event else { return event }
      return .midi(bytes, at: frame)
    }
    let forwards = TimeCode(rate: 1, seconds: 20).quarterFrames(sets: 10, from: 80 * 480)
    // An arpeggio begins on the frame of its key while the tape runs backwards.
    let key: TestEvent = .midi([0x90, 60, 1], at: 20_123)
    let output = rig.run(
      (back + forwards + [key]).sorted { $0.frame < $1.frame }, until: 160 * 480, period: { 99 })
    let starts = output.filter {
      if case .midi(let bytes, _) = $0 { bytes[0] == 0x90 } else { false }
    }.map(\.frame)
    #expect(starts.first == 20_123)
    let onGrid = starts.filter { $0 > 88 * 480 }
    #expect(onGrid.count == 6)
    for frame in onGrid { #expect((frame - 80 * 480) % 6000 <= 1) }
  }

  @Test func aTapesSpeedIsTheTempos() {
    let rig = rig(tempo: 100)
    _ = position(
      after: TimeCode(rate: 3).quarterFrames(sets: 40, from: 0, speed: 1.04), rig)
    #expect(abs(rig.reading("clock.measured") / 104 - 1) < 0.001)
  }

  @Test func aTenthOfASecondWithoutTimeCodeIsItsEnd() {
    let rig = ChainRig([.clock, .arpeggiator])
    rig.setNow("clock.source", 3)
    let events = TimeCode(rate: 1, seconds: 20).quarterFrames(sets: 5, from: 0)
    let last = events.last!.frame
    let key: TestEvent = .midi([0x90, 60, 1], at: last + 5001)
    let output = rig.run(events + [key], until: last + 6000) { 64 }
    #expect(output.contains(.midi([0x90, 60, 1], at: last + 5001)))
  }
}
