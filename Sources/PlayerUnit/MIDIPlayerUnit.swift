// A MIDI file as a unit.

public import Foundation
public import MediaFiles
public import UnitModel
import UnitRender

/// Plays a MIDI file: sends its messages, each on the frame nearest to its time, as a bounce does.
///
/// - What is more than a cycle takes goes on in the next, in order, and is counted
///   (`lateMessages`).
/// - Keys and pedals that are down at the file's end are released then.
/// - Where it goes on after its resources were allocated anew, all messages before that are sent
///   again, but notes.
public final class MIDIPlayerUnit: PlayerUnit, @unchecked Sendable {
  /// The file that is played.
  ///
  /// - Thread: [any]
  public let score: MIDIFile

  /// Reads a file whole.
  ///
  /// - Thread: [control]
  public init(contentsOf url: URL) throws(PlayerError) {
    do throws(MIDIFileError) { score = try MIDIFile(contentsOf: url) } catch { throw .midi(error) }
    do {
      try super.init(
        description: ComponentDescription(
          type: .midiProcessor, subtype: "mply", manufacturer: "Aurc"),
        file: url.relativePath, durationSeconds: score.durationSeconds)
    } catch { throw .failed("\(error)") }
  }

  public override var midiOutputNames: [String] { ["Output"] }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let sampleRate = sampleRate
    let score = MIDIScore(score, sampleRate: sampleRate, from: resume(at: sampleRate))
    return RenderResources(
      MIDIPlayerKernel(score, words, values: parameterValues, sampleRate: sampleRate),
      for: self, render: midiPlayerRender, reset: midiPlayerReset)
  }
}
