// Counts of a session, and messages about them.

import MIDIStagesModel
import SessionModel
import UnitModel
import UnitRender

/// Counts of everything that can go wrong without a thrown error, since the start.
package struct SessionCounts: Equatable {
  private var counts: [String: Int] = [:]
  /// Keys of counts that would rise every second. Only the first rise is reported.
  private var reportedOnce: Set<String> = []
  /// Keys of counts that are the greatest of several numbers.
  private var greatest: Set<String> = []

  init() {}

  init(_ host: [HostCount], units: [(id: String, unit: AudioUnit)]) {
    self.init(units: units)
    for count in host {
      counts[count.text] = count.number
      if count.isReportedOnce { reportedOnce.insert(count.text) }
    }
  }

  /// Creates the counts of the units without the host's.
  package init(units: [(id: String, unit: AudioUnit)]) {
    for (id, unit) in units {
      if let chain = unit as? any MIDIChainUnit {
        let counters = chain.midiCounters
        record(.lostMIDIEvents(counters.lostEvents), of: id)
        for count in UnitCount.deferredEvents(
          counters.deferredEvents, longest: counters.longestDelayFrames)
        { record(count, of: id) }
      }
      for count in (unit as? any ReportingUnit)?.counts ?? [] { record(count, of: id) }
      for what in UnitSwitches.Count.allCases {
        counts["\(id): \(Self.describe(what))"] = unit.switches.value(of: what)
      }
    }
  }

  /// Records a count of a unit. A later count of the same key includes an earlier one.
  private mutating func record(_ count: UnitCount, of id: String) {
    let key = "\(id): \(count.what)"
    counts[key] = count.number
    if count.isReportedOnce { reportedOnce.insert(key) }
    if count.isGreatest { greatest.insert(key) }
  }

  private static func describe(_ what: UnitSwitches.Count) -> String {
    switch what {
    case .lateEvents: "events that came too late and took effect at once"
    case .droppedEvents: "events that found their list full"
    case .nonFiniteCycles:
      "cycles in which the unit made NaN or infinity; it was silenced and reset"
    case .failedCycles: "cycles in which the unit failed; it was silenced and reset"
    case .malformedMessages: "MIDI messages that the unit could not use"
    case .earlyEvents:
      "events that found no room to wait for delayed audio, and took effect before it"
    }
  }

  /// Lines for the counts above 0.
  package var lines: [String] {
    counts.keys.sorted().compactMap { key in counts[key]! > 0 ? "\(key): \(counts[key]!)" : nil }
  }

  /// Returns one line for each count that is higher than in `earlier`. Omits counts to be reported
  /// only once if they were above 0 there.
  func news(since earlier: SessionCounts) -> [String] {
    counts.keys.sorted().compactMap { key in
      let total = counts[key]!
      let before = earlier.counts[key] ?? 0
      if before > 0 && reportedOnce.contains(key) { return nil }
      let news = total - before
      if news <= 0 { return nil }
      return greatest.contains(key)
        ? "\(key): \(total)" : "\(key): \(news) more, \(total) in all"
    }
  }
}
