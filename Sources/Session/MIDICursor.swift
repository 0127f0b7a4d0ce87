// Walks through a MIDI file in frames.

import MediaFiles
import OfflineBackend
import Realtime
import UnitRender

/// The messages of a MIDI file, period after period, and its tempo at any frame.
struct MIDICursor {
  private let file: MIDIFile
  private let sampleRate: Double
  private var next = 0

  init(_ file: MIDIFile, sampleRate: Double) {
    self.file = file
    self.sampleRate = sampleRate
  }

  /// The messages from the last call's end to `end`, each at the frame nearest to its time.
  mutating func messages(before end: FrameTime) -> [TimedMIDI] {
    var result: [TimedMIDI] = []
    while next < file.events.count {
      let event = file.events[next]
      let frame = FrameTime((event.seconds * sampleRate).rounded())
      if frame >= end { break }
      result.append(TimedMIDI(frame: frame, bytes: Array(file.bytes(of: event))))
      next += 1
    }
    return result
  }

  /// Tempo, time signature and position of the file at `frame`, as a rolling transport.
  func musicalContext(at frame: FrameTime) -> MusicalContext {
    let position = file.tempoMap.position(atSeconds: Double(frame) / sampleRate)
    var context = MusicalContext()
    context.valid = UInt32(
      kMusicalContextTempo | kMusicalContextTimeSignature | kMusicalContextBeatPosition
        | kMusicalContextMeasure | kTransportPosition)
    context.transportFlags = UInt32(kTransportMoving) | (frame == 0 ? UInt32(kTransportChanged) : 0)
    context.tempo = position.quarterNotesPerMinute
    context.timeSignatureNumerator = Double(position.timeSignatureNumerator)
    context.timeSignatureDenominator = Int32(position.timeSignatureDenominator)
    context.beatPosition = position.quarterNotes
    context.measureDownbeat = position.measureDownbeat
    context.samplePosition = Double(frame)
    return context
  }
}
