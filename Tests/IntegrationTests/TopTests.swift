// `auricle top` on a terminal, with sessions on a live server.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct TopTests {
  private let rig: ControlRig

  init() throws { rig = try ControlRig() }

  /// Starts `auricle top` on a terminal.
  private func start(_ terminal: PseudoTerminal) throws -> ChildProcess {
    // Crashes end it by their signal, without a runtime that explains them.
    let sanitizer = ProcessInfo.processInfo.environment["ASAN_OPTIONS"] ?? ""
    return try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", #"exec "$1" top <"$0" >"$0""#, terminal.path, builtProduct("auricle").path],
      environment: rig.environment.merging([
        "TERM": "xterm", "LC_ALL": "C.UTF-8", "SWIFT_BACKTRACE": "enable=no",
        "ASAN_OPTIONS": sanitizer + ":handle_segv=0",
      ]) { $1 })
  }

  /// Whether a text appears in 30 s. Ctrl-L redraws all; otherwise only differences are written.
  private func shows(_ terminal: PseudoTerminal, _ text: String) async -> Bool {
    await eventually(within: .seconds(30)) {
      terminal.type("\u{0C}")
      return terminal.text.contains(text)
    }
  }

  /// Waits for the end of `top`. Its output is read meanwhile: a full terminal would hold it up.
  private func end(
    of top: ChildProcess, on terminal: PseudoTerminal
  ) async throws -> ChildProcess.ExitStatus {
    _ = await eventually(within: .seconds(30)) {
      _ = terminal.text
      return !top.isRunning
    }
    return try await top.wait()
  }

  /// xterm's sequences for its alternate screen.
  private let enter = "\u{1B}[?1049h"
  private let leave = "\u{1B}[?1049l"

  @Test func sessionsAreShownAsTheyComeHangAndGo() async throws {
    let server = try await JackServer.start()
    let terminal = try PseudoTerminal()
    let settings = terminal.settings
    let top = try start(terminal)
    #expect(await shows(terminal, "no session runs"), "\(terminal.text) \(top.transcript)")
    #expect(terminal.settings != settings)

    let auricle = try await rig.run(Configurations.filter(), on: server)
    #expect(await shows(terminal, "filter has come"))
    #expect(await shows(terminal, "lowpass_out_1"))
    // Its units are measured.
    #expect(await shows(terminal, "ev/s"))

    auricle.child.signal(SIGSTOP)
    #expect(await shows(terminal, "has not answered for"))
    auricle.child.signal(SIGCONT)
    auricle.child.signal(SIGKILL)
    #expect(await shows(terminal, "filter has ended"))

    terminal.type("q")
    #expect(try await end(of: top, on: terminal) == .exited(0), "\(top.transcript)")
    #expect(terminal.settings == settings)
    #expect(terminal.text.contains(enter) && terminal.text.contains(leave))
  }

  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func aSignalEndsItAndTheTerminalIsAsBefore(signal: Int32) async throws {
    let terminal = try PseudoTerminal(columns: 40, rows: 10)
    let settings = terminal.settings
    let top = try start(terminal)
    #expect(await shows(terminal, "no session runs"))
    top.signal(signal)
    #expect(try await end(of: top, on: terminal) == .exited(0))
    #expect(terminal.settings == settings)
    #expect(terminal.text.contains(leave))
  }

  @Test(arguments: [SIGQUIT, SIGILL, SIGSEGV])
  func aCrashLeavesTheTerminalAsBefore(signal: Int32) async throws {
    let terminal = try PseudoTerminal(columns: 40, rows: 10)
    let settings = terminal.settings
    let top = try start(terminal)
    #expect(await shows(terminal, "no session runs"))
    // It is drawing, or about to.
    terminal.type("\u{0C}\u{0C}\u{0C}")
    top.signal(signal)
    #expect(try await end(of: top, on: terminal) == .signalled(signal))
    #expect(terminal.settings == settings)
    let text = terminal.text
    let left = try #require(text.range(of: leave, options: .backwards), "\(text)")
    // Nothing is drawn on the former screen.
    #expect(!text[left.upperBound...].contains(enter), "\(text)")
  }

  @Test func itFollowsTheTerminalsSize() async throws {
    let terminal = try PseudoTerminal(columns: 40, rows: 10)
    let top = try start(terminal)
    #expect(await shows(terminal, "q quit"))
    #expect(!terminal.text.contains("arrows"))
    terminal.resize(columns: 100, rows: 30)
    top.signal(SIGWINCH)
    #expect(await shows(terminal, "q quit  arrows, pages scroll"))
    terminal.type("q")
    #expect(try await end(of: top, on: terminal) == .exited(0))
  }

  @Test func anUnknownTerminalIsReported() async throws {
    let terminal = try PseudoTerminal()
    let top = try ChildProcess(
      URL(fileURLWithPath: "/bin/sh"),
      ["-c", #"exec "$1" top <"$0" >"$0""#, terminal.path, builtProduct("auricle").path],
      environment: rig.environment.merging(["TERM": "no-such-terminal"]) { $1 })
    #expect(try await top.wait() == .exited(1))
    #expect(top.standardError.contains("TERM='no-such-terminal'"), "\(top.transcript)")
  }

  @Test func withoutATerminalItPrintsOnce() async throws {
    let server = try await JackServer.start()
    let auricle = try await rig.run(Configurations.filter(), on: server)
    for arguments in [["top"], ["top", "--once", "--client", "filter"]] {
      let (status, child) = try await IntegrationTests.auricle(
        arguments, environment: rig.environment)
      #expect(status == .exited(0), "\(child.transcript)")
      for part in ["filter  load ", "lowpass_out_1", " max ", "not connected"] {
        #expect(child.standardOutput.contains(part), "\(child.transcript)")
      }
      #expect(!child.standardOutput.contains("\u{1B}"))
    }
    let (unknown, child) = try await IntegrationTests.auricle(
      ["top", "--client", "filtr"], environment: rig.environment)
    #expect(unknown == .exited(1))
    #expect(child.standardError.contains("filter"), "\(child.transcript)")
    try await auricle.expectEnd()
    let (status, none) = try await IntegrationTests.auricle(
      ["top"], environment: rig.environment)
    #expect(status == .exited(1))
    #expect(none.standardError.contains("no session runs"))
  }

  @Test func anImpossibleIntervalIsRefused() async throws {
    let (status, child) = try await IntegrationTests.auricle(["top", "--interval", "0"])
    #expect(status == .exited(2))
    #expect(child.standardError.contains("0.1 to 60"))
  }
}
