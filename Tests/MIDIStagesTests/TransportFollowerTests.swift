// Steps lie on the grid of the transport's master, at any change of tempo, and not before its
// start.

import MIDIStages
import Realtime
import Testing
import UnitRender

@Suite struct TransportFollowerTests {
  static let sampleRate = 48_000.0
  static let ticks = 1920.0

  /// The context stated by a master with a song's tempo and position, at a frame.
  func context(_ frame: FrameTime, tempo: Double, beat: Double) -> MusicalContext {
    var context = MusicalContext()
    context.valid = UInt32(
      kMusicalContextTempo | kMusicalContextBeatPosition | kTransportPosition)
    context.transportFlags = UInt32(kTransportMoving) | (frame == 0 ? 1 : 0)
    context.tempo = tempo
    context.samplePosition = Double(frame)
    context.beatPosition = (beat * Self.ticks).rounded(.down) / Self.ticks
    context.beatResolution = 1 / Self.ticks
    return context
  }

  /// The frames of an arpeggio's sixteenths.
  func steps(
    until end: FrameTime, period: Int, _ context: (FrameTime) -> MusicalContext
  ) -> [FrameTime] {
    let rig = ChainRig([.arpeggiator])
    return rig.run(
      [.midi([0x90, 60, 100], at: 0)], until: end, period: { period }, context: context
    )
    .compactMap { event in
      if case .midi(let bytes, let frame) = event, bytes[0] == 0x90 { frame } else { nil }
    }
  }

  @Test(arguments: [64, 256, 1000, 1024])
  func aTempoThatChangesWithinACycleLeavesNoErrorBehind(period: Int) {
    let change: FrameTime = 10_411
    // The error is less than a beat, but more than that of a period.
    for tempo in [121.0, 126, 180, 60] {
      let beat = { (frame: FrameTime) -> Double in
        let slow = Double(min(frame, change)) * 120 / (60 * Self.sampleRate)
        return slow + Double(max(0, frame - change)) * tempo / (60 * Self.sampleRate)
      }
      let steps = steps(until: 200_000, period: period) {
        context($0, tempo: $0 < change ? 120 : tempo, beat: beat($0))
      }
      let tick = 60 * Self.sampleRate / tempo / Self.ticks
      let corrected = change + FrameTime(period)
      for (step, frame) in steps.enumerated() where frame >= corrected {
        let exact =
          Double(change) + (Double(step) / 4 - beat(change)) * 60 * Self.sampleRate / tempo
        #expect(abs(Double(frame) - exact) <= tick + 1, "step \(step) at \(frame), not \(exact)")
      }
      #expect(steps.count > 15)
    }
  }

  @Test(arguments: [64, 1024]) func stepsFollowARamp(period: Int) {
    // From 170 to 180 beats a minute in four seconds, changed with each cycle.
    let length = 192_000.0
    let tempo = { (frame: FrameTime) in 170 + 10 * min(Double(frame), length) / length }
    let beat = { (frame: FrameTime) -> Double in
      let at = Double(frame)
      return (170 * at + 5 * at * at / length) / (60 * Self.sampleRate)
    }
    let steps = steps(until: 190_000, period: period) {
      context($0, tempo: tempo($0), beat: beat($0))
    }
    for (step, frame) in steps.enumerated() {
      // A tick has less than 9 frames, and the tempo of a cycle's first frame counts for all of it.
      #expect(abs(beat(frame) - Double(step) / 4) * 60 * Self.sampleRate / 170 <= 11)
    }
    #expect(steps.count == Int(beat(189_999) * 4) + 1)
  }

  @Test func whileTheTransportWaitsToStartNoStepIsPlayed() {
    let start: FrameTime = 20_480
    let steps = steps(until: 60_000, period: 1024) { frame in
      var context = context(
        frame, tempo: 120, beat: 2 + Double(max(0, frame - start)) * 120 / (60 * Self.sampleRate))
      context.samplePosition = 48_000 + Double(max(0, frame - start))
      if frame < start {
        context.transportFlags = UInt32(kTransportStarting) | (frame == 0 ? 1 : 0)
      }
      if frame == start { context.transportFlags |= 1 }
      return context
    }
    #expect(steps == (0...6).map { start + 6000 * $0 })
  }

  @Test func aStoppedTransportLetsStepsRunByThemselves() {
    let steps = steps(until: 20_000, period: 1000) { _ in MusicalContext() }
    #expect(steps == [0, 6000, 12_000, 18_000])
  }
}
