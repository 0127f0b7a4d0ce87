// A MIDI file as a unit.

public import FoundationEssentials
public import MediaFiles
public import UnitModel
import UnitRender

/// Plays a MIDI file: sends its messages, each on the frame nearest to its time, as a bounce does.
///
/// - Messages that exceed a cycle's room follow in the next cycle, in order, and are counted
///   (`lateMessages`).
/// - Keys and pedals still held at the file's end are released at that frame.
/// - If its resources are allocated again in mid-file, it first resends all earlier messages except
///   notes.
public final class MIDIPlayerUnit: PlayerUnit, @unchecked Sendable {
  /// The file that is played.
  ///
  /// - Thread: [any]
  public let score: MIDIFile

  /// Reads the whole file.
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
