// A bounce of a stretched file against the `rubberband` command, as whole processes.

import Foundation

/// Stretches a minute of stereo with both programs, by the same engine in the same mode.
struct StretchBenchmark {
  /// The duration of the file.
  static let seconds = 60.0

  private let auricle: URL
  private let rate: Double
  private let cents: Double
  private let folder: URL

  init(auricle: URL, rate: Double, cents: Double) throws {
    try need(command: auricle)
    try need(program: "rubberband")
    self.auricle = auricle
    self.rate = rate
    self.cents = cents
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "auricle-stretch-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try Self.sound().write(to: folder.appendingPathComponent("sound.wav"))
    let configuration = """
      [[unit]]
      id = "sound"
      component = "player"
      file = "\(folder.path)/sound.wav"
      parameters = { transport = true }
      [[unit]]
      id = "stretch"
      component = "time-pitch"
      parameters = { rate = \(rate), pitch = \(cents) }
      [[connect]]
      from = "sound"
      to = "stretch"
      """
    try Data(configuration.utf8).write(to: folder.appendingPathComponent("stretch.toml"))
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  /// Wall-clock seconds of both, and their ratio, over alternating pairs of runs.
  func measure(pairs: Int = 3) throws -> Comparison {
    let figures = try (0..<pairs).map { _ in (ours: try bounce(), baseline: try rubberband()) }
    return Comparison(medianOf: figures)
  }

  private func bounce() throws -> Double {
    try wallSeconds(
      auricle.path,
      [
        "bounce", path("stretch.toml"), "--output", path("ours.wav"), "--seconds",
        "\(Self.seconds / rate)", "--overwrite",
      ])
  }

  private func rubberband() throws -> Double {
    try wallSeconds(
      "/usr/bin/env",
      [
        "rubberband", "-q", "-3", "-R", "-t", "\(1 / rate)", "-p", "\(cents / 100)",
        path("sound.wav"), path("theirs.wav"),
      ])
  }

  private func path(_ name: String) -> String { folder.appendingPathComponent(name).path }

  /// Sines with noise, as a stereo WAV of 16 bits.
  private static func sound() -> Data {
    let frames = Int(seconds) * 48_000
    var data = Data("RIFF".utf8)
    func append<Number: FixedWidthInteger>(_ number: Number) {
      withUnsafeBytes(of: number.littleEndian) { data += $0 }
    }
    append(UInt32(36 + 4 * frames))
    data += Data("WAVEfmt ".utf8)
    append(UInt32(16))
    for number in [1, 2] as [UInt16] { append(number) }
    for number in [48_000, 192_000] as [UInt32] { append(number) }
    for number in [4, 16] as [UInt16] { append(number) }
    data += Data("data".utf8)
    append(UInt32(4 * frames))
    var seed: UInt32 = 1
    for frame in 0..<frames {
      for side in 1...2 {
        seed = seed &* 1_664_525 &+ 1_013_904_223
        let noise = Double(seed >> 16) / 65_536 - 0.5
        let tone = sin(Double(frame * side) * 0.03) + sin(Double(frame) * 0.11)
        append(Int16(8_000 * tone + 2_000 * noise))
      }
    }
    return data
  }
}
