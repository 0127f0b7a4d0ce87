// MIDI events that a page was too slow for.

import FoundationEssentials

/// The numbers of events in notices of MIDI, in place of the events: those are lost, and counted.
struct LostMIDI {
  private struct Notice: Decodable {
    struct MIDI: Decodable {
      let frame: Int64
      let sampleRate: Int64
      let units: [String: Unit]
    }

    struct Unit: Decodable {
      let events: [Event]
      let lost: Int64
    }

    /// An event, of which nothing is read.
    struct Event: Decodable { init(from decoder: any Decoder) {} }

    let midi: MIDI
  }

  /// The notice with the numbers.
  let line: [UInt8]

  /// - Parameters:
  ///   - notices: lines with the key `midi`; others count as without events.
  init(_ notices: [UInt8]..., from session: String) {
    let read = notices.compactMap {
      try? JSONDecoder().decode(Notice.self, from: Data($0))
    }
    var lost: [String: Int64] = [:]
    for (id, unit) in read.flatMap(\.midi.units) {
      lost[id, default: 0] += Int64(unit.events.count) + unit.lost
    }
    let units = lost.mapValues { JSONValue.object(["events": .list([]), "lost": .integer($0)]) }
    line =
      JSONValue.object([
        "from": .text(session),
        "midi": .object([
          "frame": .integer(read.last?.midi.frame ?? 0),
          "sampleRate": .integer(read.last?.midi.sampleRate ?? 0), "units": .object(units),
        ]),
      ]).line
  }
}
