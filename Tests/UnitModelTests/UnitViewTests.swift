// Views of units and their files.

import Foundation
import TestSupport
import Testing
import UnitModel

@Suite struct UnitViewTests {
  private let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private func folder(_ files: [String: Int]) throws -> String {
    let folder = directory.file("view-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, count) in files {
      try Data(count: count).write(to: folder.appendingPathComponent(name))
    }
    return folder.path
  }

  private func error(_ make: () throws -> UnitView) -> String {
    do { return "\(try make().files.keys.sorted())" } catch { return "\(error)" }
  }

  @Test func aFolderIsReadWithoutItsHiddenFiles() throws {
    let folder = try folder(["index.html": 3, "a_1.js": 0, ".gitkeep": 1])
    let view = try UnitView(folder: folder)
    #expect(view.files == ["index.html": [0, 0, 0], "a_1.js": []])
    // The files of now, each time.
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder).appendingPathComponent("b.css"))
    #expect(try UnitView(folder: folder).files["b.css"] == [120])
  }

  @Test func whatIsNoViewIsRefusedWithItsPlace() throws {
    let whole = ["index.html": UnitView.mostBytes]
    #expect(try UnitView(folder: folder(whole)).files.count == 1)
    #expect(
      error { try UnitView(folder: folder(whole.merging(["a": 1]) { $1 })) }
        == "the files of a view have more than 2000000 bytes together")
    #expect(error { try UnitView(folder: folder(["a.js": 1])) }.contains("no file 'index.html'"))
    #expect(error { try UnitView(folder: "/nonexistent") }.hasPrefix("/nonexistent: "))
    let odd = try folder(["index.html": 1, "ä.js": 1])
    #expect(error { try UnitView(folder: odd) }.hasPrefix("'\(odd)/ä.js' is no name"))
    let reserved = try folder(["index.html": 1, "auricle-view.js": 1])
    #expect(error { try UnitView(folder: reserved) }.contains("except auricle-view.js"))
    let many = Dictionary(uniqueKeysWithValues: (0..<64).map { ("f\($0)", 0) })
    #expect(
      error { try UnitView(folder: folder(many.merging(["index.html": 0]) { $1 })) }
        == "65 files in a view; accepted: up to 64")
    let deep = try folder(["index.html": 1])
    try FileManager.default.createDirectory(
      atPath: deep + "/sub", withIntermediateDirectories: true)
    #expect(error { try UnitView(folder: deep) } == "\(deep)/sub: it is a folder")
  }

  /// A pipe that nobody writes to does not hold anybody up.
  @Test func aPipeIsRefusedAtOnce() throws {
    let folder = try folder(["index.html": 1])
    try #require(mkfifo("\(folder)/pipe", 0o600) == 0)
    #expect(error { try UnitView(folder: folder) } == "\(folder)/pipe: it is no regular file")
  }

  @Test func namesAreLettersDigitsDotsAndHyphens() throws {
    for name in [
      "", ".", "..", ".x", "-x", "a/b", "a b", "a\u{0}", "é", String(repeating: "a", count: 129),
    ] {
      #expect(throws: UnitViewError.name(name)) {
        try UnitView(files: ["index.html": [], name: []])
      }
    }
    #expect(try UnitView(files: ["index.html": [], "A-1.b_c": []]).files.count == 2)
  }
}
