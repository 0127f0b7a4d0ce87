// The files that a soak plays and records.

import Foundation
import MediaFiles
import TestSupport

/// Sounds of each readable kind, SoundFonts, a MIDI file, and files that are none of these.
struct SoakMaterial {
  let folder: TemporaryDirectory
  /// Sounds of three seconds, at several rates and with one or two channels.
  private(set) var sounds: [URL] = []
  let fonts: [URL]
  let song: URL
  /// Files that neither players nor samplers take.
  let broken: [URL]

  /// The formats to record.
  static let recorded:
    [(container: AudioFileFormat.Container, encoding: AudioFileFormat.Encoding)] =
      AudioFileFormat.Container.allCases.flatMap { container in
        AudioFileFormat.encodings(of: container).map { (container, $0) }
      }

  /// Formats that are read and not written, as arguments of ffmpeg.
  private static let foreign: [[String]] = [
    ["a.mp3"], ["-c:a", "libopus", "opus.ogg"], ["a.au"], ["-c:a", "pcm_u8", "8.wav"],
    ["-c:a", "pcm_f64le", "64.wav"], ["-c:a", "adpcm_ima_wav", "adpcm.wav"],
    ["-c:a", "pcm_alaw", "alaw.wav"], ["-c:a", "pcm_mulaw", "mulaw.aifc"],
  ]

  init() async throws {
    let folder = try TemporaryDirectory()
    self.folder = folder
    func tone(_ frames: Int) -> [Float] {
      Signal.sine(frames: frames, frequencyHertz: 220, amplitude: 0.2)
    }
    for (number, kind) in Self.recorded.enumerated() {
      let rate = [44_100, 48_000, 96_000][number % 3]
      let url = folder.file("\(kind.encoding.rawValue).\(kind.container.rawValue)")
      let writer = try AudioFileWriter(
        url: url,
        format: AudioFileFormat(fileName: url.lastPathComponent, encoding: kind.encoding),
        sampleRate: Double(rate), channelCount: 1 + number % 2)
      try writer.write([[Float]](repeating: tone(3 * rate), count: 1 + number % 2))
      try writer.finish()
      sounds.append(url)
    }
    guard let ffmpeg = installedProgram("ffmpeg") else { throw RigError.programMissing("ffmpeg") }
    for arguments in Self.foreign {
      let url = folder.file(arguments.last!)
      let child = try ChildProcess(
        ffmpeg, ["-v", "error", "-i", sounds[0].path] + arguments.dropLast() + [url.path])
      let status = try await child.wait()
      guard status == .exited(0) else {
        throw RigError.endedEarly(waitingFor: url.path, status: status, output: child.transcript)
      }
      sounds.append(url)
    }
    let zones: [SoundFontMaker.Zone] = [
      .init(sample: .sine(), keys: 0...60, releaseSeconds: 0.2),
      .init(sample: .noise(seed: 1, frames: 48_000), keys: 61...127, releaseSeconds: 0.5),
    ]
    let maker = SoundFontMaker(presets: [.init(name: "One", zones: zones)])
    fonts = [
      try maker.write(to: folder.file("a.sf2")),
      try maker.writeCompressed(to: folder.file("b.sf3")),
    ]
    var file = MIDIFileMaker.frameExact(sampleRate: 48_000)
    for note in 0..<64 { file.addNote(UInt8(40 + note), at: note * 500, length: 4_000) }
    song = try folder.write(file.bytes(), to: "song.mid")
    let begun = try Data(contentsOf: fonts[0]).prefix(5_000)
    broken = [
      try folder.write("no sound", to: "text.wav"),
      try folder.write([UInt8](begun), to: "half.sf2"),
      folder.file("absent.flac"), folder.file("absent.sf2"),
    ]
  }
}
