// `auricle web` and its program.

import ControlSocket
import Foundation
import Remotes
import SessionTestSupport
import TestSupport
import Testing

@Suite(.unwatched) struct WebCommandTests {
  private let directory: TemporaryDirectory
  private let environment: [String: String?]

  init() throws {
    directory = try TemporaryDirectory()
    environment = ["XDG_RUNTIME_DIR": directory.url.path]
  }

  @Test(arguments: [SIGINT, SIGTERM])
  func itServesUntilASignal(_ signal: Int32) async throws {
    let child = try ChildProcess(
      builtProduct("auricle"), ["web", "--guests"], environment: environment)
    let line = try await child.waitForLine(containing: "http://127.")
    #expect(line.contains("/?code=m"))
    #expect(try await child.waitForLine(containing: "guests: ").contains("/?code=g"))
    _ = try await child.waitForLine(
      containing: "no session runs; the page shows one as soon as", in: .standardError)
    let (status, other) = try await auricle(["web", "--link"], environment: environment)
    #expect(status == .exited(0))
    let address = try #require(line.components(separatedBy: "code=").first)
    #expect(other.standardOutput.hasPrefix(address + "code=m"), "\(other.transcript)")
    #expect(!other.standardOutput.contains(line))
    // Only other machines pair.
    #expect(!(child.standardOutput + other.standardOutput).contains("pairing"))
    let (second, refused) = try await auricle(["web"], environment: environment)
    #expect(second == .exited(1))
    #expect(refused.standardError.contains("it is running already"), "\(refused.transcript)")
    child.signal(signal)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
    let (late, none) = try await auricle(["web", "--link"], environment: environment)
    #expect(late == .exited(1))
    #expect(none.standardError == "auricle-web: it is not running; start it: auricle web\n")
  }

  @Test func aPairingCodeIsPrintedForOtherMachines() async throws {
    let child = try ChildProcess(
      builtProduct("auricle"),
      ["web", "--listen", "0.0.0.0", "--host", "studio.example", "--guests"],
      environment: environment)
    let code = #/[0-9]{4} [0-9]{4}, to type at http://studio\.example:[0-9]+$/#
    for name in ["pairing code: ", "pairing code for guests: "] {
      let line = try await child.waitForLine(containing: name)
      #expect(line.hasPrefix(name) && line.contains(code), "\(line)")
    }
    for (options, name) in [
      ([], "pairing code: "), (["--guests"], "pairing code for guests: "),
    ] {
      let (status, link) = try await auricle(["web", "--link"] + options, environment: environment)
      #expect(status == .exited(0))
      let lines = link.standardOutput.split(separator: "\n")
      #expect(lines.count == 2 && lines[1].hasPrefix(name), "\(link.transcript)")
      #expect(lines.last?.contains(code) == true, "\(link.transcript)")
    }
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }

  @Test(arguments: [
    (["--port", "0"], "--port takes 1 to 65535"), (["--port", "x"], "--port"),
    (["--listen", "here"], "accepted: an address of this machine"),
    (["--listen", "0.0.0.0"], "add --host NAME"), (["--host", "a b"], "no host's name"),
    (["--link", "--open"], "--link"), (["more"], "more"), (["--x"], "--x"),
    (["--oscquery", "0"], "--oscquery takes 1 to 65535"),
    (["--oscquery-write"], "need --oscquery"), (["--session", "x"], "need --oscquery"),
    (["--oscquery", "--link"], "--link"),
  ])
  func wrongOptionsAreRefused(_ options: [String], _ text: String) async throws {
    let (status, child) = try await auricle(["web"] + options, environment: environment)
    #expect(status == .exited(2))
    #expect(child.standardError.contains(text), "\(child.transcript)")
  }

  @Test func helpIsThatOfTheProgram() async throws {
    for word in ["--help", "-h"] {
      let (status, child) = try await auricle(["web", word], environment: environment)
      #expect(status == .exited(0))
      #expect(child.standardOutput.contains("--listen"), "\(child.transcript)")
    }
  }

