// The lines logged while SoundFonts are loaded.

import BuiltInUnits
import Foundation
import SessionModel
import Synchronization
import TestSupport
import Testing

@Suite struct LoadingReportTests {
  /// Returns the lines for parts of files, reported at the given times.
  func lines(_ parts: [(file: String, milliseconds: Int, part: Double)]) -> [String] {
    let lines = Mutex<[String]>([])
    let report = LoadingReport { line in lines.withLock { $0.append(line) } }
    let start = ContinuousClock.now
    for (file, milliseconds, part) in parts {
      report.update(
        URL(fileURLWithPath: "/fonts/\(file)"), part, at: start + .milliseconds(milliseconds))
    }
    return lines.withLock { $0 }
  }

  @Test func filesThatLoadQuicklyPassWithoutAWord() {
    #expect(lines([("a.sf2", 0, 0.1), ("a.sf2", 499, 1), ("b.sf2", 500, 0.1)]) == [])
  }

  @Test func slowOnesSayHowFarTheyAreEachHalfSecond() {
    let told = lines([
      ("a.sf2", 0, 0.1), ("a.sf2", 500, 0.4), ("a.sf2", 600, 0.5), ("a.sf2", 1100, 0.999),
      ("a.sf2", 1200, 1), ("b.sf2", 1300, 0.5), ("b.sf2", 2000, 1),
    ])
    #expect(
      told == [
        "loading a.sf2: 40 %", "loading a.sf2: 99 %", "loaded a.sf2 in 1.2 s",
        "loaded b.sf2 in 0.7 s",
      ])
  }

  /// The builder of a session receives the progress of each file until it is read, once, however
  /// its sounds are chosen.
  @Test func theBuilderOfASessionGetsTheProgressOfItsFiles() async throws {
    let folder = try TemporaryDirectory()
    let names = ["a.sf2", "b.sf2", "c.sf2"]
    let zone = SoundFontMaker.Zone(sample: .constant())
    for name in names {
      try SoundFontMaker(presets: [.init(name: name, zones: [zone])]).write(to: folder.file(name))
    }
    let entry = "[[unit.entry]]\nsound = \"c.sf2\"\n"
    let keys = [
      "", "sound = \"b.sf2\"\n",
      entry + "number = 1\nname = \"A\"\n" + entry + "number = 2\nname = \"B\"\n",
    ]
    let units = zip(names, keys).map {
      "[[unit]]\nid = \"\($0.prefix(1))\"\ncomponent = \"sampler\"\nsoundfont = \"\($0)\"\n" + $1
    }
    let file = try folder.write(units.joined(), to: "session.toml")
    let told = Mutex<[String: [Double]]>([:])
    let builder = SessionBuilder(
      registry: try BuiltInComponents.makeRegistry(),
      loadingProgress: { file, part in
        told.withLock { $0[file.lastPathComponent, default: []].append(part) }
      })
    _ = try await builder.build(contentsOf: file)
    let parts = told.withLock { $0 }
    #expect(parts.keys.sorted() == names)
    for (name, parts) in parts {
      #expect(parts == parts.sorted() && parts.last == 1, "\(name): \(parts)")
      #expect(parts.count { $0 == 1 } == 1, "\(name) was read more than once: \(parts)")
    }
  }
}
