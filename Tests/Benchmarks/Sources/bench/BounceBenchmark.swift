// A bounce against `fluidsynth -F`, as whole processes on the same files.

import Foundation

/// Renders a MIDI file of two minutes with both programs.
struct BounceBenchmark {
  static let seconds = 120.0

  private let auricle: URL
  private let soundFont: URL
  private let folder: URL

  init(auricle: URL, soundFont: URL) throws {
    try need(command: auricle)
    try need(program: "fluidsynth")
    try need(file: soundFont)
    self.auricle = auricle
    self.soundFont = soundFont
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-bench-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.midiFile().write(to: folder.appendingPathComponent("song.mid"))
    let configuration = """
      [[unit]]
      id = "sampler"
      component = "sampler"
      soundfont = "\(soundFont.path)"
      """
    try Data(configuration.utf8).write(to: folder.appendingPathComponent("song.toml"))
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Wall-clock seconds of both, and their ratio, over alternating pairs of runs.
  func measure(pairs: Int = 5) throws -> Comparison {
    var figures: [(ours: Double, baseline: Double)] = []
    for _ in 0..<pairs { figures.append((try bounce(), try fluidsynth())) }
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    return Comparison(
      ours: median(figures.map(\.ours)), baseline: median(figures.map(\.baseline)),
      ratio: median(figures.map { $0.ours / $0.baseline }))
  }

  private func bounce() throws -> Double {
    try wallSeconds(
      auricle.path,
      [
        "bounce", path("song.toml"), "--midi", path("song.mid"), "--output", path("ours.wav"),
        "--tail", "0", "--overwrite",
      ])
  }

  private func fluidsynth() throws -> Double {
    try wallSeconds(
      "/usr/bin/env",
      [
        "fluidsynth", "-ni", "-q", "-R", "0", "-C", "0", "-r", "48000", "-O", "float", "-T", "wav",
        "-F", path("theirs.wav"), soundFont.path, path("song.mid"),
      ])
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Chords of four notes twice a second on four channels with different programs, and drums.
  private static func midiFile() -> Data {
    var track: [UInt8] = []
    for channel in UInt8(0)..<4 { track += [0, 0xC0 | channel, channel * 24] }
    let ticks = 48
    for chord in 0..<Int(seconds * 2) {
      let keys = (0..<4).map { UInt8(40 + (chord * 7 + $0 * 5) % 48) }
      for (voice, key) in keys.enumerated() { track += [0, 0x90 | UInt8(voice), key, 90] }
      track += [0, 0x99, 36 + UInt8(chord % 8), 100]
      track += [UInt8(ticks), 0x89, 36 + UInt8(chord % 8), 0]
      for (voice, key) in keys.enumerated() { track += [0, 0x80 | UInt8(voice), key, 0] }
    }
    track += [0, 0xFF, 0x2F, 0]
    var data = Data("MThd".utf8 + [0, 0, 0, 6, 0, 0, 0, 1, 0, 48])
    // 48 ticks are a quarter note, and the tempo is 120 a minute: half a second.
    data += Data("MTrk".utf8)
    withUnsafeBytes(of: UInt32(track.count).bigEndian) { data += $0 }
    return data + Data(track)
  }
}
