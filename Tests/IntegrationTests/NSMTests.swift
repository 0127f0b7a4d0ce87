// `auricle run` as the client of a session manager, on a live server.

import BuiltInUnits
import Foundation
import SessionTestSupport
import TestSupport
import Testing

@testable import OSC
@testable import Remotes
@testable import Session
@testable import SessionModel

/// A session manager, and `auricle run` as its client.
private struct ManagedRig {
  let control: ControlRig
  let manager: NSMTestServer

  init() throws {
    control = try ControlRig()
    manager = try NSMTestServer()
  }

  var directory: TemporaryDirectory { control.directory }
  /// The folder of the manager's session.
  var song: URL { directory.file("song") }

  func environment(_ server: JackServer?) -> [String: String?] {
    let folder = directory.url.path
    return control.environment.merging([
      "NSM_URL": manager.url, "XDG_STATE_HOME": folder, "XDG_DATA_HOME": folder,
      "JACK_DEFAULT_SERVER": server?.name ?? absentServer,
    ]) { $1 }
  }

  /// Starts `auricle run`; no project is open yet.
  func start(_ configuration: String, on server: JackServer?, _ arguments: String...) throws
    -> ChildProcess
  {
    let file = try directory.write(configuration, to: "begin.toml")
    return try ChildProcess(
      builtProduct("auricle"), ["run", file.path] + arguments, environment: environment(server))
  }

  /// Starts `auricle run`, and opens a project.
  func open(
    _ configuration: String, on server: JackServer, project: String = "song/Auricle.nONE",
    as clientID: String = "Auricle.nONE"
  ) async throws -> ChildProcess {
    let child = try start(configuration, on: server)
    try await manager.welcome()
    let answer = try await manager.open(directory.file(project).path, as: clientID)
    #expect(answer.errorNumber == nil, "\(answer) \(child.transcript)")
    return child
  }

  func text(_ name: String) throws -> String {
    try String(contentsOf: directory.file(name), encoding: .utf8)
  }

  func end(_ child: ChildProcess) async throws {
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }
}

@Suite(.serialized) struct NSMTests {
  private let rig: ManagedRig
  private var manager: NSMTestServer { rig.manager }

  init() throws { rig = try ManagedRig() }

  private func ports(_ client: JackTestClient) -> [String] {
    client.ports().filter { $0.contains("lowpass") }
  }

  @Test func aClientAppearsWithItsProjectUnderTheGivenName() async throws {
    let server = try await JackServer.start()
    let jack = try JackTestClient(server, "watcher")
    let child = try rig.start(Configurations.filter(), on: server)
    let announced = try await manager.announcement().arguments
    #expect(
      announced == [
        .string("Auricle"), .string(":switch:dirty:progress:message:"),
        .string(try builtProduct("auricle").path), .int32(1), .int32(1),
        .int32(child.processIdentifier),
      ])
    try await manager.welcome()
    // Without a project it cannot save.
    #expect(try await manager.save().errorNumber == -6)
    #expect(ports(jack) == [])
    #expect(!FileManager.default.fileExists(atPath: rig.song.path))

