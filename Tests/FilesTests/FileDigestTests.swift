// Checksums that identify files.
import Files
import Foundation
import TestSupport
import Testing

struct FileDigestTests {
  /// The examples of FIPS 180-4, and lengths around block boundaries, with the sums of `sha256sum`.
  @Test(arguments: [
    ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
    ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
    (
      "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
      "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
    ),
    (
      String(repeating: "a", count: 64),
      "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"
    ),
    (
      String(repeating: "a", count: 1_000_000),
      "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
    ),
  ])
  func sumsAreThoseOfOtherPrograms(text: String, sum: String) throws {
    #expect(SHA256.hexadecimal(text.utf8) == sum)
    let folder = try TemporaryDirectory()
    let file = try folder.write(text, to: "file")
    let digest = try FileDigest(path: file.path)
    #expect(digest.size == text.utf8.count && digest.sha256 == sum)
    // However the input is divided.
    var parts = SHA256()
    var rest = Array(text.utf8)[...]
    var random = SeededRandom(seed: 1)
    while !rest.isEmpty {
      let part = rest.prefix(Int.random(in: 1...50_000, using: &random))
      parts.update(Array(part))
      rest = rest.dropFirst(part.count)
    }
    #expect(parts.finish() == sum)
  }

  @Test func aFileThatWasWrittenAgainHasAnotherSum() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write("one", to: "file")
    let first = try FileDigest(path: file.path)
    #expect(try FileDigest(path: file.path) == first)
    _ = try folder.write("two", to: "file")
    #expect(try FileDigest(path: file.path).sha256 == SHA256.hexadecimal("two".utf8))
    // Files old enough for their sums to be kept.
    for (text, second) in [("one", 1000), ("two", 2000)] {
      _ = try folder.write(text, to: "file")
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: TimeInterval(second))],
        ofItemAtPath: file.path)
      for _ in 0..<2 {
        #expect(try FileDigest(path: file.path).sha256 == SHA256.hexadecimal(text.utf8))
      }
    }
    #expect(throws: SystemError.self) { try FileDigest(path: folder.url.path) }
    #expect(throws: SystemError.self) { try FileDigest(path: folder.file("none").path) }
  }
}
