// Answers of sessions as text.

import Platform
import SessionModel

extension SessionAnswer {
  /// The answer in lines; empty if there is nothing to print.
  var text: String {
    switch self {
    case .done, .frame, .hello, .choices, .view, .waveform: ""
    case .units(let units):
      columns(
        units.map { unit in
          [
            unit.id, unit.component,
            [unit.preset, unit.chosenByMIDI].compactMap(\.self).joined(separator: ", "),
            unit.isBypassed ? "bypassed" : "",
          ]
        })
    case .parameters(let parameters):
      columns(parameters.map { [$0.path, $0.textWithUnit, $0.rangeText] })
    case .parameter(let parameter): parameter.text
    case .presets(let presets):
      columns(
        presets.map { preset in
          [
            preset.name, preset.number < 0 ? "the user's" : preset.soundText,
            preset.isCurrent ? "chosen last" : "",
          ]
        })
    case .status(let status): status.text
    case .saved(let saved):
      "saved to \(saved.file)"
        + (saved.backup.map { "; the former one, with its comments, is \($0)" } ?? "")
        + (saved.leftOut.map {
          "; left out, because only a program has their kind: \($0.joined(separator: ", "))"
        } ?? "")
    case .mappings(let mappings):
      columns(mappings.map { [$0.path, $0.settings.joined(separator: " ")] })
    case .journal(let journal): journal.text
    case .response(let response): response.text
    case .scenes(let scenes): columns(scenes.map { [$0.name, $0.contents] })
    case .changes(let changes):
      changes.map { ($0.isUndone ? "undone: " : "redone: ") + $0.text }.joined(separator: "\n")
    }
  }
}

extension ResponseReading {
  /// A row for each point, without the parts, which are for views.
  fileprivate var text: String {
    let (unit, decimals) = kind == .frequency ? ("Hz", 0) : ("dB", 1)
    return zip(at, decibels).map { point, decibels in
      point.text(decimals: decimals).aligned(right: 8) + " \(unit)"
        + decibels.text(decimals: 1).aligned(right: 9) + " dB"
    }.joined(separator: "\n")
  }
}

/// Aligns the cells of rows in columns.
private func columns(_ rows: [[String]]) -> String {
  let count = rows.map(\.count).max() ?? 0
  let widths = (0..<count).map { column in rows.map { $0[column].count }.max() ?? 0 }
  return rows.map { row in
    let line = zip(row, widths).map { $0.padded(to: $1) }
      .joined(separator: "  ")
    return line.replacing(/[ ]+$/, with: "")
  }.joined(separator: "\n")
}

extension JournalReading {
  fileprivate var text: String {
    let rows = changes.map { change in
      [
        "\(change.number):", change.frame.map { "\($0)" } ?? "-",
        change.source.rawValue + (change.client.map { " (\($0))" } ?? ""), change.text,
      ]
    }
    return ([columns(rows)].filter { !$0.isEmpty } + gaps).joined(separator: "\n")
  }

  private var gaps: [String] {
    [
      forgotten > 0 ? "\(forgotten) older changes are forgotten" : nil,
      unreported > 0 ? "\(unreported) more are not shown; --since tells others" : nil,
    ].compactMap { $0 }
  }

  /// The changes as lines for a shell.
  var script: String {
    let lines = changes.map { change in
      if let command = change.command { return "auricle ctl \(command)" }
      let author = change.source.rawValue + (change.client.map { " (\($0))" } ?? "")
      return Self.comment("\(change.number): \(author): \(change.text)")
    }
    return (lines + gaps.map(Self.comment)).joined(separator: "\n")
  }

