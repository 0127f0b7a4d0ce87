// A MIDI file, read by frames.

import MediaFiles
import OfflineBackend
import Realtime
import UnitRender

/// The messages of a MIDI file, period by period, and its tempo at any frame. Without a file the
/// tempo is 120 quarter notes a minute.
struct MIDICursor {
  private let file: MIDIFile?
  private let tempoMap: MIDITempoMap
  private let sampleRate: Double
  private var next = 0

  init(_ file: MIDIFile?, sampleRate: Double) {
    self.file = file
    tempoMap = file?.tempoMap ?? .standard
    self.sampleRate = sampleRate
  }

  /// End of the file, in frames.
  var endFrame: Int { Int(((file?.durationSeconds ?? 0) * sampleRate).rounded(.up)) }

  /// Returns the most messages in one period, and the most bytes of them.
  func largestPeriod(_ period: Int) -> (events: Int, bytes: Int) {
    var most = (events: 0, bytes: 0)
    var sum = (period: -1, events: 0, bytes: 0)
    for event in file?.events ?? [] {
      let number = Int(frame(of: event)) / period
      if number != sum.period { sum = (number, 0, 0) }
      sum.events += 1
      sum.bytes += event.byteRange.count
      most = (max(most.events, sum.events), max(most.bytes, sum.bytes))
    }
    return most
  }

  /// Returns the messages from the last call's end to `end`, each at the frame nearest to its time.
  mutating func messages(before end: FrameTime) -> [TimedMIDI] {
    guard let file else { return [] }
    var result: [TimedMIDI] = []
    while next < file.events.count {
      let event = file.events[next]
      let frame = frame(of: event)
      if frame >= end { break }
      result.append(TimedMIDI(frame: frame, bytes: Array(file.bytes(of: event))))
      next += 1
    }
    return result
  }

  private func frame(of event: MIDIFile.Event) -> FrameTime {
    FrameTime((event.seconds * sampleRate).rounded())
  }

  /// Returns tempo, time signature and position of the file at `frame`, as of a rolling transport.
  func musicalContext(at frame: FrameTime) -> MusicalContext {
    let position = tempoMap.position(atSeconds: Double(frame) / sampleRate)
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
