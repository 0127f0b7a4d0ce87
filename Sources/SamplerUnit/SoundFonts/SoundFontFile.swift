// Checks the structure of a SoundFont file before FluidSynth reads it.

import Foundation

/// The structure of a SoundFont file, checked: chunks of the sizes that the file says, records that
/// point to records that exist.
///
/// SoundFont technical specification 2.04, sections 4 to 7. FluidSynth's own checks stay; these say what
/// is wrong in plain words, and keep everything else away from its loaders for other kinds of files.
struct SoundFontFile {
  /// The longest release of a volume envelope, in seconds; 0.001 if none is given.
  let longestReleaseSeconds: Double
  /// How many modulators of its own a voice has at most.
  let mostModulators: Int

  /// Reads and checks a file.
  ///
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: O(records); samples are not read.
  init(_ url: URL) throws(SoundFontError) {
    let path = url.path
    var isDirectory: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else {
      throw .missing(path: path)
    }
    guard !isDirectory.boolValue else { throw .notASoundFont(path: path) }
    let data: Data
    do { data = try Data(contentsOf: url, options: .alwaysMapped) } catch {
      throw .unreadable(path: path, reason: error.localizedDescription)
    }
    self = try data.withUnsafeBytes { bytes in
      Result { () throws(SoundFontError) in try SoundFontFile(bytes, path: path) }
    }.get()
  }

  private init(_ bytes: UnsafeRawBufferPointer, path: String) throws(SoundFontError) {
    let whole = RIFFReader(bytes, path: path)
    guard bytes.count >= 12, whole.text(at: 0) == "RIFF", whole.text(at: 8) == "sfbk" else {
      throw .notASoundFont(path: path)
    }
    let size = Int(whole.word32(at: 4)) + 8
    guard size <= bytes.count else {
      throw .truncated(path: path, bytes: bytes.count, expected: size)
    }
    guard size == bytes.count else {
      throw .damaged(path: path, reason: "\(bytes.count - size) bytes behind its end")
    }
    let lists = try whole.chunks(in: 12..<size)
    let kinds = lists.map { $0.size >= 4 ? whole.text(at: $0.start) : "" }
    guard lists.allSatisfy({ $0.name == "LIST" }), kinds == ["INFO", "sdta", "pdta"] else {
      throw .damaged(path: path, reason: "its lists are not INFO, sdta and pdta")
    }
    try Self.checkInformation(whole, in: lists[0].start + 4..<lists[0].end)
    let sampleChunks = try whole.chunks(in: lists[1].start + 4..<lists[1].end)
    let sampleBytes = sampleChunks.first { $0.name == "smpl" }?.size ?? 0
    let records = try SoundFontRecords(
      whole, chunks: whole.chunks(in: lists[2].start + 4..<lists[2].end))
    try records.check(sampleBytes: sampleBytes)
    longestReleaseSeconds = records.longestReleaseSeconds
    mostModulators = records.mostModulators
  }
}

extension SoundFontFile {
  /// Chunks that the INFO list may have; FluidSynth takes no others.
  private static let information: Set = [
    "ifil", "isng", "INAM", "irom", "iver", "ICRD", "IENG", "IPRD", "ICOP", "ICMT", "ISFT",
  ]

  private static func checkInformation(
    _ reader: RIFFReader, in range: Range<Int>
  ) throws(SoundFontError) {
    for chunk in try reader.chunks(in: range) {
      guard information.contains(chunk.name) else {
        throw .damaged(
          path: reader.path, reason: "its INFO list has an unknown chunk \(chunk.name)")
      }
      let isVersion = chunk.name == "ifil" || chunk.name == "iver"
      let limit = chunk.name == "ICMT" ? 65_536 : 256
      guard isVersion ? chunk.size == 4 : chunk.size <= limit && chunk.size % 2 == 0 else {
        throw .damaged(
          path: reader.path, reason: "its INFO chunk \(chunk.name) has \(chunk.size) bytes")
      }
      if chunk.name == "ifil" {
        let version = reader.word16(at: chunk.start)
        guard version == 2 || version == 3 else {
          throw .damaged(
            path: reader.path, reason: "its format's version is \(version), not 2 or 3")
        }
      }
    }
  }
}