  /// Returns a comment that does nothing either in a shell that takes comments from files only.
  private static func comment(_ text: String) -> String {
    "# " + text.replacing(/[`$;&|<>()\\!"']/, with: "_")
  }
}

extension SceneReading {
  /// The contents as text: `12 values, 2 bypasses, connections`.
  fileprivate var contents: String {
    func count(_ number: Int, _ one: String, _ many: String) -> String? {
      number > 0 ? "\(number) \(number == 1 ? one : many)" : nil
    }
    return [
      count(values, "value", "values"), count(bypasses, "bypass", "bypasses"),
      count(entries, "entry", "entries"), hasConnections ? "connections" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension ParameterReading {
  var textWithUnit: String { unit.isEmpty ? text : "\(text) \(unit)" }

  var rangeText: String {
    let range =
      values.isEmpty
      ? "\(minimum.plainText) to \(maximum.plainText)" : values.joined(separator: " | ")
    return range + (isReading ? ", read-only" : "") + (canRamp ? ", ramps" : "")
  }
}

extension SessionStatus {
  var text: String {
    var lines = ["client  \(client)", "units   \(units)"]
    let change = isDirty ? "changed since it was saved" : "as it was saved"
    lines.append("file    " + (file.map { "\($0), \(change)" } ?? "none"))
    if isServerThere {
      lines.append("server  \(server), \(sampleRate ?? 0) Hz, \(period ?? 0) frames")
      lines.append("load    \((load ?? 0).text(decimals: 1)) %")
      lines.append("xruns   \(xruns ?? 0)")
      lines.append("frame   \(frame ?? 0)")
    } else {
      lines.append("server  \(server), not there; the session waits for it")
    }
    for (number, name) in (missing ?? []).enumerated() {
      lines.append((number == 0 ? "missing " : "        ") + name)
    }
    for (number, change) in (pending ?? []).enumerated() {
      let seconds = "\(change.seconds.text(decimals: 0)) s"
      lines.append((number == 0 ? "pending " : "        ") + "\(change.text), for \(seconds)")
    }
    if let agenda { lines.append("agenda  \(agenda) values wait for their frames") }
    if let memory { lines.append("memory  \(memory.text)") }
    let table = columns((unitStatus ?? []).map(\.row))
    return (lines + (table.isEmpty ? [] : ["", table]) + (counts.isEmpty ? [] : [""] + counts))
      .joined(separator: "\n")
  }

  /// Whether units could be measured but were not yet.
  var lacksMeasurement: Bool {
    isServerThere && !(unitStatus ?? []).isEmpty && unitStatus?.contains { $0.load != nil } == false
  }
}

extension MemoryReading {
  /// The sizes as text: `SoundFonts 6.2 MB, undo 0.1 MB`.
  fileprivate var text: String {
    let parts = [
      ("SoundFonts", soundFonts), ("sounds", sounds), ("responses", responses),
      ("removed units", removedUnits), ("undo", undo),
    ]
    return parts.filter { $0.1 > 0 || $0.0 == "undo" }.map {
      "\($0.0) \((Double($0.1) / 1e6).text(decimals: 1)) MB"
    }.joined(separator: ", ")
  }
}

extension UnitStatus {
  fileprivate var row: [String] {
    let share = load.map { load in
      "\(load.text(decimals: 2)) %, \((worstLoad ?? load).text(decimals: 2)) at most"
    }
    return [
      id, component, isBypassed ? "bypassed" : share ?? "",
      voices.map { "\($0) voices" } ?? "", eventsTaken.map { "\($0) events/s" } ?? "",
      meters?.text ?? "",
    ]
  }
}

extension UnitMeters {
  /// The loudest channel of the inputs and of the outputs, the gain reduction and the latency:
  /// `in -12.0, out -18.5 dBFS, gain -6.5 dB, 64 frames late`.
  var text: String {
    func level(_ name: String, _ busses: [[Float]]) -> String? {
      busses.joined().max().map { peak in
        name + (peak <= -200 ? " silent" : " \(peak.text(decimals: 1)) dBFS")
      }
    }
    return [
      level("in", inputs), level("out", outputs),
      reduction.map { "gain \((0 - $0).text(decimals: 1)) dB" },
      latency > 0 ? "\(latency) frames late" : nil,
    ].compactMap { $0 }.joined(separator: ", ")
  }
}

extension SpectrumReading.Unit {
  /// The loudness of 3 s, and the loudest frequency: `-14.2 LUFS, loudest at 449 Hz: -18.0 dBFS`.
  var text: String {
    guard let loudest = levels.indices.max(by: { levels[$0] < levels[$1] }), levels[loudest] > -200
    else { return "silent" }
    let loudness =
      loudness.shortTerm <= -200 ? "" : "\(loudness.shortTerm.text(decimals: 1)) LUFS, "
    let frequency =
      (SpectrumReading.frequency(ofBand: loudest)
        + SpectrumReading.frequency(ofBand: loudest + 1)) / 2
    return
      "\(loudness)loudest at \(Int(frequency.rounded())) Hz: \(levels[loudest].text(decimals: 1)) dBFS"
  }
}
