// The configurations shipped with Auricle.

import Foundation
import MediaFiles
import TestSupport

public enum ReadyConfigurations {
  public static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("config")

  public static let names = [
    "arpeggiator.toml", "channel-strip.toml", "comb.toml", "daw.toml", "default.toml",
    "delay.toml", "distortion.toml", "ducking.toml", "eq.toml", "filter.toml",
    "general-midi.toml", "karaoke.toml", "keyboard.toml", "layers.toml", "liveset.toml",
    "mixer.toml", "player.toml", "sampler.toml", "scene.toml", "sound.toml", "space.toml",
    "stretch.toml", "studio.toml", "tape.toml", "tone.toml",
  ]

  /// Names of the configurations that need a track, with the name of the track's file.
  public static let tracks = ["karaoke.toml": "backing.flac", "player.toml": "track.flac"]

  /// Returns a configuration. If it needs a track, writes one, with a copy of the configuration
  /// next to it.
  public static func file(_ name: String, in directory: TemporaryDirectory) throws -> URL {
    let shipped = folder.appendingPathComponent(name)
    guard let track = tracks[name] else { return shipped }
    let writer = try AudioFileWriter(
      url: directory.file(track), sampleRate: 44_100, channelCount: 2)
    let sine = Signal.sine(
      frames: 44_100, frequencyHertz: 500, sampleRate: 44_100, amplitude: 0.25)
    try writer.write([sine, sine])
    try writer.finish()
    return try directory.write(String(contentsOf: shipped, encoding: .utf8), to: name)
  }
}