    let path = rig.directory.file("song/Auricle.nONE").path
    let answer = try await manager.open(path, as: "Auricle.nONE")
    #expect(answer.errorNumber == nil && answer.lastText.contains("48000 Hz"), "\(answer)")
    #expect(
      Set(ports(jack))
        == Set(["in_1", "in_2", "out_1", "out_2"].map { "Auricle.nONE:lowpass_\($0)" }))
    _ = try await child.waitForLine(containing: "ready: Auricle.nONE 48000 Hz, 256 frames")
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 900"))
    #expect(manager.heard(at: "/nsm/client/progress").last == [.float(1)])
    _ = try await manager.wait(for: "a clean session") { $0.address == "/nsm/client/is_clean" }
    _ = try await manager.wait(for: "a label") {
      $0 == OSCMessage("/nsm/client/label", [.string("filter")])
    }
    try manager.send("/nsm/client/session_is_loaded")
    try manager.send("/nsm/client/show_optional_gui")
    try manager.send("/nsm/client/unheard_of", .int32(1))
    #expect(try await manager.ask("/nsm/client/open", .int32(1)).errorNumber == -1)
    #expect(try await manager.save().errorNumber == nil)
    #expect(manager.heard(at: "/nsm/client/is_dirty") == [])
    try await rig.end(child)
    #expect(await eventually { ports(jack) == [] })
  }

  @Test func savedChangesAreRestored() async throws {
    let server = try await JackServer.start()
    let child = try await rig.open(Configurations.filter(), on: server)
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "1234", "--client", "Auricle.nONE")
    _ = try await manager.wait(for: "changes") { $0.address == "/nsm/client/is_dirty" }
    // A change is reported once, however many follow.
    for value in 1...20 {
      _ = try await rig.control.ctl(
        "set", "lowpass/resonance", "\(value)", "--client", "Auricle.nONE")
    }
    #expect(manager.heard(at: "/nsm/client/is_dirty").count == 1)
    let count = manager.heard.count
    let answer = try await manager.save()
    #expect(answer.errorNumber == nil)
    let told = manager.heard.dropFirst(count).map(\.address)
    #expect(
      told.filter { $0 != "/nsm/client/label" }.prefix(2) == ["/nsm/client/is_clean", "/reply"],
      "\(told)")
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 1234"))
    // Like "save as" in other programs, which session managers forbid.
    let refusal = try await rig.control.refusal("save", rig.directory.file("other.toml").path)
    #expect(refusal.contains("where its session manager wants it; accepted: auricle ctl save"))
    #expect(try await rig.control.ctl("save").contains("session.toml"))
    // The session follows the project's own file.
    let text = try rig.text("song/Auricle.nONE/session.toml")
    _ = try rig.directory.write(
      text.replacing("cutoff = 1234", with: "cutoff = 555"), to: "song/Auricle.nONE/session.toml")
    _ = try await child.waitForLine(
      containing: "was written; changed: lowpass", in: .standardError)
    _ = try await manager.wait(for: "a notice") {
      $0.address == "/nsm/client/message" && $0.lastText.contains("changed: lowpass")
    }
    try await rig.end(child)

    let manager = try NSMTestServer()
    let again = try ChildProcess(
      builtProduct("auricle"), ["run", rig.directory.file("begin.toml").path],
      environment: rig.environment(server).merging(["NSM_URL": manager.url]) { $1 })
    try await manager.welcome()
    let path = rig.directory.file("song/Auricle.nONE").path
    #expect(try await manager.open(path, as: "Auricle.nONE").errorNumber == nil)
    #expect(try await rig.control.ctl("get", "lowpass/cutoff") == "555\n")
    try await rig.end(again)
  }

  @Test func aRecoveryIsReportedAndTheProjectOpensAsSaved() async throws {
    let server = try await JackServer.start()
    let child = try await rig.open(Configurations.filter(), on: server)
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "1234")
    let recoveries = rig.directory.file("auricle/recovery")
    #expect(
      await eventually {
        let all = FileManager.default.enumerator(at: recoveries, includingPropertiesForKeys: nil)
        return all?.contains { ($0 as? URL)?.lastPathComponent == "1.toml" } == true
      })
    child.signal(SIGKILL)
    #expect(try await child.wait() == .signalled(SIGKILL))

    let manager = try NSMTestServer()
    let again = try ChildProcess(
      builtProduct("auricle"), ["run", rig.directory.file("begin.toml").path],
      environment: rig.environment(server).merging(["NSM_URL": manager.url]) { $1 })
    try await manager.welcome()
    let path = rig.directory.file("song/Auricle.nONE").path
    #expect(try await manager.open(path, as: "Auricle.nONE").errorNumber == nil)
    _ = try await manager.wait(for: "a notice") {
      $0.address == "/nsm/client/message" && $0.lastText.contains("there is a recovery of")
    }
    #expect(try await rig.control.ctl("get", "lowpass/cutoff") == "900\n")
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 900"))
    try await rig.end(again)
  }

  @Test func oneProcessGoesFromProjectToProject() async throws {
    let server = try await JackServer.start()
    let jack = try JackTestClient(server, "watcher")
    let child = try await rig.open(Configurations.filter(), on: server)
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "1234")
    #expect(try await manager.save().errorNumber == nil)
    let second = rig.directory.file("other/Auricle.nTWO").path
    #expect(try await manager.open(second, as: "Auricle.nTWO").errorNumber == nil)
    #expect(ports(jack).allSatisfy { $0.hasPrefix("Auricle.nTWO:") } && !ports(jack).isEmpty)
    // A new project begins with the given configuration.
    #expect(
      try await rig.control.ctl("get", "lowpass/cutoff", "--client", "Auricle.nTWO") == "900\n")
    // A duplicate has the same name: the first one's client has to end before.
    let first = rig.directory.file("song/Auricle.nONE").path
    let copy = rig.directory.file("copy/Auricle.nONE").path
    #expect(try await manager.open(first, as: "Auricle.nONE").errorNumber == nil)
    try FileManager.default.createDirectory(
      at: rig.directory.file("copy"), withIntermediateDirectories: true)
    try FileManager.default.copyItem(atPath: first, toPath: copy)
    #expect(try await manager.open(copy, as: "Auricle.nONE").errorNumber == nil)
    #expect(ports(jack).allSatisfy { $0.hasPrefix("Auricle.nONE:") } && !ports(jack).isEmpty)
    #expect(try await rig.control.ctl("get", "lowpass/cutoff") == "1234\n")
    #expect(try await rig.control.ctl("status").contains("copy/Auricle.nONE/session.toml"))
    // Changes apply to the copy.
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "700")
    #expect(try await manager.save().errorNumber == nil)
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 1234"))
    #expect(try rig.text("copy/Auricle.nONE/session.toml").contains("cutoff = 700"))
    try await rig.end(child)
  }

  @Test func aFailedOpenDisturbsNothing() async throws {
    let server = try await JackServer.start()
    let jack = try JackTestClient(server, "watcher", audioInputs: 1)
    let child = try await rig.open(Configurations.filter(), on: server)
    try await jack.connect("Auricle.nONE:lowpass_out_1", to: "watcher:audio_in_1")
    func expectRefusal(_ path: String, _ number: Int32, _ text: String, as id: String = "A.nTWO")
      async throws
    {
      let answer = try await manager.open(path, as: id)
      #expect(answer.errorNumber == number, "\(answer)")
      #expect(answer.lastText.contains(text), "\(answer)")
      #expect(jack.connections(of: "watcher:audio_in_1") == ["Auricle.nONE:lowpass_out_1"])
    }
    try await expectRefusal("song/relative", -10, "accepted: an absolute path")
    try await expectRefusal("/", -10, "accepted: an absolute path")
    let file = try rig.directory.write("", to: "file")
    try await expectRefusal(file.path + "/A.nTWO", -10, "a part of its path is no folder")
    let fine = rig.directory.file("song/A.nTWO").path
    try await expectRefusal(fine, -1, "cannot name a JACK client", as: "A:n")
    try await expectRefusal(fine, -1, "cannot name a JACK client", as: "")
    _ = try rig.directory.write("[[unit]]\nid = 5\n", to: "bad/A/session.toml")
    try await expectRefusal(rig.directory.file("bad/A").path, -9, "session.toml:2:6: ")
    let wrong = Configurations.connection(from: "watcher:audio_in_1", to: "lowpass")
    _ = try rig.directory.write(
      Configurations.filter(connections: wrong), to: "bad/B/session.toml")
    try await expectRefusal(rig.directory.file("bad/B").path, -9, "wants a port that sends it")
    #expect(!FileManager.default.fileExists(atPath: fine))
    _ = try rig.directory.write("others", to: "taken/passwd")
    try await expectRefusal(rig.directory.file("taken").path, -10, "has files of others, 'passwd'")
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: rig.directory.file("taken").path)
        == ["passwd"])
    #expect(try await manager.save().errorNumber == nil)

    // A mistake that is only found after the former client's end: that client returns.
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 0))
    var sockets = try OSCSockets(at: place, over: [.udp])
    _ = try rig.directory.write(
      Configurations.filter() + "[osc]\nport = \(sockets.place.port)\n", to: "bad/C/session.toml")
    let answer = try await manager.open(rig.directory.file("bad/C").path, as: "A.nTWO")
    #expect(answer.errorNumber == -1 && answer.lastText.contains("another program listens at"))
    #expect(
      await eventually {
        jack.connections(of: "watcher:audio_in_1") == ["Auricle.nONE:lowpass_out_1"]
      })
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "321")
    #expect(try await manager.save().errorNumber == nil)
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 321"))
    // Once the port is free, the project opens.
    sockets.close()
    #expect(
      try await manager.open(rig.directory.file("bad/C").path, as: "A.nTWO").errorNumber == nil)
    try await rig.end(child)
  }

  @Test func withoutAProjectItEndsAndSaysWhy() async throws {
    let server = try await JackServer.start()
    _ = try rig.directory.write("[[unit]]\nid = 5\n", to: "bad/A/session.toml")
    let child = try rig.start(Configurations.filter(), on: server)
    try await manager.welcome()
    let answer = try await manager.open(rig.directory.file("bad/A").path, as: "A.nTWO")
    #expect(answer.errorNumber == -9)
    #expect(try await child.wait() == .exited(2), "\(child.transcript)")
    #expect(child.standardError.contains("bad/A/session.toml:2:6: "))
    // No JACK server.
    let lonely = try NSMTestServer()
    let other = try ChildProcess(
      builtProduct("auricle"), ["run", rig.directory.file("begin.toml").path],
      environment: rig.environment(nil).merging(["NSM_URL": lonely.url]) { $1 })
    try await lonely.welcome()
    #expect(try await lonely.open(rig.song.path, as: "A.nTWO").errorNumber == -1)
    #expect(try await other.wait() == .exited(1), "\(other.transcript)")
  }

  @Test func aRefusalEndsNoSessionThatPlays() async throws {
    let server = try await JackServer.start()
    let child = try await rig.open(Configurations.filter(), on: server)
    try manager.send("/error", .string("/nsm/server/announce"), .int32(-2), .string("go away"))
    _ = try await child.waitForLine(
      containing: "the session manager refuses Auricle: go away (-2); the session goes on",
      in: .standardError)
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "1234")
    #expect(try await manager.save().errorNumber == nil)
    try await rig.end(child)
  }

  @Test func theSessionOutlivesItsManager() async throws {
    let server = try await JackServer.start()
    let child = try await rig.open(Configurations.filter(), on: server)
    manager.close()
    _ = try await child.waitForLine(
      containing: "the session manager at \(manager.url) has ended; the session goes on",
      in: .standardError)
    _ = try await rig.control.ctl("set", "lowpass/cutoff", "1234")
    _ = try await rig.control.ctl("save")
    #expect(try rig.text("song/Auricle.nONE/session.toml").contains("cutoff = 1234"))
    try await rig.end(child)
  }

  /// A client started by the manager may inherit its socket, so that the port is open for ever.
  @Test func aSilentManagerIsReported() async throws {
    let server = try await JackServer.start()
    let child = try await rig.open(Configurations.filter(), on: server)
    // The manager is known to answer pings once it has answered one.
    manager.answersPings(false)
    _ = try await child.waitForLine(
      containing: "the session manager at \(manager.url) does not answer any more; the session",
      in: .standardError)
    #expect(try await manager.save().errorNumber == nil)
    manager.answersPings(true)
    _ = try await child.waitForLine(
      containing: "the session manager at \(manager.url) answers again", in: .standardError)
    try await rig.end(child)
  }

  @Test func settingsAreIgnoredWithAWarning() async throws {
    let server = try await JackServer.start()
    let child = try rig.start(Configurations.filter(), on: server, "--set", "lowpass/cutoff=3000")
    try await manager.welcome()
    let project = rig.directory.file("song/Auricle.nONE").path
    let answer = try await manager.open(project, as: "Auricle.nONE")
    #expect(answer.errorNumber == nil, "\(answer) \(child.transcript)")
    #expect(
      child.standardError.contains(
        "--set is ignored: the session manager's project has its own values"),
      "\(child.transcript)")
    #expect(try await rig.control.ctl("get", "lowpass/cutoff") != "3000\n")
    try await rig.end(child)
  }

  @Test func aManagerThatIsNotThereOrDoesNotWantUsIsAnError() async throws {
    let file = try rig.directory.write(Configurations.filter(), to: "begin.toml")
    let mute = try NSMTestServer()
    let unanswered = try ChildProcess(
      builtProduct("auricle"), ["run", file.path],
      environment: rig.environment(nil).merging(["NSM_URL": mute.url]) { $1 })
    func run(_ url: String, _ arguments: String...) async throws -> ChildProcess {
      let (status, child) = try await auricle(
        ["run", file.path] + arguments,
        environment: rig.environment(nil).merging(["NSM_URL": url]) { $1 })
      #expect(status == .exited(1), "\(child.transcript)")
      return child
    }
    for url in ["nonsense", "http://localhost:1/", "osc.udp://localhost:0/", "osc.udp://:99/"] {
      #expect(try await run(url).standardError.contains("accepted: osc.udp://HOST:PORT/"))
    }
    #expect(try await run("osc.tcp://localhost:9/").standardError.contains("UDP alone"))
    let gone = try NSMTestServer()
    gone.close()
    #expect(try await run(gone.url).standardError.contains("there is no session manager at"))
    // Without a manager the error is the missing JACK server.
    #expect(try await run(gone.url, "--no-nsm").standardError.contains("no JACK server"))

    let child = try rig.start(Configurations.filter(), on: nil)
    _ = try await manager.announcement()
    try manager.send("/error", .string("/nsm/server/announce"), .int32(-2), .string("too new"))
    #expect(try await child.wait() == .exited(1))
    #expect(child.standardError.contains("refuses Auricle: too new (-2)"))
    // The manager ends before a project is open.
    let other = try NSMTestServer()
    let waiting = try ChildProcess(
      builtProduct("auricle"), ["run", file.path],
      environment: rig.environment(nil).merging(["NSM_URL": other.url]) { $1 })
    try await other.welcome()
    _ = try await other.ask("/nsm/client/save")
    other.close()
    #expect(try await waiting.wait() == .exited(1))
    #expect(waiting.standardError.contains("has ended"))
    let (status, named) = try await auricle(
      ["run", file.path, "--client-name", "mine"],
      environment: rig.environment(nil))
    #expect(status == .exited(2) && named.standardError.contains("names its clients"))
    #expect(try await unanswered.wait() == .exited(1), "\(unanswered.transcript)")
    #expect(unanswered.standardError.contains("has not answered within 10 s"))
  }

  /// Reports a manager that ends before its presence was checked.
  @Test func aManagerThatEndsAtOnceIsMissed() async throws {
    let link = try NSMLink(manager.url)
    manager.close()
    let file = rig.directory.file("begin.toml")
    let log = LogRecorder().logger
    let client = NSMClient(
      link,
      NSMClient.Making(
        makeBuilder: { _ in SessionBuilder(registry: try BuiltInComponents.makeRegistry()) },
        beginning: { file }, makeRecovery: { SessionRecovery(intervalSeconds: 0, log: log) },
        choice: .report), log: log)
    let serving = Task { await client.serve(as: "auricle") }
    for await _ in client.openings {}
    #expect(client.failure.map { "\($0)".hasSuffix("has ended") } == true)
    client.close()
    await serving.value
  }

  /// Starts the command without arguments, as session managers do.
  @Test func withoutArgumentsItIsTheClientOfTheManagerThatStartedIt() async throws {
    let child = try ChildProcess(builtProduct("auricle"), [], environment: rig.environment(nil))
    try await manager.welcome()
    #expect(try await manager.save().errorNumber == -6)
    try await rig.end(child)
    let (status, help) = try await auricle([], environment: ["NSM_URL": nil])
    #expect(status == .exited(0) && help.standardOutput.contains("USAGE"))
  }
}
