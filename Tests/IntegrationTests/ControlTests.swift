// `auricle ctl` and a session on a live server.

import ControlSocket
import Foundation
import Remotes
import SessionModel
import TestSupport
import Testing

/// A folder of sockets, and `auricle ctl` with it.
struct ControlRig {
  let directory: TemporaryDirectory
  var environment: [String: String?] { ["XDG_RUNTIME_DIR": directory.url.path] }
  var folder: ControlFolder {
    ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path])
  }

  init() throws { directory = try TemporaryDirectory() }

  func run(
    _ configuration: String, on server: JackServer, arguments: [String] = []
  ) async throws -> RunningAuricle {
    try await RunningAuricle(
      configuration, on: server, arguments: arguments, environment: environment)
  }

  /// Runs a session of a file, up to its "ready" line. Its recoveries are kept in the folder.
  func run(
    _ file: URL, _ arguments: String..., on server: JackServer
  ) async throws -> ChildProcess {
    let child = try ChildProcess(
      builtProduct("auricle"), ["run", file.path, "--server", server.name] + arguments,
      environment: environment.merging(["XDG_STATE_HOME": directory.url.path]) { $1 })
    _ = try await child.waitForLine(containing: "ready:")
    return child
  }

  /// The text of the only recovery; nil if there is none.
  var recovery: String? {
    let root = directory.file("auricle/recovery")
    let all = FileManager.default.enumerator(at: root, includingPropertiesForKeys: nil)
    let file = all?.compactMap { $0 as? URL }.first { $0.lastPathComponent == "1.toml" }
    return file.flatMap { try? String(contentsOf: $0, encoding: .utf8) }
  }

  func start(_ arguments: [String]) throws -> ChildProcess {
    try ChildProcess(builtProduct("auricle"), ["ctl"] + arguments, environment: environment)
  }

  /// Runs `auricle ctl`, expects status 0, and returns its output.
  func ctl(_ arguments: String...) async throws -> String {
    let child = try start(arguments)
    #expect(try await child.wait() == .exited(0), "\(arguments): \(child.transcript)")
    return child.standardOutput
  }

  /// Runs `auricle ctl`, expects a failure, and returns its standard error.
  func refusal(_ arguments: String..., status: Int32 = 1) async throws -> String {
    let child = try start(arguments)
    #expect(try await child.wait() == .exited(status), "\(arguments): \(child.transcript)")
    #expect(child.standardOutput.isEmpty)
    return child.standardError
  }

  /// Connects this process to a session's socket.
  func connect(_ session: String? = nil) throws -> ControlClient {
    try ControlClient(session: session, in: folder)
  }

  func status() throws -> SessionStatus? {
    let client = try connect()
    try client.send(SessionWire.encode(.status))
    guard case .status(let status) = try SessionWire.answer(client.nextLine(isPatient: true)) else {
      return nil
    }
    return status
  }

  /// Whether the session reports a change as pending.
  func isPending(_ text: String) -> Bool {
    (try? status())?.pending?.contains { $0.text == text } ?? false
  }
}

