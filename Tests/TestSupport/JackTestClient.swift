// A JACK client that plays a script and records, frame by frame.
import CJack
import CTestSupport
import Foundation
import Synchronization

/// A JACK client next to the tested one. Its ports are `audio_in_1`…, `audio_out_1`…, `midi_in_1`…
/// and `midi_out_1`….
///
/// ```swift
/// let player = try JackTestClient(server, "player", midiOutputs: 1)
/// let recorder = try JackTestClient(server, "recorder", audioInputs: 2)
/// try await player.connect("player:midi_out_1", to: "auricle:piano_midi_in")
/// try await recorder.connect("auricle:piano_out_1", to: "recorder:audio_in_1")
/// player.script.midi = [TimedMIDI(frame: 100, bytes: [0x90, 60, 127])]
/// try await player.setFreewheel(true)
/// let takes = try await JackTestClient.run([player, recorder], frames: 48_000)
/// ```
///
/// Use one client to play and another to record. If a client's output reaches its own input, JACK
/// cannot run the tested client in between, and the recording is a period late.
///
/// - Thread: [control], one at a time
public final class JackTestClient: Sendable {
  /// The name assigned by JACK.
  public let name: String
  /// The server, which this client keeps running.
  public let server: JackServer
  /// The script of the next take.
  public var script: JackScript {
    get { scriptStorage.withLock { $0 } }
    set { scriptStorage.withLock { $0 = newValue } }
  }
  /// The longest take in frames.
  public let capacityFrames: Int
  public let audioInputs: Int
  public let audioOutputs: Int
  public let midiOutputs: Int

  private let scriptStorage = Mutex(JackScript())
  nonisolated(unsafe) let rig: OpaquePointer
  /// The JACK client, for calls outside of this class.
  nonisolated(unsafe) public let handle: OpaquePointer

  /// Opens a client and activates it.
  ///
  /// - Throws: `RigError.serverRefused`.
  public init(
    _ server: JackServer, _ name: String, audioInputs: Int = 0, audioOutputs: Int = 0,
    midiInputs: Int = 0, midiOutputs: Int = 0, capacityFrames: Int = 480_000,
    capacityEvents: Int = 65_536
  ) throws(RigError) {
    guard let handle = openJackClient(name, server: server.name) else {
      throw .serverRefused(operation: "opening client \(name)")
    }
    self.handle = handle
    self.name = String(cString: jack_get_client_name(handle))
    let ports = [audioInputs, audioOutputs, midiInputs, midiOutputs].map(UInt32.init)
    guard
      let rig = rigClientCreate(
        handle, ports, UInt32(capacityFrames), UInt32(capacityEvents),
        UInt32(capacityEvents * 16))
    else {
      throw .serverRefused(operation: "activating client \(name)")
    }
    self.rig = rig
    self.server = server
    self.capacityFrames = capacityFrames
    self.audioInputs = audioInputs
    self.audioOutputs = audioOutputs
    self.midiOutputs = midiOutputs
    server.openClients.withLock { $0 += 1 }
  }

  deinit {
    rigClientDestroy(rig)
    server.openClients.withLock { $0 -= 1 }
  }

  /// Frames of the take processed so far: 0 until its first frame.
  public var processedFrames: Int { Int(rigClientProcessedFrames(rig)) }

  /// Cycles since the client was opened.
  public var cycles: UInt64 { rigClientCycles(rig) }

  /// Xruns that JACK reported since the client was opened.
  public var xruns: Int { Int(rigClientXruns(rig)) }

  /// The server's current period in frames.
  public var period: Int { Int(jack_get_buffer_size(handle)) }

  /// The server's sample rate in hertz.
  public var sampleRate: Int { Int(jack_get_sample_rate(handle)) }

  /// The reason for the server's shutdown; nil while it runs.
  public var shutdownReason: String? {
    rigClientShutdownReason(rig).map { String(cString: $0) }
  }
}
