// Bounces of damaged files: they end within their limit, and the output is complete or absent.

import BuiltInUnits
import Foundation
import MediaFiles
import SessionModel
import TestSupport
import Testing
import Tools

@Suite struct BouncePropertyTests {
  static let configuration = """
    [[unit]]
    id = "piano"
    component = "sampler"
    soundfont = "a.sf2"
    parameters = { synths = 2 }

    [[unit]]
    id = "lowpass"
    component = "filter"
    """

  @Test(arguments: ["in.wav", "in.flac", "in.ogg", "song.mid"])
  func damagedFilesAreRenderedOrRefused(_ name: String) async throws {
    let rig = try BounceRig(Self.configuration)
    try SoundFontMaker(presets: [.init(name: "Click", zones: [.init(sample: .click())])])
      .write(to: rig.folder.file("a.sf2"))
    if name == "song.mid" { try rig.song() } else { try rig.noise(name, frames: 5000) }
    let file = rig.folder.file(name)
    let sound = [UInt8](try Data(contentsOf: file))
    let plan = try await SessionBuilder(registry: try BuiltInComponents.makeRegistry())
      .build(contentsOf: rig.folder.file("session.toml"))
    let output = rig.folder.file("out.flac")
    let isSong = name == "song.mid"
    let options = BounceOptions(
      midi: isSong ? file : nil, output: output, input: isSong ? nil : file, sampleRate: 48000,
      tailSeconds: 0.01, maximumSeconds: 2)
    var random = SeededRandom(seed: 17)
    let rounds = ProcessInfo.processInfo.environment["AURICLE_MUTATIONS"].flatMap(Int.init) ?? 1
    var rendered = 0
    for round in 0..<60 * rounds {
      // Mostly the header: the rest is audio.
      let head = round % 3 == 0 ? sound.count : min(120, sound.count)
      try Data(mutate(Array(sound[..<head]), using: &random) + sound[head...]).write(to: file)
      try? FileManager.default.removeItem(at: output)
      do throws(BounceError) {
        let result = try Bounce(plan, options).run()
        rendered += 1
        #expect(result.frames <= 2 * 48000)
        let written = try? AudioFileReader(contentsOf: output)
        #expect(written?.frameCount == result.frames)
      } catch {
        #expect(!FileManager.default.fileExists(atPath: output.path))
        #expect(error.description.contains(name), "\(error)")
      }
      let parts = try rig.parts
      #expect(parts.isEmpty)
    }
    #expect(rendered > 0)
  }
}