@Suite(.serialized) struct ControlTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  @Test func aSessionIsSeenAndChanged() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server, arguments: ["--verbose"])
    let path = rig.folder.path + "/filter.sock"
    _ = try await auricle.child.waitForLine(containing: path, in: .standardError)

    #expect(try await rig.ctl("list") == "lowpass  filter  Prominent\n")
    #expect(
      try await rig.ctl("list", "lowpass").contains(
        "lowpass/cutoff     900 Hz   12 to 20000, ramps")
    )
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "900\n")
    #expect(try await rig.ctl("set", "lowpass/cutoff", "2 kHz") == "")
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "2000\n")
    #expect(try await rig.ctl("set", "lowpass/resonance", "-3.5") == "")
    #expect(try await rig.ctl("get", "lowpass/resonance") == "-3.50\n")

    let wrong = try await rig.refusal("set", "lowpass/cutoff", "5")
    #expect(wrong == "auricle: cutoff = 5 is out of range; accepted: 12 to 20000 Hz\n")
    #expect(try await rig.refusal("get", "lowpas/cutoff").contains("did you mean 'lowpass'?"))
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "2000\n")

    let status = try await rig.ctl("status")
    for part in [
      "client  filter\n", "\(server.name), 48000 Hz, 256 frames", "xruns   ", "load    ",
    ] {
      #expect(status.contains(part), "\(status)")
    }
    let json = try JSONSerialization.jsonObject(
      with: Data(try await rig.ctl("status", "--json").utf8))
    let object = try #require((json as? [String: Any])?["status"] as? [String: Any])
    #expect(object["sampleRate"] as? Int == 48_000)
    #expect(object["isServerThere"] as? Bool == true)

    try await auricle.expectEnd()
    #expect(!FileManager.default.fileExists(atPath: path))
    #expect(try await rig.refusal("status").contains("no session runs"))
  }

  @Test func theShellKnowsTheCommandsAndTheSession() async throws {
    let (_, manual) = try await auricle(["manual"])
    #expect(manual.standardOutput.contains(#"auricle ctl preset load\fR \fIUNIT\fR \fINAME\fR"#))
    let (_, script) = try await auricle(["--generate-completion-script", "bash"])
    let words =
      "list get set watch bypass preset soundfont sound entry connect disconnect insert add replace remove"
    #expect(script.standardOutput.contains(words))
    let server = try await JackServer.start()
    let running = try await rig.run(Configurations.filter(), on: server)
    let (_, paths) = try await auricle(
      ["---completion", "ctl", "get", "--", "positional@0", "3", "0", "auricle", "ctl", "get", ""],
      environment: rig.environment)
    #expect(
      paths.standardOutput.split(separator: "\n")
        == ["lowpass", "lowpass/cutoff", "lowpass/resonance"], "\(paths.transcript)")
    let (_, presets) = try await auricle(
      [
        "---completion", "ctl", "sound", "--", "positional@1", "4", "0", "auricle", "ctl", "sound",
        "lowpass", "",
      ], environment: rig.environment)
    #expect(
      presets.standardOutput.split(separator: "\n") == ["Prominent", "Bright", "Warm"],
      "\(presets.transcript)")
    _ = try await rig.ctl("add", "tone", "tone")
    let (_, values) = try await auricle(
      [
        "---completion", "ctl", "set", "--", "positional@1", "4", "0", "auricle", "ctl", "set",
        "tone/waveform", "",
      ], environment: rig.environment)
    #expect(
      values.standardOutput.split(separator: "\n") == ["Sine", "Triangle", "Saw", "Square"],
      "\(values.transcript)")
    let (_, sessions) = try await auricle(
      [
        "---completion", "ctl", "get", "--", "--client", "4", "0", "auricle", "ctl", "get",
        "--client", "",
      ], environment: rig.environment)
    #expect(sessions.standardOutput == "filter\n", "\(sessions.transcript)")
    try await running.expectEnd()
  }

  @Test func theShellKnowsTheSoundFontsOfTheUsualFoldersAndThePathsOfOthers() async throws {
    let data = rig.directory.file("data")
    let fonts = data.appendingPathComponent("soundfonts")
    let folder = rig.directory.file("takes")
    for folder in [fonts, folder] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }
    for file in ["Grand.sf2", "Strings.SF3", "readme.txt", ".hidden.sf2"] {
      try Data().write(to: fonts.appendingPathComponent(file))
    }
    for file in ["own.sf2", "song.mid", "notes.txt"] {
      try Data().write(to: folder.appendingPathComponent(file))
    }
    func candidates(_ command: [String], place: Int, _ prefix: String) async throws -> [String] {
      let words = ["auricle"] + command
      let (_, child) = try await auricle(
        ["---completion"] + command.prefix { $0 != "piano" }
          + ["--", "positional@\(place)", "\(words.count)", "\(prefix.count)"] + words + [prefix],
        environment: [
          "HOME": rig.directory.url.path, "XDG_DATA_HOME": data.path, "XDG_DATA_DIRS": "/nowhere",
          "PATH": "/usr/bin",
        ])
      return child.standardOutput.split(separator: "\n").map(String.init)
    }
    let commands = [(["ctl", "soundfont", "piano"], 1), (["soundfont"], 0), (["play"], 0)]
    for (command, place) in commands {
      let names = try await candidates(command, place: place, "")
      #expect(names.contains("Grand.sf2") && names.contains("Strings.SF3"), "\(names)")
      #expect(!names.contains("readme.txt") && !names.contains(".hidden.sf2"), "\(names)")
    }
    // A folder with its files, so that the shell goes on there.
    let start = folder.path.dropLast(2)
    for (command, last) in [("soundfont", []), ("play", ["\(folder.path)/song.mid"])] {
      for prefix in [String(start), folder.path + "/"] {
        let paths = try await candidates([command], place: 0, prefix).filter { $0.hasPrefix("/") }
        let files = ["\(folder.path)/own.sf2"] + last
        #expect(paths == (prefix.hasSuffix("/") ? [] : ["\(folder.path)/"]) + files, "\(paths)")
      }
    }
    let homely = try await candidates(["soundfont"], place: 0, "~/takes/")
    #expect(homely.contains("~/takes/own.sf2"), "\(homely)")
  }

  @Test func aRampSoundsAndEndsWhereItIsTo() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    _ = try await rig.ctl("set", "lowpass/cutoff", "4000", "--ramp", "60")
    let session = try rig.connect()
    var values: Set<Float> = []
    while !values.contains(4000) {
      try session.send(SessionWire.encode(.get(path: "lowpass/cutoff")))
      guard case .parameter(let reading) = try SessionWire.answer(session.nextLine()) else { break }
      values.insert(reading.value)
    }
    #expect(values.allSatisfy { (900...4000).contains($0) })
    // A past frame takes effect at once, a future frame when it is reached.
    _ = try await rig.ctl("set", "lowpass/cutoff", "500", "--at", "0")
    #expect(
      try await eventually(within: .seconds(10)) {
        try session.send(SessionWire.encode(.get(path: "lowpass/cutoff")))
        guard case .parameter(let reading) = try SessionWire.answer(session.nextLine()) else {
          return false
        }
        return reading.value == 500
      })
    _ = try await rig.ctl("set", "lowpass/cutoff", "700", "--at", "\(Int64.max)")
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "500\n")
    try await auricle.expectEnd()
  }

  @Test func severalSessionsAreDistinguished() async throws {
    let server = try await JackServer.start()
    let one = try await rig.run(Configurations.filter(name: "one"), on: server)
    let two = try await rig.run(Configurations.filter(name: "two"), on: server)
    #expect(try await rig.refusal("status").contains("name one by --client: one, two"))
    #expect(try await rig.refusal("status", "--client", "three").contains("there are one, two"))
    _ = try await rig.ctl("set", "lowpass/cutoff", "77", "--client", "two")
    #expect(try await rig.ctl("get", "lowpass/cutoff", "--client", "one") == "900\n")
    #expect(try await rig.ctl("get", "lowpass/cutoff", "--client", "two") == "77\n")
    // The socket of a killed session disturbs nothing.
    one.child.signal(SIGKILL)
    _ = try await one.child.wait()
    #expect(FileManager.default.fileExists(atPath: rig.folder.path + "/one.sock"))
    #expect(try await rig.ctl("status").hasPrefix("client  two\n"))
    let next = try await rig.run(Configurations.filter(name: "one"), on: server)
    #expect(try rig.folder.sessions().count == 2)
    try await next.expectEnd()
    try await two.expectEnd()
    #expect(try rig.folder.sessions() == [])
  }

  @Test func itAnswersWhileItWaitsForAServer() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    try await server.kill()
    _ = try await auricle.child.waitForLine(
      containing: "waiting for it to come back", in: .standardError)
    #expect(try await rig.ctl("status").contains("not there; the session waits for it"))
    #expect(try await rig.ctl("set", "lowpass/cutoff", "333") == "")
    #expect(
      try await rig.refusal("set", "lowpass/cutoff", "333", "--ramp", "5").contains(
        "no JACK server"))
    try await server.restart()
    _ = try await auricle.child.waitForLine(
      containing: "the JACK server is back", in: .standardError)
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "333\n")
    try await auricle.expectEnd()
  }

  @Test func floodsAndClientsThatNeverReadDisturbNobody() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    var deaf: [ControlClient] = []
    // As many requests as the kernel takes; no answer is ever read.
    for _ in 0..<4 {
      let client = try rig.connect()
      try client.send(Array(#"{"command":"list","path":"lowpass"}"#.utf8))
      try client.send([UInt8](repeating: 10, count: 50_000))
      deaf.append(client)
    }
    let garbage = try rig.connect()
    try? garbage.send([UInt8](repeating: 0x7B, count: 200_000))
    let session = try rig.connect()
    for number in 0..<2000 {
      let value = Double(100 + number)
      try session.send(SessionWire.encode(.set(path: "lowpass/cutoff", value: .number(value))))
      // A full queue is the only error.
      do { _ = try SessionWire.answer(session.nextLine()) } catch let error as SessionCommandError {
        #expect(error.message.contains("queue is full"), "\(error)")
      }
    }
    _ = try await rig.ctl("set", "lowpass/cutoff", "432")
    #expect(try await rig.ctl("get", "lowpass/cutoff") == "432\n")
    withExtendedLifetime((deaf, garbage)) {}
    try await auricle.expectEnd()
  }

  @Test(arguments: [
    ["ctl", "nonsense"], ["ctl", "get"], ["ctl", "set", "a/b"], ["ctl", "set", "a/b", "1", "2"],
    ["ctl", "set", "a/b", "1", "--ramp", "-1"], ["ctl", "set", "a/b", "1", "--ramp", "x"],
    ["ctl", "set", "a/b", "1", "--at", "1.5"], ["ctl", "set", "a/b", "1", "--rmp", "1"],
    ["ctl", "status", "now"], ["ctl", "watch"], ["ctl", "bypass", "a", "maybe"],
    ["ctl", "preset", "load", "a"], ["ctl", "soundfont", "a"],
    ["ctl", "entry", "a", "b", "--at", "-1"], ["ctl", "scene", "load", "a", "--at=-1"],
    ["ctl", "undo", "0"], ["ctl", "redo", "x"],
    ["ctl", "save", "a", "b"],
  ])
  func badUsageIsStatus2(arguments: [String]) async throws {
    let (status, child) = try await auricle(arguments, environment: rig.environment)
    #expect(status == .exited(2), "\(child.transcript)")
    #expect(!child.standardError.isEmpty)
  }

  @Test func levelsArePrintedUntilASignal() async throws {
    let server = try await JackServer.start()
    let running = try await rig.run(Configurations.filter(), on: server)
    _ = try await rig.ctl("add", "tone", "tone", "parameters.playing=true")
    for (arguments, start) in [
      (["--meters", "tone"], "tone  out -"), (["--meters", "*"], "lowpass  in silent, out silent"),
      (["--meters", "tone", "--json"], "{"), (["--spectra", "tone"], "tone  "),
      (["--spectra", "tone", "--json"], "{"),
    ] {
      let child = try rig.start(["watch"] + arguments)
      let line = try await child.waitForLine(containing: start)
      #expect(line.hasPrefix(start), "\(line)")
      if arguments.contains("--json") {
        let reading = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
        #expect(Set((reading?["units"] as? [String: Any] ?? [:]).keys) == ["tone"], "\(line)")
      } else if arguments.contains("tone") {
        #expect(line.hasSuffix(" dBFS"), "\(line)")
      }
      child.signal(SIGINT)
      _ = try await child.wait()
      #expect(!child.standardOutput.contains("lowpass") || arguments.contains("*"))
    }
    #expect(try await rig.refusal("watch", "--meters", "nothing").contains("'nothing'"))
    try await running.expectEnd()
  }

  /// Also while nothing of the session's own changes.
  @Test func thePortsOfOtherClientsAreToldAsTheyComeAndGo() async throws {
    let server = try await JackServer.start()
    let running = try await rig.run(Configurations.filter(), on: server)
    let child = try rig.start(["watch", "--topic", "graph", "--json"])
    func graph(_ line: String) throws -> GraphReading {
      try JSONDecoder().decode(GraphReading.self, from: Data(line.utf8))
    }
    func outside(_ line: String) throws -> [GraphReading.OutsidePort] {
      try graph(line).outside
    }
    let first = try await child.waitForLine(containing: "\"system:playback_1\"")
    #expect(
      try outside(first).contains {
        $0.name == "system:playback_1" && $0.isInput && !$0.isMIDI
      })
    #expect(try outside(first).allSatisfy { !$0.name.hasPrefix("filter:") })
    func lines() -> [String] { child.standardOutput.split(separator: "\n").map(String.init) }
    do {
      let other = try JackTestClient(server, "other", midiOutputs: 1)
      let line = try await child.waitForLine(containing: "\"other:midi_out_1\"")
      #expect(
        try outside(line).contains {
          $0.name == "other:midi_out_1" && !$0.isInput && $0.isMIDI
        })
      withExtendedLifetime(other) {}
    }
    do {
      // Two channels that go to one port are one connection of their bus.
      let hand = try JackTestClient(server, "hand", audioInputs: 2)
      for (port, input) in [(1, 1), (2, 1), (2, 2)] {
        try await hand.connect("filter:lowpass_out_\(port)", to: "hand:audio_in_\(input)")
      }
      try await hand.connect("system:capture_1", to: "filter:lowpass_in_1")
      func foreign() throws -> [String] {
        guard let line = lines().last else { return [] }
        return try graph(line).foreign.map { "\($0.from) \($0.to) \($0.kind)" }.sorted()
      }
      let wanted = [
        "lowpass:1 hand:audio_in_1 audio", "lowpass:1 hand:audio_in_2 audio",
        "system:capture_1 lowpass:1 audio",
      ]
      #expect(try await eventually { try foreign() == wanted })
      // Now the session requests one of each channel.
      _ = try await rig.ctl("connect", "lowpass", "hand:*")
      #expect(
        try await eventually {
          try foreign() == ["lowpass:1 hand:audio_in_1 audio", "system:capture_1 lowpass:1 audio"]
        })
      withExtendedLifetime(hand) {}
    }
    #expect(
      try await eventually {
        try lines().last.map { try !outside($0).contains { $0.name.hasPrefix("other:") } } == true
      })
    child.signal(SIGINT)
    _ = try await child.wait()
    try await running.expectEnd()
  }

  @Test func aSessionWithoutASocketPlaysAndSaysSo() async throws {
    let server = try await JackServer.start()
    try Data().write(to: rig.directory.file("auricle"))
    let auricle = try await rig.run(Configurations.filter(), on: server)
    _ = try await auricle.child.waitForLine(
      containing: "warning: auricle ctl cannot reach this session: ", in: .standardError)
    try await auricle.expectEnd()
  }
}
