// Lookup of configurations by name.

import Foundation
import TestSupport
import Testing

@testable import Configuration

@Suite struct ConfigurationLocatorTests {
  private func locator(_ directory: TemporaryDirectory) -> ConfigurationLocator {
    ConfigurationLocator(
      environment: [
        "XDG_CONFIG_HOME": directory.file("user").path,
        "XDG_CONFIG_DIRS": "relative:\(directory.file("system").path)",
      ], program: directory.file("prefix/bin/auricle"))
  }

  private func put(_ path: String, in directory: TemporaryDirectory) throws -> String {
    let file = directory.file(path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("x".utf8).write(to: file)
    return file.path
  }

  @Test func theUsersGoBeforeTheSystemsAndThoseBeforeTheInstalled() throws {
    let directory = try TemporaryDirectory()
    for path in [
      "prefix/share/auricle/config/my-own.toml", "system/auricle/my-own.toml",
      "user/auricle/my-own.toml",
    ] {
      let file = try put(path, in: directory)
      #expect(try locator(directory).locate("my-own").path == file)
      #expect(try locator(directory).locate("my-own.toml").path == file)
    }
  }

  @Test func aNameWithASlashIsAPath() throws {
    let directory = try TemporaryDirectory()
    _ = try put("user/auricle/my-own.toml", in: directory)
    #expect(try locator(directory).locate("./my-own").relativePath == "./my-own")
  }

  @Test func upperAndLowerCaseAreTheSame() throws {
    let directory = try TemporaryDirectory()
    let file = try put("user/auricle/My-Own.toml", in: directory)
    let other = try put("user/auricle/my-stage.toml", in: directory)
    #expect(try locator(directory).locate("my-own").path == file)
    #expect(try locator(directory).locate("MY-STAGE").path == other)
  }

  @Test func anUnknownNameIsRefusedWithTheNearestAndAll() throws {
    let directory = try TemporaryDirectory()
    _ = try put("user/auricle/my-own.toml", in: directory)
    #expect {
      try locator(directory).locate("my-onw")
    } throws: { error in
      "\(error)".contains("did you mean 'my-own'?") && "\(error)".contains("a file, ")
    }
  }
}
