// Composed music, played by the pool and by a single FluidSynth.

import Foundation
import MediaFiles
import TestSupport
import Testing

@testable import SamplerUnit

/// The pieces of Debian's package openttd-openmsx: General MIDI with drums, pedals, program changes
/// and bends.
@Suite struct RealPieceTests {
  private static let sampleRate = 48_000.0
  private static let seconds = 12.0
  private static let folder = URL(fileURLWithPath: "/usr/share/games/openttd/baseset/openmsx")
  private static let soundFont = URL(fileURLWithPath: "/usr/share/sounds/sf2/TimGM6mb.sf2")

  /// Every third piece.
  private static var pieces: [URL] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    let pieces = (files ?? []).filter { $0.pathExtension == "mid" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    return stride(from: 0, to: pieces.count, by: 3).map { pieces[$0] }
  }

  /// The messages of a piece's first `seconds`, on the grid of 64 frames.
  private func messages(_ piece: URL) throws -> [(Int, [UInt8])] {
    let file = try MIDIFile(contentsOf: piece)
    return file.events.prefix { $0.seconds < Self.seconds }.map {
      (Int($0.seconds * Self.sampleRate / 64) * 64, Array(file.bytes(of: $0)))
    }
  }

  @Test func thePiecesExist() {
    #expect(Self.pieces.count >= 10, "install Debian's package openttd-openmsx (make test does)")
  }

  @Test(arguments: pieces)
  func aRealPieceSoundsLikeOneFluidSynth(piece: URL) async throws {
    let midi = try messages(piece)
    let rig = try SamplerRig()
    rig["polyphony"] = 512
    try await rig.unit.load(soundFont: Self.soundFont)
    try rig.start()
    let frames = Int(Self.seconds * Self.sampleRate)
    let output = try rig.render(frames, midi, period: 1024)
    let reference = ReferenceSynth(Self.soundFont, polyphony: 512).render(frames, midi)
    for (own, its) in [(output.left, reference.left), (output.right, reference.right)] {
      #expect(peakDecibels(its) > -30)
      #expect(peakDecibels(difference: own, its) < peakDecibels(its) - 100)
    }
  }
}
