// The file by which a user's programs find the running server.

import ControlSocket
import Files
import Glibc

/// The file with the secret and the address of a user's running server, in the folder of the
/// sessions. Only its user may read it. It is locked while the server runs.
final class AccessFile: Sendable {
  private let descriptor: Int32
  private let path: String

  private static func path(in folder: ControlFolder) -> String { folder.path + "/web.key" }

  /// Makes the file and locks it.
  ///
  /// - Throws: `WebServerError.isRunning`, `file`, `folder`.
  init(in folder: ControlFolder) throws(WebServerError) {
    path = Self.path(in: folder)
    do throws(ControlError) { try folder.make() } catch { throw .folder(error) }
    descriptor = try Self.lock(path, in: folder)
    guard fchmod(descriptor, 0o600) == 0 else {
      let reason = "\(SystemError.last)"
      close(descriptor)
      throw .file(path: path, reason: reason)
    }
  }

  deinit { close(descriptor) }

  private static func lock(
    _ path: String, in folder: ControlFolder
  ) throws(WebServerError) -> Int32 {
    while true {
      let file: Int32
      do throws(SystemError) {
        file = try FileOpening.open(path, O_RDWR | O_CREAT | O_NOFOLLOW, mode: 0o600)
      } catch { throw .file(path: path, reason: "\(error)") }
      if flock(file, LOCK_EX | LOCK_NB) != 0 {
        close(file)
        throw .isRunning(read(in: folder)?.address ?? path)
      }
      var (own, current) = (stat(), stat())
      // A server that ended meanwhile has removed its file: nobody would find this one by it.
      if fstat(file, &own) == 0, lstat(path, &current) == 0, own.st_ino == current.st_ino,
        own.st_dev == current.st_dev
      {
        return file
      }
      close(file)
    }
  }

  /// Writes the secret and the address, which begins with `http://` and has no path.
  /// - Throws: `WebServerError.file`
  func write(_ key: AccessKey, address: String) throws(WebServerError) {
    let text = Array("\(address)\n\(key.hexadecimal)\n".utf8)
    guard ftruncate(descriptor, 0) == 0,
      text.withUnsafeBytes({ pwrite(descriptor, $0.baseAddress, $0.count, 0) }) == text.count
    else { throw .file(path: path, reason: "\(SystemError.last)") }
  }

  /// Removes the file while it is still locked.
  func remove() { unlink(path) }

  /// Reads the file of a running server; nil if none runs.
  static func read(in folder: ControlFolder) -> (address: String, key: AccessKey)? {
    guard let file = try? FileOpening.open(path(in: folder), O_RDONLY | O_NOFOLLOW) else {
      return nil
    }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0, status.st_uid == geteuid(), status.st_mode & 0o077 == 0,
      // Nobody holds the lock: the remains of a server that was killed.
      flock(file, LOCK_SH | LOCK_NB) != 0
    else { return nil }
    var bytes = [UInt8](repeating: 0, count: 1024)
    let count = Glibc.read(file, &bytes, bytes.count)
    guard count > 0 else { return nil }
    let lines = String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n")
    guard lines.count == 2, let key = AccessKey(hexadecimal: lines[1]) else { return nil }
    return (String(lines[0]), key)
  }
}
