// Outside ports: physical ports by a portable name, wrong ports, and ports shared by channels.

import Foundation
import TestSupport
import Testing

@Suite(.serialized) struct OutsidePortTests {
  private func session(_ connections: (from: String, to: String)...) -> String {
    Configurations.filter(
      connections: connections.map { Configurations.connection(from: $0.from, to: $0.to) }
        .joined())
  }

  @Test func thePhysicalPortsAreTheMachinesOwn() async throws {
    let server = try await JackServer.start()
    // A client that precedes them in no list, and must not be mistaken for them.
    let other = try JackTestClient(server, "another", audioInputs: 2, audioOutputs: 2)
    let auricle = try await RunningAuricle(
      session(("lowpass", "physical:outputs"), ("physical:inputs", "lowpass")), on: server)
    for channel in 1...2 {
      #expect(
        other.connections(of: "filter:lowpass_out_\(channel)") == ["system:playback_\(channel)"])
      #expect(
        other.connections(of: "filter:lowpass_in_\(channel)") == ["system:capture_\(channel)"])
    }
    try await auricle.expectEnd()
  }

  @Test func aPhysicalPortThatIsNotThereIsWaitedFor() async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(
      """
      [[unit]]
      id = "arp"
      component = "midi"
      [[unit]]
      id = "beats"
      component = "midi"
      [[connect]]
      from = "physical:midi"
      to = "arp"
      [[connect]]
      from = "physical:midi"
      to = "beats"
      """, on: server)
    _ = try await auricle.child.waitForLine(
      containing: "waits for 'physical:midi'", in: .standardError)
    try await auricle.expectEnd()
    // Said once, not for each connection.
    #expect(auricle.child.standardError.split(separator: "waits for").count == 2)
  }

  @Test func aCheckTellsWhichPortsAreMissing() async throws {
    let rig = try ControlRig()
    let server = try await JackServer.start()
    let auricle = try await rig.run(
      """
      [[unit]]
      id = "arp"
      component = "midi"
      [[connect]]
      from = "Keys:*"
      to = "arp"
      """, on: server)
    #expect(
      try await rig.refusal("check") == "auricle: missing: Keys:* for arp_midi_in\n")
    #expect(try await rig.ctl("status").contains("\nmissing Keys:* for arp_midi_in\n"))
    let keys = try JackTestClient(server, "Keys", midiOutputs: 1)
    #expect(try await rig.ctl("check") == "nothing is missing\n")
    #expect(try !(await rig.ctl("status").contains("missing")))
    withExtendedLifetime(keys) {}
    try await auricle.expectEnd()
  }

  @Test(arguments: [
    ("lowpass", "system:capture_1", "sends audio", "system:playback_1"),
    ("system:playback_2", "lowpass", "takes audio", "system:capture_2"),
    ("lowpass", "keys:midi_in_1", "is a port for MIDI", "system:playback_1"),
    ("lowpass", "filter:lowpass_in_1", "of this session itself", "system:playback_1"),
  ])
  func anImpossiblePortIsReportedAsAMistake(
    from: String, to: String, fault: String, nearest: String
  ) async throws {
    let server = try await JackServer.start()
    let keys = try JackTestClient(server, "keys", midiInputs: 1)
    let directory = try TemporaryDirectory()
    let file = try directory.write(session((from, to)), to: "session.toml")
    let (status, child) = try await auricle(["run", file.path, "--server", server.name])
    #expect(status == .exited(2))
    let line = from == "lowpass" ? 12 : 11
    #expect(child.standardError.contains("session.toml:\(line):"), "\(child.standardError)")
    #expect(child.standardError.contains(fault), "\(child.standardError)")
    #expect(child.standardError.contains(nearest), "\(child.standardError)")
    withExtendedLifetime(keys) {}
  }

  @Test(arguments: [
    ("system:playback_9", "no such port"), ("sytem:playback_1", "no such port"),
    ("late:audio_in_*", "waits for 'late:audio_in_*'"),
  ])
  func aPortThatMayStillComeIsWaitedFor(name: String, told: String) async throws {
    let server = try await JackServer.start()
    let auricle = try await RunningAuricle(session(("lowpass", name)), on: server)
    let line = try await auricle.child.waitForLine(containing: told, in: .standardError)
    #expect(line.contains("session.toml:12:"))
    #expect(line.contains("'system:playback_1'") == (told == "no such port"), "\(line)")
    try await auricle.expectEnd()
  }

  /// Mixes all channels, since sound that is dropped is lost.
  @Test(arguments: ["system:playback_1", "mono:audio_in_*"])
  func aSinglePortTakesAllChannels(destination: String) async throws {
    let server = try await JackServer.start()
    let mono = try JackTestClient(server, "mono", audioInputs: 1)
    let auricle = try await RunningAuricle(
      session(("lowpass", destination), ("system:capture_2", "lowpass")), on: server)
    let port = destination.replacingOccurrences(of: "*", with: "1")
    for channel in 1...2 {
      #expect(mono.connections(of: "filter:lowpass_out_\(channel)") == [port])
      #expect(mono.connections(of: "filter:lowpass_in_\(channel)") == ["system:capture_2"])
    }
    _ = try await auricle.child.waitForLine(
      containing: "mixed into \(port)", in: .standardError)
    try await auricle.expectEnd()
  }

  @Test func channelsShareAPortUntilTheOthersCome() async throws {
    let server = try await JackServer.start()
    let first = try JackTestClient(server, "late1", audioInputs: 1)
    let auricle = try await RunningAuricle(
      session(("lowpass", "late?:audio_in_*")), on: server)
    #expect(first.connections(of: "filter:lowpass_out_2") == ["late1:audio_in_1"])
    let second = try JackTestClient(server, "late2", audioInputs: 1)
    #expect(
      await eventually {
        first.connections(of: "filter:lowpass_out_2") == ["late2:audio_in_1"]
      })
    #expect(first.connections(of: "filter:lowpass_out_1") == ["late1:audio_in_1"])
    withExtendedLifetime(second) {}
    try await auricle.expectEnd()
  }

  @Test(arguments: [
    ("lowpass", "physical:inputs", "physical:outputs"),
    ("physical:output", "lowpass", "physical:inputs"),
    ("lowpass:midi", "physical:outputs", "physical:midi"),
  ])
  func aWrongWordForPhysicalPortsIsRefusedWithTheAcceptedOnes(
    from: String, to: String, accepted: String
  ) async throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write(session((from, to)), to: "session.toml")
    let (status, child) = try await auricle(["run", file.path, "--server", absentServer])
    #expect(status == .exited(2))
    #expect(child.standardError.contains(accepted), "\(child.standardError)")
  }

  @Test func aServerThatStopsMeanwhileIsSaidAndSoIsItsReturn() async throws {
    let server = try await JackServer.start()
    let servers = children(of: getpid(), running: "jackd")
    let jackd = try #require(servers.count == 1 ? servers[0] : nil)
    let auricle = try await RunningAuricle(Configurations.filter(), on: server)
    kill(jackd, SIGSTOP)
    defer { kill(jackd, SIGCONT) }
    _ = try await auricle.child.waitForLine(containing: "runs no cycles", in: .standardError)
    kill(jackd, SIGCONT)
    _ = try await auricle.child.waitForLine(containing: "runs again", in: .standardError)
    try await auricle.expectEnd()
  }
}
