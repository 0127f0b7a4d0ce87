// Rendered and free synths of a pool.

import Testing

@testable import FluidSynthPool

@Suite struct FreeSynthTests {
  @Test func asFewSynthsAsNeededAreRendered() async throws {
    let rig = try BarePool()
    defer { rig.deallocate() }
    func play(_ key: Int, thenRender frames: Int) {
      #expect(rig.noteOn(key))
      _ = rig.render(frames)
    }
    #expect(rig.soundingCount == 0)
    play(60, thenRender: 64)
    play(62, thenRender: 640)
    #expect(rig.soundingCount == 1)
    play(64, thenRender: 10)
    play(65, thenRender: 10)
    play(66, thenRender: 44)
    play(67, thenRender: 20)
    #expect(rig.soundingCount == 3)
    for key in 60..<68 { rig.noteOff(key) }
    _ = rig.render(4096)
    _ = rig.render(4096)
    #expect(rig.soundingCount == 0)
  }

  @Test func aSynthIsFreeAtTheSameFrameAtAnyPeriod() async throws {
    /// Returns the first end of a call, counted from the note-off, at which no synth sounds.
    func framesUntilFree(period: Int) throws -> Int {
      let rig = try BarePool()
      defer { rig.deallocate() }
      #expect(rig.noteOn(60))
      _ = rig.render(1000)
      rig.noteOff(60)
      var frames = 0
      while rig.soundingCount > 0 && frames < 48_000 {
        _ = rig.render(period)
        frames += period
      }
      return frames
    }
    let least = try framesUntilFree(period: 1)
    #expect((1..<48_000).contains(least))
    for period in [10, 63, 64, 100, 128, 333, 1000] {
      #expect(
        try framesUntilFree(period: period) == (least + period - 1) / period * period,
        "period \(period)")
    }
  }

  @Test(arguments: [false, true])
  func aPoolWhoseVoicesWereEndedPlaysTheNextNoteOnItsFrame(isSeparated: Bool) async throws {
    let rig = try BarePool(isSeparated: isSeparated)
    defer { rig.deallocate() }
    #expect(rig.noteOn(60))
    _ = rig.render(10)
    rig.pool.handle.pointee.endVoices(rig.scratch)
    #expect(rig.soundingCount == 0)
    #expect(rig.render(100).allSatisfy { $0 == 0 })
    #expect(rig.noteOn(60))
    #expect(rig.render(10)[1...].allSatisfy { $0 != 0 })
  }
}