  @Test func withoutTheProgramItSaysSo() async throws {
    let alone = directory.url.appendingPathComponent("auricle")
    try FileManager.default.copyItem(at: builtProduct("auricle"), to: alone)
    let child = try ChildProcess(alone, ["web"], environment: environment)
    #expect(try await child.wait() == .exited(1))
    #expect(
      child.standardError.contains("auricle-web cannot be started: No such file"),
      "\(child.transcript)")
    // Before the session begins.
    let session = try ChildProcess(alone, ["run", "--web"], environment: environment)
    #expect(try await session.wait() == .exited(1))
    #expect(
      session.standardError.contains("auricle-web cannot be started: No such file"),
      "\(session.transcript)")
  }

  /// `auricle run --web`, on a server of its own.
  private func runWithPage() async throws -> (session: ChildProcess, address: String) {
    let file = try directory.write(Configurations.filter(), to: "session.toml")
    let session = try ChildProcess(
      builtProduct("auricle"),
      [
        "run", file.path, "--web", "--client-name", "late show", "--server", "auricle-test-web",
        "--start-server", "dummy",
      ], environment: environment)
    return (session, try await session.waitForLine(containing: "/?code="))
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
  func thePageOfASessionEndsWithIt(_ signal: Int32) async throws {
    let slot = try await ServerSlot.acquire()
    let (session, address) = try await runWithPage()
    #expect(address.hasSuffix("#late%20show"), "\(address)")
    let servers = children(of: session.processIdentifier, running: "auricle-web")
    #expect(servers.count == 1)
    session.signal(signal)
    #expect(try await session.wait() == (signal == SIGKILL ? .signalled(signal) : .exited(0)))
    #expect(await eventually { servers.allSatisfy { !isAlive($0) } })
    let (status, _) = try await auricle(["web", "--link"], environment: environment)
    #expect(status == .exited(1))
    withExtendedLifetime(slot) {}
  }

  /// The session prints another address of that page. The page stays.
  @Test func aPageOfTheUserServesAnotherSessionToo() async throws {
    let slot = try await ServerSlot.acquire()
    let page = try ChildProcess(builtProduct("auricle"), ["web"], environment: environment)
    let first = try await page.waitForLine(containing: "/?code=")
    let (session, second) = try await runWithPage()
    let start = try #require(first.components(separatedBy: "code=").first)
    #expect(second.hasPrefix(start) && second != first)
    session.signal(SIGTERM)
    #expect(try await session.wait() == .exited(0), "\(session.transcript)")
    let (status, link) = try await auricle(["web", "--link"], environment: environment)
    #expect(status == .exited(0) && link.standardOutput.hasPrefix(start))
    page.signal(SIGTERM)
    #expect(try await page.wait() == .exited(0))
    withExtendedLifetime(slot) {}
  }

  /// The announcement ends with the program, even if that is killed.
  @Test(arguments: [SIGTERM, SIGKILL])
  func oscQueryIsAnnouncedUntilTheEnd(_ signal: Int32) async throws {
    let avahi = try AvahiStandIn(in: directory)
    let path = avahi.program.deletingLastPathComponent().path + ":/usr/bin:/bin"
    let socket = try SessionSocket(
      name: "stage", in: ControlFolder(environment: ["XDG_RUNTIME_DIR": directory.url.path]))
    defer { socket.close() }
    let session = try await SteppedSession(
      directory.write(Configurations.filter(), to: "session.toml"), socket: socket)
    let child = try ChildProcess(
      builtProduct("auricle"),
      ["web", "--listen", "0.0.0.0", "--host", "studio.example", "--oscquery"],
      environment: environment.merging(["PATH": path]) { $1 })
    let line = try await child.waitForLine(containing: "OSCQuery: http://studio.example:")
    let port = try #require(line.split(separator: ":").last)
    #expect(
      await session.step(until: {
        avahi.published == ["-s stage _oscjson._tcp \(port)"]
      }))
    child.signal(signal)
    _ = try await child.wait()
    #expect(await eventually { avahi.published.isEmpty })
    #expect(await session.end() == nil)
  }

  /// A browser that runs on beside the server gets the address.
  @Test func theAddressIsOpened() async throws {
    let opener = try directory.write("#!/bin/sh\necho \"opened $1\"\n", to: "bin/xdg-open")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: opener.path)
    let path = opener.deletingLastPathComponent().path + ":/usr/bin:/bin"
    let child = try ChildProcess(
      builtProduct("auricle"), ["web", "--open"],
      environment: environment.merging(["PATH": path]) { $1 })
    let line = try await child.waitForLine(containing: "opened http://127.", in: .standardError)
    #expect(line.contains("/?code=m"))
    child.signal(SIGTERM)
    #expect(try await child.wait() == .exited(0), "\(child.transcript)")
  }
}
