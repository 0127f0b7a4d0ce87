// Reads a whole file of bounded size.
import Foundation

enum FileBytesError: Error {
  case unreadable(reason: String)
  case tooLong
}

enum FileBytes {
  /// All bytes of a file of at most `limit` bytes, in memory that grows with the file.
  static func read(_ path: String, limit: Int) throws(FileBytesError) -> [UInt8] {
    guard let stream = fopen(path, "re") else {
      throw .unreadable(reason: String(cString: strerror(errno)))
    }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    let block = 1 << 16
    while true {
      let piece = [UInt8](unsafeUninitializedCapacity: block) { buffer, count in
        count = fread(buffer.baseAddress, 1, block, stream)
      }
      if ferror(stream) != 0 { throw .unreadable(reason: String(cString: strerror(errno))) }
      bytes += piece
      if bytes.count > limit { throw .tooLong }
      if piece.count < block { return bytes }
    }
  }
}
