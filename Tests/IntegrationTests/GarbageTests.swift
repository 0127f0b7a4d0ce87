// Damaged configuration files: the command reports the mistake, or continues.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct GarbageTests {
  @Test func mutatedConfigurationsEndWithAMessage() async throws {
    let directory = try TemporaryDirectory()
    var random = SeededRandom(seed: 11)
    let sound = Array(
      Configurations.filter(
        connections: Configurations.connection(from: "lowpass", to: "system:playback_*")
      ).utf8)
    var refused = 0
    for index in 0..<150 {
      let bytes =
        index % 10 == 0
        ? random.bytes(Int.random(in: 0...2000, using: &random))
        : mutate(sound, using: &random, maximumEdits: 1 + index % 4)
      let file = try directory.write(bytes, to: "\(index).toml")
      let (status, child) = try await auricle(["run", file.path, "--server", absentServer])
      // A harmless mutation leaves a configuration that lacks only a server.
      #expect([.exited(1), .exited(2)].contains(status), "mutation \(index): \(child.transcript)")
      #expect(
        child.standardError.contains(status == .exited(2) ? "\(index).toml" : "no JACK server"),
        "mutation \(index): \(child.transcript)")
      if status == .exited(2) { refused += 1 }
    }
    #expect(refused > 50 && refused < 150)
  }
}
