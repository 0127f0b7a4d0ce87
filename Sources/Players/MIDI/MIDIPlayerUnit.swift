// MIDI files as a unit.

package import MediaFiles
import Synchronization
package import UnitModel
import UnitRender

/// Plays MIDI files, one after the other: sends their messages, each on the frame nearest to its
/// time, as a bounce does.
///
/// - Messages that exceed a cycle's room follow in the next cycle, in order, and are counted
///   (`lateMessages`).
/// - Keys and pedals still held at a file's end are released at that frame.
/// - While bypassed it pauses at its position and holds no notes.
/// - If its resources are allocated again, for another server or sample rate, it resumes at its
///   position, and first resends all earlier messages except notes.
/// - Parameters: `position`, in seconds from the file's beginning, read-only.
package final class MIDIPlayerUnit: AudioUnit, @unchecked Sendable {
  private struct State {
    /// The file of the last call of `play`.
    var file: MIDIFile?
    /// Whether it follows another file.
    var isFollowing = false
    var loops = false
    /// Sample rate that the position counts at, in hertz.
    var sampleRate = AudioFormat.standard.sampleRate
  }

  private let state = Mutex(State())
  private let shared = PlayerSharedState()

  /// Makes an idle player without render resources.
  ///
  /// - Throws: `ParameterTreeError`.
  /// - Thread: [control]
  package init() throws {
    try super.init(
      componentDescription: ComponentDescription(
        type: .midiProcessor, subtype: "mply", manufacturer: "Aurc"),
      outputBusses: BusArray(.output),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "position", name: "Position", address: 0, range: -10...1_000_000,
          defaultValue: 0, unit: .seconds, flags: [.readable])
      ]))
  }

  deinit { shared.deallocate() }

  public override var midiOutputNames: [String] { ["Output"] }

  public override var virtualMIDICableCount: Int { 0 }

  public override var supportsUserPresets: Bool { false }

  /// Starts the playback of a file.
  ///
  /// - Parameters:
  ///   - seconds: delay after the next cycle's first frame, 0 to 10.
  ///   - isFollowing: whether the file follows another one. If so, a General MIDI reset is sent
  ///     before it.
  ///   - loops: whether the file starts again on the frame of its end, until `end`.
  /// - Throws: `PlaybackError.isPlaying`, unless `isIdle`.
  /// - Thread: [control]
  package func play(
    _ file: MIDIFile, afterSeconds seconds: Double = 0, isFollowing: Bool = false,
    loops: Bool = false
  ) throws(PlaybackError) {
    try state.withLock { (state) throws(PlaybackError) in
      guard isIdle else { throw .isPlaying }
      (state.file, state.isFollowing, state.loops) = (file, isFollowing, loops)
      shared.position = 0 - Int((max(0, min(seconds, 10)) * state.sampleRate).rounded())
      prepare(state)
      shared.order = PlayerSharedState.playing
    }
  }

  /// Releases held notes in the next cycle, and plays no more.
  ///
  /// - Thread: [control]
  package func end() { if !isIdle { shared.order = PlayerSharedState.ending } }

  /// Whether nothing is played: before the first file, and once the notes of a file are released
  /// after `end`.
  ///
  /// - Thread: [any]
  package var isIdle: Bool { shared.order == PlayerSharedState.waiting }

  /// Playback position, in seconds; keeps counting after the file's end and is below 0 before its
  /// beginning.
  ///
  /// - Thread: [any]
  package var positionSeconds: Double {
    state.withLock { Double(shared.position) / $0.sampleRate }
  }

  /// Count of messages that exceeded a cycle's room and were sent in a later cycle.
  ///
  /// - Thread: [any]
  package var lateMessages: Int { shared.late }

  /// Count of messages left out because they are longer than a cycle's room.
  ///
  /// - Thread: [any]
  package var lostMessages: Int { shared.lost }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let sampleRate = sampleRate
    state.withLock { state in
      if state.sampleRate != sampleRate {
        let seconds = Double(shared.position) / state.sampleRate
        shared.position = Int((seconds * sampleRate).rounded())
      }
      state.sampleRate = sampleRate
      prepare(state)
    }
    return RenderResources(
      MIDIPlayerKernel(shared, values: parameterValues, sampleRate: sampleRate),
      for: self, render: midiPlayerRender, reset: midiPlayerReset)
  }

  /// Makes the score for the kernel, from the current position on.
  private func prepare(_ state: State) {
    guard let file = state.file else { return }
    shared.score = MIDIScore(
      file, sampleRate: state.sampleRate, from: shared.position, resets: state.isFollowing,
      loops: state.loops)
  }
}
