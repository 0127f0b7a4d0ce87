// Notes by OSC.

import Configuration
import Glibc
import SessionTestSupport
import TestSupport
import Testing

@testable import OSC
@testable import Remotes
@testable import Session
@testable import SessionModel

@Suite struct OSCNoteTests {
  private let rig: KeysRig

  init() throws { rig = try KeysRig() }

  private func listen(_ transport: OSCConfiguration.Transport = .udp) throws -> SessionOSC {
    var configuration = OSCConfiguration(port: Located(0, at: .nowhere))
    configuration.transport = transport
    return try SessionOSC(configuration, units: ["keys", "lowpass"])
  }

  @Test func notesBeginAndEnd() async throws {
    let osc = try listen()
    defer { osc.close() }
    let session = try await rig.run(osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    try sender.send(OSCMessage("/keys/note", [.int32(60), .float(100)]))
    try sender.send(OSCMessage("/keys/note", [.int32(64), .float(99.6), .int32(1)]))
    // The answer arrives once earlier messages are done.
    _ = try await sender.ask("/auricle/list")
    let start = Int(session.frame)
    await session.step(256)
    #expect(session.audio("keys_out_1")[start...].contains { $0 != 0 })
    #expect(await rig.hasVoices(2, session))
    for key in [60, 64] {
      try sender.send(OSCMessage("/keys/note", [.int32(Int32(key)), .int32(0)]))
    }
    #expect(await rig.hasVoices(0, session))
    #expect(await session.end() == nil)
  }

  @Test func mistakesInNotesAreReported() async throws {
    let osc = try listen()
    defer { osc.close() }
    let session = try await rig.run(osc: osc)
    let sender = try OSCTestSender(to: osc.places[0])
    for (address, arguments, expected): (String, [OSCArgument], String) in [
      ("/keys/note", [.int32(128), .int32(1)], "argument 1 is 128; accepted: a key"),
      ("/keys/note", [.int32(60), .int32(-1)], "argument 2 is -1"),
      ("/keys/note", [.int32(60), .float(.nan)], "argument 2 is nan"),
      ("/keys/note", [.int32(60), .int32(1), .int32(0)], "argument 3 is 0"),
      ("/keys/note", [.int32(60), .int32(1), .int32(1), .int32(1)], "4 arguments"),
      ("/lowpass/note", [.int32(60), .int32(1)], "'lowpass' takes no MIDI; accepted: keys"),
      ("/kes/note", [.int32(60), .int32(1)], "did you mean 'keys'?"),
    ] {
      try sender.send(OSCMessage(address, arguments))
      let answer = try await sender.answer()
      #expect(answer.address == "/auricle/error")
      guard case .string(let text)? = answer.arguments.last else { continue }
      #expect(text.contains(expected), "\(answer)")
    }
    #expect(await rig.hasVoices(0, session))
    #expect(await session.end() == nil)
  }

  @Test func theNotesOfAConnectionEndWithIt() async throws {
    let osc = try listen(.tcp)
    defer { osc.close() }
    let session = try await rig.run(osc: osc)
    let connection = try #require(Connection(to: osc.places[0]))
    for key: Int32 in [60, 62, 64] {
      connection.send(OSCMessage("/keys/note", [.int32(key), .int32(100)]))
    }
    connection.send(OSCMessage("/keys/note", [.int32(62), .int32(0)]))
    #expect(await rig.hasVoices(2, session))
    connection.close()
    #expect(await rig.hasVoices(0, session))
    #expect(await session.end() == nil)
  }

  /// A flood of other messages leaves no note.
  @Test func aFullQueueStillTakesTheEndsOfNotes() throws {
    var inbox = OSCInbox()
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 1))
    func note(_ velocity: UInt8) -> OSCTask {
      OSCTask(
        request: .note(PlayedNote(unit: "a", channel: 0, key: 60, velocity: velocity)),
        peer: OSCPeer(at: place), address: "/a/note", time: .immediate, subject: nil)
    }
    for _ in 0..<OSCInbox.maximumTasks { #expect(inbox.add(note(1)) == .taken) }
    #expect(inbox.add(note(1)) == .full)
    for _ in 0..<OSCInbox.maximumReleases { #expect(inbox.add(note(0)) == .taken) }
    #expect(inbox.add(note(0)) == .full)
  }

  /// A queue that refuses the end of a note leaves it to the connection's end.
  @Test func aNoteEndsThatHadNoRoomForItsEnd() throws {
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 1))
    let peer = OSCPeer(place: place, connection: 7)
    var state = SessionOSC.State()
    let note = PlayedNote(unit: "a", channel: 0, key: 60, velocity: 9)
    func task(_ note: PlayedNote) -> OSCTask {
      OSCTask(
        request: .note(note), peer: peer, address: "/a/note", time: .immediate, subject: nil)
    }
    #expect(state.add(task(note)) == .taken)
    for _ in 1..<OSCInbox.maximumTasks + OSCInbox.maximumReleases {
      _ = state.inbox.add(task(note.released))
    }
    #expect(state.add(task(note.released)) == .full)
    #expect(state.notes.remove(peer).ends == [note.released])
    // A note that was not taken does not have to end.
    #expect(state.add(task(note)) == .full)
    #expect(state.notes.remove(peer).ends.isEmpty)
  }

  /// A note with a future time that was begun by a connection which has gone ends after it.
  @Test func heldNotesEndAfterTheyHaveBegun() throws {
    let place = try #require(OSCEndpoint(address: "127.0.0.1", port: 1))
    let peer = OSCPeer(place: place, connection: 7)
    var (notes, inbox) = (OSCNotes(), OSCInbox())
    let (early, late) = (OSCTimeTag(unixMicroseconds: 1000), OSCTimeTag(unixMicroseconds: 2000))
    let note = PlayedNote(unit: "a", channel: 3, key: 60, velocity: 9)
    notes.take(note, of: peer, at: late)
    notes.take(note, of: peer, at: early)
    let (ends, time) = notes.remove(peer)
    #expect(ends == [note.released, note.released] && time == late)
    #expect(ends[0].bytes == [0x83, 60, 64] && note.bytes == [0x93, 60, 9])
    inbox.release(ends, of: peer, at: time)
    #expect(inbox.takeTimed(9, until: early) { _ in true }.isEmpty)
    #expect(
      inbox.takeTimed(9, until: late) { _ in true }.map(\.request)
        == ends.map { .note($0) })
    // Nothing is held any more; over UDP nothing ever is.
    #expect(notes.remove(peer).ends.isEmpty)
    notes.take(note, of: OSCPeer(at: place), at: late)
    #expect(notes.remove(OSCPeer(at: place)).ends.isEmpty)
    // As many as a connection may hold.
    for number in 0..<HeldKeys<OSCTimeTag>.maximumPresses {
      let note = PlayedNote(unit: "\(number)", channel: 0, key: 1, velocity: 1)
      #expect(notes.mayTake(note, of: peer))
      notes.take(note, of: peer, at: early)
    }
    #expect(!notes.mayTake(note, of: peer) && notes.mayTake(note.released, of: peer))
  }

  /// Each other machine has its own limit on answers.
  @Test func oneMachineCannotTakeTheAnswersOfAnother() throws {
    let start = ContinuousClock.now
    func place(_ host: String, _ port: Int = 1) throws -> OSCEndpoint {
      try #require(OSCEndpoint(address: host, port: port))
    }
    var answers = OSCAnswers()
    func spent(_ place: OSCEndpoint, _ seconds: Int = 0) -> Int {
      (0..<5000).count { _ in answers.spend(for: OSCPeer(at: place), at: start + .seconds(seconds))
      }
    }
    let far = try place("10.0.0.1")
    #expect(spent(far) == 1024)
    let (same, other) = (try place("10.0.0.1", 9), try place("10.0.0.2"))
    #expect(spent(same) == 0 && spent(other) == 1024)
    let near = try place("127.0.0.1")
    #expect(spent(near) == 2048)
    #expect(spent(far, 9) == 1024)
    // Many machines take the place of the one that has been silent the longest.
    for number in 0..<100 {
      let place = try place("10.1.0.\(number)")
      #expect(spent(place, 20 + number) == 1024)
    }
  }
}

/// A TCP connection that sends packets after their lengths.
private final class Connection {
  private let descriptor: Int32

  init?(to url: String) {
    guard let port = url.split(whereSeparator: { "/:".contains($0) }).last.flatMap({ UInt16($0) })
    else { return nil }
    descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(descriptor, $0, size) }
    }
    if result != 0 { return nil }
  }

  func send(_ message: OSCMessage) {
    let bytes =
      withUnsafeBytes(of: UInt32(message.bytes.count).bigEndian, Array.init) + message.bytes
    #expect(Glibc.send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count)
  }

  func close() { Glibc.close(descriptor) }
}
