// SoundFonts of any size that take no disk space.
import Foundation

extension SoundFontMaker {
  /// Writes the file with silence after its samples, as a hole in the file. Readers have to read it
  /// all.
  ///
  /// - Parameter silentBytes: an even number; the file has to stay below 4 GiB.
  @discardableResult
  public func write(to url: URL, silentBytes: Int) throws -> URL {
    var bytes = Data(self.bytes())
    let sdta = bytes.range(of: Data("sdtasmpl".utf8))!
    // The sizes of the RIFF chunk, of the list and of the samples.
    for place in [4, sdta.lowerBound - 4, sdta.upperBound] {
      bytes.setSize(bytes.size(at: place) + silentBytes, at: place)
    }
    let end = sdta.upperBound + 4 + bytes.size(at: sdta.upperBound) - silentBytes
    try bytes.prefix(end).write(to: url)
    let file = try FileHandle(forWritingTo: url)
    try file.seek(toOffset: UInt64(end + silentBytes))
    try file.write(contentsOf: bytes.suffix(from: end))
    try file.close()
    return url
  }
}

extension Data {
  fileprivate func size(at place: Int) -> Int {
    (0..<4).reduce(0) { $0 | Int(self[place + $1]) << (8 * $1) }
  }

  fileprivate mutating func setSize(_ size: Int, at place: Int) {
    for byte in 0..<4 { self[place + byte] = UInt8(truncatingIfNeeded: size >> (8 * byte)) }
  }
}
