import Foundation
// SoundFonts are found in the usual folders; the error names the searched ones.
import SamplerUnit
import Testing

final class SoundFontLocatorTests {
  let root: URL

  init() throws {
    root = FileManager.default.temporaryDirectory
      .appendingPathComponent("auricle-\(UUID().uuidString)", isDirectory: true)
    for path in ["home/.local/share/soundfonts/a.sf2", "data/sounds/sf3/b.sf3", "conf/c.sf2"] {
      let file = root.appendingPathComponent(path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    try FileManager.default.createDirectory(
      at: root.appendingPathComponent("conf/folder.sf2"), withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  var locator: SoundFontLocator {
    SoundFontLocator(environment: [
      "HOME": root.path + "/home", "XDG_DATA_DIRS": "relative:\(root.path)/data",
    ])
  }

  @Test func everyPlaceIsSearched() throws {
    let configuration = root.appendingPathComponent("conf/session.toml")
    func found(_ name: String) throws -> String {
      try locator.locate(name, beside: configuration).path
    }
    #expect(try found("a.sf2") == root.path + "/home/.local/share/soundfonts/a.sf2")
    #expect(try found("b.sf3") == root.path + "/data/sounds/sf3/b.sf3")
    #expect(try found("c.sf2") == root.path + "/conf/c.sf2")
    #expect(try found("../data/sounds/sf3/b.sf3") == root.path + "/data/sounds/sf3/b.sf3")
    #expect(try found(root.path + "/conf/c.sf2") == root.path + "/conf/c.sf2")
    #expect(
      try found("~/.local/share/soundfonts/a.sf2")
        == root.path + "/home/.local/share/soundfonts/a.sf2")
  }

  @Test func theUsersDataFolderComesFirst() {
    let folders = SoundFontLocator(environment: ["XDG_DATA_HOME": "/x", "HOME": "/h"]).folders
    #expect(folders.first?.path == "/x/soundfonts")
    #expect(folders.contains { $0.path == "/usr/share/sounds/sf2" })
    #expect(folders.contains { $0.path == "/usr/share/soundfonts" })
    #expect(!folders.contains { $0.path.hasPrefix("/h/") })
  }

  @Test func aMissingFileIsReportedWithTheFoldersAndThePackage() throws {
    let empty = SoundFontLocator(environment: [:])
    let error = try #require(throws: SoundFontLocationError.self) {
      try empty.locate("nowhere/TimGM6mb.sf2", beside: root.appendingPathComponent("conf/s.toml"))
    }
    #expect(error.description.contains(root.path + "/conf/nowhere/TimGM6mb.sf2"))
    #expect(error.description.contains("/usr/share/sounds/sf2/nowhere/TimGM6mb.sf2"))
    #expect(error.description.hasSuffix("apt install timgm6mb-soundfont"))
    let folder = try #require(throws: SoundFontLocationError.self) {
      try empty.locate(root.path + "/conf/folder.sf2")
    }
    #expect(folder.searched == [root.path + "/conf/folder.sf2"])
  }
}
