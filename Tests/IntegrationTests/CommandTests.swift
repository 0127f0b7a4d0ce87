// The command without a server: usage, configurations, listings, advice.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct CommandTests {
  @Test(arguments: [
    ["nonsense"], ["run", "--nonsense"], ["run", "--start-server", "maybe"],
    ["run", "--osc", "65536"], ["run", "--osc", "x"], ["run", "--client-name", ""],
    ["run", "--client-name", "a:b"],
    ["run", "--client-name", String(repeating: "n", count: 64)],
    ["run", "--client-name", "a\u{1B}[2J"],
    ["run", "--server", ""], ["doctor", "--server", "a/b"], ["doctor", "--server", "a\u{7}"],
    ["run", "--server", String(repeating: "n", count: 64)],
    ["bounce"], ["bounce", "a.toml", "--midi", "a.mid", "--output", "a.wav", "--period", "0"],
    ["units", "nonsense"], ["units", "aufx/none/Aurc"], ["pitches", "--tuning", "399"],
    ["pitches", "--tuning", "nan"],
  ])
  func badUsageIsStatus2(arguments: [String]) async throws {
    let (status, child) = try await auricle(arguments)
    #expect(status == .exited(2))
    #expect(!child.standardError.isEmpty)
    #expect(child.standardOutput.isEmpty)
  }

  @Test(arguments: [
    ("component = \"filtre\"", 3, "filter"),
    ("component = \"filter\"\npreset = \"Cold\"", 4, "Warm"),
    ("component = \"filter\"\nparameters = { cutof = 1 }", 4, "cutoff"),
    ("component = \"filter\"\nparameters = { cutoff = 1.0 }", 4, "12"),
    (
      "component = \"filter\"\n\n[[connect]]\nfrom = \"x:7\"\nto = \"system:playback_*\"", 6,
      "no output bus 7"
    ),
    ("component = \"filter\"\n[[connect]]\nfrom = \"y\"\nto = \"x\"", 5, "x"),
    ("component = \"filter\"\n[[connect]]\nfrom = \"x\"\nto = \"x\"", 4, "circle"),
  ])
  func aBadConfigurationIsStatus2WithFileAndLine(
    unit: String, line: Int, accepted: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("[[unit]]\nid = \"x\"\n\(unit)\n", to: "bad.toml")
    let (status, child) = try await auricle(["run", file.path, "--server", absentServer])
    #expect(status == .exited(2))
    #expect(child.standardError.contains("bad.toml:\(line)"), "\(child.standardError)")
    #expect(child.standardError.contains(accepted), "\(child.standardError)")
  }

  @Test func aMissingConfigurationIsStatus2() async throws {
    let directory = try TemporaryDirectory()
    let (status, child) = try await auricle(["run", directory.file("none.toml").path])
    #expect(status == .exited(2))
    #expect(child.standardError.contains("none.toml"))
  }

  @Test func aSoundFontIsFoundByARelativePathAndListedWithItsWarnings() async throws {
    let directory = try TemporaryDirectory()
    try FileManager.default.createDirectory(
      at: directory.file("fonts"), withIntermediateDirectories: true)
    var font = SoundFontMaker(presets: [
      .init(name: "\u{1B}[1mBold", zones: [.init(sample: .sine())])
    ])
    font.presets[0].zones[0].modulators = [.init(source: 0x81, destination: 99, amount: 1)]
    try font.write(to: directory.file("fonts/mine.sf2"))
    let child = try ChildProcess(
      builtProduct("auricle"), ["soundfont", "fonts/mine.sf2"],
      workingDirectory: directory.url)
    #expect(try await child.wait() == .exited(0))
    #expect(child.standardOutput.hasSuffix("   0       0  \u{FFFD}[1mBold\n"))
    #expect(child.standardError.contains("mine.sf2: instrument "))
    #expect(child.standardError.contains("zone 1: left out a modulator of generator 99"))
  }

  @Test func aSamplerWithoutASoundFontIsReported() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(
      "[[unit]]\nid = \"empty\"\ncomponent = \"sampler\"\n", to: "session.toml")
    let (_, child) = try await auricle(["run", file.path, "--server", absentServer])
    #expect(
      child.standardError.contains("warning: empty: a sampler without a SoundFont is silent"))
  }

  @Test func aWrongSubcommandIsAnsweredWithTheNearestOne() async throws {
    for (words, near) in [
      (["rnu"], "there is no command 'rnu': did you mean 'run'? Accepted: run, new, "),
      (["ctl", "conect", "a", "b"], "there is no command 'conect': did you mean 'connect'?"),
      (["ctl", "xylophone"], "there is no command 'xylophone'; accepted: list, "),
      (["ctl", "together", "panik", ",", "panic"], "'panik': there is no command 'panik'"),
    ] {
      let (status, child) = try await auricle(words)
      #expect(status == .exited(2))
      #expect(child.standardError.contains(near), "\(child.standardError)")
    }
  }

  @Test func subcommandsMayHaveUpperCase() async throws {
    let (status, child) = try await auricle(["Units", "filter"])
    #expect(status == .exited(0))
    #expect(child.standardOutput.contains("cutoff"))
  }

  @Test func withoutAServerItSaysHowToStartOne() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let (status, child) = try await auricle([
      "run", file.path, "--server", absentServer, "--start-server", "never",
    ])
    #expect(status == .exited(1))
    #expect(child.standardOutput.isEmpty)
    for remedy in [absentServer, "jackd -n \(absentServer) -d", "--start-server dummy"] {
      #expect(child.standardError.contains(remedy), "\(child.standardError)")
    }
  }

  @Test func withPipeWireItSaysTheCommandForIt() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let descriptor = try listen(at: directory.file("pipewire-0").path)
    defer { close(descriptor) }
    let environment = [
      "XDG_RUNTIME_DIR": directory.url.path, "JACK_DEFAULT_SERVER": absentServer,
      "PATH": directory.url.path,
    ]
    let (status, child) = try await auricle(["run", file.path], environment: environment)
    #expect(status == .exited(1))
    #expect(child.standardError.contains("pw-jack auricle"), "\(child.standardError)")
    let (_, doctor) = try await auricle(["doctor"], environment: environment)
    #expect(doctor.standardOutput.contains("pw-jack auricle"), "\(doctor.transcript)")
    // A server that is named is jackd's.
    let (_, named) = try await auricle(
      ["run", file.path, "--server", absentServer], environment: environment)
    #expect(!named.standardError.contains("pw-jack auricle"), "\(named.standardError)")
  }

  @Test func withPipeWireItRestartsOnce() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let descriptor = try listen(at: directory.file("pipewire-0").path)
    defer { close(descriptor) }
    let script = "#!/bin/sh\necho \"$NOTIFY_SOCKET again: $*\"\nexec \"$@\"\n"
    let tool = try directory.write(script, to: "pw-jack")
    chmod(tool.path, 0o755)
    let environment = [
      "XDG_RUNTIME_DIR": directory.url.path, "JACK_DEFAULT_SERVER": absentServer,
      // The service manager waits for the program that replaces this one.
      "PATH": directory.url.path, "NOTIFY_SOCKET": "@manager",
    ]
    let program = try builtProduct("auricle").resolvingSymlinksInPath().path
    let sound = directory.file("sound.wav").path
    for words in [["run", file.path], ["record", sound], ["play", sound]] {
      let (status, child) = try await auricle(words, environment: environment)
      #expect(status != .exited(0))
      let again = "@manager again: \(program) \(words.joined(separator: " "))\n"
      #expect(child.standardOutput == again, "\(child.transcript)")
      #expect(child.standardError.contains("PipeWire does: restarting by pw-jack"))
    }
    for more in [["--server", absentServer], ["--start-server", "dummy"]] {
      let (_, other) = try await auricle(["run", file.path] + more, environment: environment)
      #expect(other.standardOutput.isEmpty, "\(other.transcript)")
    }
  }

  /// Returns a socket that listens at a path.
  private func listen(at path: String) throws -> Int32 {
    let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let status = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    try #require(status == 0 && Glibc.listen(descriptor, 1) == 0)
    return descriptor
  }

  @Test func aDummyServerNeedsJackd() async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let (status, child) = try await auricle(
      ["run", file.path, "--server", absentServer, "--start-server", "dummy"],
      environment: ["PATH": directory.url.path])
    #expect(status == .exited(1))
    #expect(child.standardError.contains("jackd2"), "\(child.standardError)")
  }

  @Test func unitsAreListedForPeopleAndForPrograms() async throws {
    let directory = try TemporaryDirectory()
    let environment = ["XDG_DATA_HOME": directory.url.path]
    let (status, list) = try await auricle(["units"], environment: environment)
    #expect(status == .exited(0))
    #expect(list.standardOutput.contains("filter  aufx/lpas/Aurc"))

    let (_, all) = try await auricle(["units", "--json"], environment: environment)
    let units = try JSONSerialization.jsonObject(with: Data(all.standardOutput.utf8))
    let names = (units as? [[String: Any]])?.compactMap { $0["shortName"] as? String }
    #expect(names?.contains("filter") == true)

    let (_, one) = try await auricle(["units", "filter", "--json"], environment: environment)
    let unit =
      try JSONSerialization.jsonObject(with: Data(one.standardOutput.utf8)) as? [String: Any]
    let parameters = unit?["parameters"] as? [[String: Any]]
    #expect(parameters?.compactMap { $0["keyPath"] as? String } == ["cutoff", "resonance"])
    #expect((parameters?.first?["minimum"] as? Double) == 12)
    #expect((unit?["presets"] as? [[String: Any]])?.count == 3)
    #expect((unit?["outputs"] as? [[String: Any]])?.count == 1)
  }

  @Test func unitsAreFoundByTagsAndByPatterns() async throws {
    let directory = try TemporaryDirectory()
    func names(_ arguments: String...) async throws -> [String] {
      let (status, child) = try await auricle(
        ["units"] + arguments, environment: ["XDG_DATA_HOME": directory.url.path])
      #expect(status == .exited(0), "\(child.transcript)")
      return child.standardOutput.split(separator: "\n").map {
        String($0.prefix { $0 != " " })
      }
    }
    #expect(try await names("--tag", "reverb") == ["reverb"])
    #expect(try await names("--tag", "Filter") == ["filter", "comb", "eq"])
    #expect(try await names("--tag", "filter", "--tag", "delay") == ["comb"])
    #expect(try await names("aumx/*/*") == ["mixer", "environment"])
    #expect(try await names("*/*/Aurc", "--tag", "dynamics") == ["compressor", "limiter", "gate"])

    let (_, json) = try await auricle(
      ["units", "--tag", "reverb", "--json"], environment: ["XDG_DATA_HOME": directory.url.path])
    let units = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8))
    let tags = (units as? [[String: Any]])?.map { $0["tags"] as? [String] }
    #expect(tags == [["Effect", "Reverb"]])

    for arguments in [["--tag", "nonsense"], ["filter", "--tag", "reverb"]] {
      let (status, child) = try await auricle(["units"] + arguments)
      #expect(status == .exited(2))
      #expect(child.standardError.contains("no component"), "\(child.transcript)")
    }
  }

  /// Frequencies from tables of equal temperament.
  @Test func thePitchesOfAllKeysAreListed() async throws {
    let (status, table) = try await auricle(["pitches"])
    #expect(status == .exited(0))
    let rows = table.standardOutput.split(separator: "\n").map {
      $0.split(separator: " ").map(String.init)
    }
    #expect(rows.count == 129)
    #expect(rows[1] == ["0", "C-1", "8.176", "Hz"])
    #expect(rows[61] == ["60", "C4", "261.626", "Hz"])
    #expect(rows[71] == ["70", "A#4", "466.164", "Hz"])
    #expect(rows[128] == ["127", "G9", "12543.854", "Hz"])

    let (_, json) = try await auricle(["pitches", "--tuning", "432", "--json"])
    let keys = try JSONSerialization.jsonObject(with: Data(json.standardOutput.utf8))
    let a4 = try #require((keys as? [[String: Any]])?.first { $0["key"] as? Int == 69 })
    #expect(a4["hertz"] as? Double == 432)
    #expect(a4["name"] as? String == "A4")
  }

  @Test func helpAndVersionAreNoFailures() async throws {
    for option in ["--help", "--version"] {
      let (status, child) = try await auricle([option])
      #expect(status == .exited(0))
      #expect(!child.standardOutput.isEmpty)
    }
  }
}
