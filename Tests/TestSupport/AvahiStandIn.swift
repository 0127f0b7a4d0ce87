// A stand-in for `avahi-publish`.

import Foundation

/// A program of that name that runs until it is ended, and notes its arguments.
public struct AvahiStandIn {
  /// The program's file.
  public let program: URL
  private let log: URL

  public init(in directory: TemporaryDirectory) throws {
    log = directory.url.appendingPathComponent("published")
    program = try directory.write(
      "#!/bin/sh\necho \"$$ $*\" >>'\(log.path)'\nexec sleep 1000\n", to: "avahi/avahi-publish")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: program.path)
  }

  /// The arguments of each one that runs.
  public var published: [String] {
    let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
    let lines = text.split(separator: "\n").map { $0.split(separator: " ") }
    return lines.filter { $0.first.flatMap { pid_t($0) }.map(isAlive) ?? false }
      .map { $0.dropFirst().joined(separator: " ") }.sorted()
  }
}
