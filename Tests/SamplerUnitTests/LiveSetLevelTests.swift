// Parameters of an entry apply only to its own sound.

import Testing

@testable import SamplerUnit

@Suite struct LiveSetLevelTests {
  @Test(arguments: [false, true])
  func ringingNotesKeepTheirGainPanAndPitch(hasEffects: Bool) async throws {
    var outputs: [(left: [Float], right: [Float])] = []
    for switches in [false, true] {
      let live = try await LiveRig(parameters: [
        1: ["gain": -12, "transpose": 12, "pan": 0], 100: ["gain": 6, "pan": 127],
      ])
      if hasEffects { live.rig["reverb.on"] = 1 }
      live.rig["reverb.level"] = 0
      _ = try live.render(256)
      _ = try live.render(4096, [(0, [0xC0, 0]), (64, [0x90, 60, 127])])
      let changes: [(Int, [UInt8])] = [(100, [0xC0, 1]), (3000, [0xC0, 100]), (5000, [0xC0, 0])]
      outputs.append(try live.render(8192, switches ? changes : [], period: 64))
      if switches { #expect(live.unit.currentEntry?.number == 0 && live.rig["gain"] == 0) }
    }
    #expect(outputs[0].left.max()! > 0.01)
    for (own, other) in zip(outputs[0].left + outputs[0].right, outputs[1].left + outputs[1].right)
    where abs(own - other) > 1e-6 {
      Issue.record("\(own) became \(other)")
      return
    }
  }
}
