// `make install`: its files and their use, and their removal by `make uninstall`.

import Foundation
import SessionTestSupport
import TestSupport
import Testing

@Suite(.unwatched) struct InstallTests {
  private static let root = ReadyConfigurations.folder.deletingLastPathComponent()

  private func make(_ target: String, into directory: URL) async throws {
    let make = try #require(installedProgram("make"))
    let child = try ChildProcess(
      make,
      [
        "-C", Self.root.path, target, "DESTDIR=\(directory.path)",
        "BINARY=\(builtProduct("auricle").path)",
      ], environment: ["MAKEFLAGS": nil, "MAKELEVEL": nil])
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  /// The files below a directory, or everything that is below it.
  private func files(below directory: URL, andFolders: Bool = false) -> [String] {
    let all = FileManager.default.enumerator(
      at: directory, includingPropertiesForKeys: [.isDirectoryKey])
    return (all?.compactMap { $0 as? URL } ?? []).filter { andFolders || !$0.hasDirectoryPath }
      .map { String($0.path.dropFirst(directory.path.count)) }.sorted()
  }

  @Test func anInstallationWorksAndCanBeRemoved() async throws {
    let directory = try TemporaryDirectory()
    try await make("install-files", into: directory.url)
    let prefix = directory.url.appendingPathComponent("usr/local")
    let installed = files(below: prefix)
    for file in [
      "/bin/auricle", "/bin/auricle-web", "/share/man/man1/auricle.1",
      "/share/auricle/config/layers.toml",
      "/share/bash-completion/completions/auricle", "/share/zsh/site-functions/_auricle",
      "/share/fish/vendor_completions.d/auricle.fish", "/lib/systemd/user/auricle@.service",
    ] {
      #expect(installed.contains(file), "\(file): \(installed)")
      let size = try FileManager.default.attributesOfItem(atPath: prefix.path + file)[.size] as? Int
      #expect((size ?? 0) > 500, "\(file)")
    }

    // In an empty folder and home, a configuration is found by name: only a server is missing.
    let elsewhere = try TemporaryDirectory()
    for name in ["layers", "layers.toml", nil] {
      let child = try ChildProcess(
        prefix.appendingPathComponent("bin/auricle"),
        ["run"] + (name.map { [$0] } ?? []) + ["--server", absentServer],
        environment: ["HOME": elsewhere.url.path, "XDG_CONFIG_HOME": nil],
        workingDirectory: elsewhere.url)
      #expect(try await child.wait() == .exited(1), "\(child.transcript)")
      #expect(child.standardError.contains("no JACK server"))
    }
    let wrong = try ChildProcess(
      prefix.appendingPathComponent("bin/auricle"), ["run", "layrs"],
      workingDirectory: elsewhere.url)
    #expect(try await wrong.wait() == .exited(2))
    #expect(wrong.standardError.contains("did you mean 'layers'?"), "\(wrong.transcript)")

    let service = try String(
      contentsOf: prefix.appendingPathComponent("lib/systemd/user/auricle@.service"),
      encoding: .utf8)
    #expect(service.contains("\nExecStart=/usr/local/bin/auricle run "), "\(service)")

    // A second installation into the same folders changes nothing about their removal.
    try await make("install-files", into: directory.url)
    try await make("uninstall", into: directory.url)
    #expect(files(below: directory.url, andFolders: true).isEmpty)
  }

  @Test func foldersOfOthersStay() async throws {
    let directory = try TemporaryDirectory()
    let before = try directory.write("", to: "usr/local/share/man/man1/other.1")
    try FileManager.default.createDirectory(
      at: directory.file("usr/local/lib"), withIntermediateDirectories: false)
    try await make("install-files", into: directory.url)
    let later = try directory.write("", to: "usr/local/share/zsh/site-functions/_other")
    try await make("uninstall", into: directory.url)
    let rest = files(below: directory.url)
    #expect(rest == [before, later].map { String($0.path.dropFirst(directory.url.path.count)) })
    let all = files(below: directory.url, andFolders: true)
    #expect(all.contains("/usr/local/lib") && !all.contains("/usr/local/bin"), "\(all)")
  }

  @Test func theManualHasEveryCommandAndOption() async throws {
    let (status, child) = try await auricle(["manual"])
    #expect(status == .exited(0))
    let page = child.standardOutput.replacingOccurrences(of: "\\-", with: "-")
    for command in ["run", "play", "top", "bounce", "units", "soundfont", "probe", "doctor"] {
      let (_, help) = try await auricle([command, "--help"])
      #expect(page.contains(".SS auricle \(command)"))
      let options = help.standardOutput.matches(of: /^  (--[a-z-]+)/.anchorsMatchLineEndings())
      for option in options { #expect(page.contains("\(option.output.1)"), "\(option.output.1)") }
    }
  }
}
