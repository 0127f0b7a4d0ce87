// Files written as a whole or not at all, and removal of files left by dead processes.
import Files
import Foundation
import TestSupport
import Testing

struct TemporaryFileTests {
  let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted() }
  }

  @Test func theOldFileStaysUntilTheNewOneIsWhole() throws {
    let target = try folder.write("old", to: "target")
    let file = try TemporaryFile(for: target.path)
    #expect(write(file.descriptor, "new", 3) == 3)
    #expect(try String(contentsOf: target, encoding: .utf8) == "old")
    try file.commit()
    #expect(try String(contentsOf: target, encoding: .utf8) == "new")
    #expect(try names == ["target"])
  }

  @Test func aFileThatIsLetGoLeavesNothing() throws {
    for commits in [false, true] {
      do {
        let file = try TemporaryFile(for: folder.file("target").path)
        if commits { file.discard() }
      }
      #expect(try names.isEmpty)
    }
  }

  @Test func filesOfDeadProcessesAreRemovedAndThoseOfLivingOnesStay() throws {
    _ = try folder.write("half", to: ".auricle-1-dead.part")
    for name in [".auricle", ".auricle-1", "auricle-1.part", ".other.part"] {
      _ = try folder.write("foreign", to: name)
    }
    let living = try TemporaryFile(for: folder.file("one").path)
    let other = try TemporaryFile(for: folder.file("two").path)
    let hidden = [living, other].map { URL(fileURLWithPath: $0.path).lastPathComponent }
    #expect(
      try names == ([".auricle", ".auricle-1", "auricle-1.part", ".other.part"] + hidden).sorted())
    try other.commit()
    try living.commit()
  }

  /// A target that cannot be written is refused before anything is written.
  @Test(arguments: [
    ("none/target", ENOENT), (String(repeating: "n", count: 256), ENAMETOOLONG), ("folder", EISDIR),
    ("file/target", ENOTDIR), ("pipe", EINVAL),
  ])
  func unwritableTargetsAreRefused(name: String, number: Int32) throws {
    _ = try folder.write("file", to: "file")
    _ = try folder.write("", to: "folder/file")
    _ = try folder.makePipe()
    let before = try names
    let error = try #require(throws: SystemError.self) {
      try TemporaryFile(for: folder.file(name).path)
    }
    #expect(error.number == number, "\(error)")
    #expect(try names == before)
  }

  @Test func permissionsOfTheFormerFileStay() throws {
    let target = try folder.write("old", to: "target")
    chmod(target.path, 0o600)
    try TemporaryFile(for: target.path).commit()
    var status = stat()
    #expect(stat(target.path, &status) == 0 && status.st_mode & 0o777 == 0o600)
  }
}
