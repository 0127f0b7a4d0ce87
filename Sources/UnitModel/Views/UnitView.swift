// The files of a unit's own view.

import Files
import Glibc

/// A unit's own view: a small page of HTML, style and scripts, shown beside its parameters.
///
/// Hosts show it in a frame of its own, without network and without access to anything but the
/// unit. Its scripts import `./auricle-view.js`, which the host adds.
///
/// AUv3: `AUViewController`.
public struct UnitView: Sendable, Hashable {
  /// The contents of the files by their names. `index.html` is shown.
  public let files: [String: [UInt8]]

  /// The most files, and the most bytes of all of them.
  public static let mostFiles = 64
  public static let mostBytes = 2_000_000
  /// The file that is shown.
  static let firstFile = "index.html"
  /// The file that hosts add.
  static let reservedFile = "auricle-view.js"

  /// Makes a view of files that are part of the program, as `.embedInCode` makes them.
  ///
  /// - Parameter files: contents by names of letters, digits, `.`, `-` and `_`, which begin with a
  ///   letter or a digit; one is `index.html`.
  /// - Throws: `UnitViewError`
  /// - Thread: [control]
  public init(files: [String: [UInt8]]) throws(UnitViewError) {
    if let wrong = files.keys.filter({ !Self.isName($0) }).min() { throw .name(wrong) }
    guard files.count <= Self.mostFiles else { throw .files(files.count) }
    guard files.values.reduce(0, { $0 + $1.count }) <= Self.mostBytes else { throw .bytes }
    guard files[Self.firstFile] != nil else { throw .nothingToShow }
    self.files = files
  }

  /// Reads a view from a folder: all its files, except those whose names begin with a dot.
  ///
  /// - Throws: `UnitViewError`
  /// - Thread: [control]; waits for the disk.
  public init(folder: String) throws(UnitViewError) {
    var files: [String: [UInt8]] = [:]
    var count = 0
    for name in try Self.names(in: folder) {
      guard Self.isName(name) else { throw .name("\(folder)/\(name)") }
      guard files.count < Self.mostFiles else { throw .files(files.count + 1) }
      let path = "\(folder)/\(name)"
      do throws(SystemError) {
        let file = try OpenFile(path, isRegular: true)
        guard let bytes = try file.contents(upTo: Self.mostBytes - count) else {
          throw SystemError(number: EFBIG)
        }
        count += bytes.count
        files[name] = bytes
      } catch {
        throw error.number == EFBIG ? .bytes : .file(path: path, reason: "\(error)")
      }
    }
    try self.init(files: files)
  }

  private static func names(in folder: String) throws(UnitViewError) -> [String] {
    guard let directory = opendir(folder) else {
      throw .file(path: folder, reason: "\(SystemError.last)")
    }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
      // More than enough to be refused.
      if names.count > mostFiles { break }
    }
    return names.sorted()
  }

  private static func isName(_ name: String) -> Bool {
    let bytes = Array(name.utf8)
    guard (1...128).contains(bytes.count), name != reservedFile else { return false }
    func isAlphanumeric(_ byte: UInt8) -> Bool {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    return isAlphanumeric(bytes[0])
      && bytes.allSatisfy { isAlphanumeric($0) || ".-_".utf8.contains($0) }
  }
}
