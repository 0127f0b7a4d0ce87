// Every kind of file, recorded in one take of a session and read by another program.

import Foundation
import MediaFiles
import TestSupport
import Testing

@Suite(.serialized) struct RecordedKindTests {
  private let rig: ControlRig
  private let sound = [220, 330].map {
    Signal.sine(frames: 240_000, frequencyHertz: $0, amplitude: 0.3)
  }

  init() throws { rig = try ControlRig() }

  private struct Kind {
    let container: AudioFileFormat.Container
    let encoding: AudioFileFormat.Encoding

    static let all = AudioFileFormat.Container.allCases.flatMap { container in
      AudioFileFormat.encodings(of: container).map { Kind(container: container, encoding: $0) }
    }

    var id: String { "\(container)-\(encoding.rawValue)" }
    var fileName: String { "\(id).\(container.rawValue)" }

    var tolerance: Double {
      switch encoding {
      case .float: 0
      case .int16: 0.5 / 32_768
      case .int24: 0.5 / 8_388_608
      case .int32: 0.5 / 2_147_483_648
      case .vorbis: 0.03
      }
    }
  }

  /// Starts a session with a player of five seconds, and a recorder of each kind at its output.
  private func run(on server: JackServer) async throws -> RunningAuricle {
    let file = rig.directory.file("sound.wav")
    let writer = try AudioFileWriter(url: file, sampleRate: 48_000, channelCount: 2)
    try writer.write(sound)
    try writer.finish()
    var text = """
      [client]
      name = "live"
      [[unit]]
      id = "backing"
      component = "player"
      file = "\(file.path)"

      """
    for kind in Kind.all {
      text += """
        [[unit]]
        id = "\(kind.id)"
        component = "recorder"
        file = "\(rig.directory.file(kind.fileName).path)"
        parameters = { recording = true }
        \(kind.encoding == .vorbis ? "" : "encoding = \"\(kind.encoding.rawValue)\"")
        [[connect]]
        from = "backing"
        to = "\(kind.id)"

        """
    }
    return try await rig.run(text, on: server)
  }

  /// Reads the files with ffmpeg; `plain` is the audio of `wav-float`.
  private func read() async throws -> (plain: [[Double]], all: [(kind: Kind, audio: [[Double]])]) {
    let files = Kind.all.map { rig.directory.file($0.fileName) }
    let all = zip(Kind.all, try await FFmpeg.read(files, channelCount: 2)).map {
      (kind: $0, audio: $1)
    }
    let plain = try #require(all.first { $0.kind.id == "wav-float" }).audio
    return (plain, all)
  }

  private func expectSame(_ kind: Kind, _ audio: [[Double]], as plain: [[Double]]) {
    for (samples, expected) in zip(audio, plain) {
      let worst = zip(samples, expected).reduce(0) { max($0, abs($1.0 - $1.1)) }
      #expect(worst <= kind.tolerance, "\(kind.id)")
    }
  }

  @Test func aTakeIsWholeInEveryKindOfFile() async throws {
    // A server that waits for its clients: one that skips a cycle leaves a gap in what is played.
    let server = try await JackServer.start(period: 1024, isSynchronous: true)
    let auricle = try await run(on: server)
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    var state = ""
    while state != "Stopped\n" { state = try await rig.ctl("get", "backing/state") }
    try await auricle.expectEnd()
    let (plain, all) = try await read()
    // A sine begins with a zero.
    let start = try #require(plain[0].firstIndex { $0 != 0 }) - 1
    for channel in 0..<2 {
      let played = plain[channel][start..<start + 240_000].map { Float($0) }
      #expect(firstDifference(played, sound[channel]) == nil)
    }
    for (kind, audio) in all {
      #expect(audio.map(\.count) == plain.map(\.count), "\(kind.id)")
      expectSame(kind, audio, as: plain)
    }
  }

  @Test func aKillTakesTheLastSecondOfEveryKindOfFileAtMost() async throws {
    let server = try await JackServer.start()
    let auricle = try await run(on: server)
    #expect(try await rig.ctl("set", "backing/state", "Playing") == "")
    let plainFile = rig.directory.file("wav-float.wav")
    let isThere = await eventually {
      ((try? AudioFileReader(contentsOf: plainFile))?.frameCount ?? 0) >= 3 * 48_000
    }
    #expect(isThere)
    #expect(try await auricle.end(with: SIGKILL) == .signalled(SIGKILL))
    // The bytes that were written, whatever the header says.
    let bytes = try plainFile.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    let (plain, all) = try await read()
    for (kind, audio) in all {
      #expect(audio[0].count >= bytes / 8 - 48_000, "\(kind.id)")
      // The files are written one after the other, so that one may have a little more.
      expectSame(kind, audio, as: plain)
    }
  }
}
