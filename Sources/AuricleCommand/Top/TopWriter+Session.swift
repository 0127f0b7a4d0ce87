// Sessions as lines.

import Platform
import SessionModel

extension TopWriter {
  func session(_ session: TopSession) -> [TopRow] {
    guard let status = session.status else {
      let text = session.silentSeconds.map { "has not answered for \($0) s" } ?? "is asked"
      return [
        line([
          TopSpan(text: session.name, style: .bold),
          TopSpan(
            text: "  " + (session.problem ?? text),
            style: session.silentSeconds == nil && session.problem == nil ? .dim : .bad),
        ])
      ]
    }
    var lines = [title(session, status)]
    if let file = status.file {
      lines.append(
        line([
          TopSpan(text: "  \(file)" + (status.isDirty ? ", changed" : ""), style: .dim)
        ]))
    }
    let nameCells = nameCells(status)
    for unit in status.unitStatus ?? [] {
      var unit = unit
      if let meters = session.levels[unit.id] { unit.take(meters) }
      lines.append(self.unit(unit, nameCells))
      for port in unit.ports { lines.append(self.port(port, nameCells)) }
      for (name, level) in unit.innerLevels { lines.append(self.level(name, level, nameCells)) }
    }
    // Includes the units' counts.
    for count in status.counts {
      lines.append(line([TopSpan(text: "  ! \(count)", style: .warning)]))
    }
    for notice in (status.notices ?? []).suffix(8) { lines.append(self.notice(notice)) }
    return lines
  }

  private func title(_ session: TopSession, _ status: SessionStatus) -> TopRow {
    var spans = [TopSpan(text: session.name, style: .bold)]
    if let seconds = session.silentSeconds {
      spans.append(TopSpan(text: "  has not answered for \(seconds) s", style: .bad))
    } else if !status.isServerThere {
      spans.append(TopSpan(text: "  waits for the server '\(status.server)'", style: .warning))
    } else {
      let load = status.load ?? 0
      let xruns = status.xruns ?? 0
      spans += [
        TopSpan(text: "  load "),
        TopSpan(text: percent(load), style: loadStyle(load)),
        TopSpan(text: "  xruns "), TopSpan(text: "\(xruns)", style: xruns > 0 ? .warning : .plain),
        TopSpan(
          text: "  \(status.server), \(status.sampleRate ?? 0) Hz, \(status.period ?? 0) frames",
          style: .dim),
      ]
    }
    return line(spans)
  }

  /// Returns the width of the column of unit names and indented port names, in cells.
  private func nameCells(_ status: SessionStatus) -> Int {
    let names = (status.unitStatus ?? []).flatMap { unit in
      [unit.id] + unit.ports.map { "  " + $0.name }
    }
    let widest = names.map { CellText.width(CellText.plain($0, isUnicode: isUnicode)) }.max() ?? 0
    return max(4, min(widest, columns * 2 / 5))
  }

  private func unit(_ unit: UnitStatus, _ nameCells: Int) -> TopRow {
    var spans = [
      TopSpan(text: "  " + fit(unit.id, nameCells), style: .bold), TopSpan(text: "  "),
    ]
    if unit.isBypassed {
      spans.append(TopSpan(text: "bypassed", style: .warning))
    } else if let load = unit.load, let worst = unit.worstLoad {
      spans.append(
        TopSpan(text: fit(percent(load), 7, isRight: true), style: loadStyle(load)))
      if columns >= 60 {
        spans += [
          TopSpan(text: " max"),
          TopSpan(text: fit(percent(worst), 8, isRight: true), style: loadStyle(worst)),
        ]
      }
    }
    if let voices = unit.voices { spans.append(TopSpan(text: "  \(voices) voices")) }
    if let events = unit.eventsTaken { spans.append(TopSpan(text: "  \(events) ev/s")) }
    if let reduction = unit.meters?.reduction {
      spans.append(TopSpan(text: "  gain \((0 - reduction).text(decimals: 1)) dB"))
    }
    if let latency = unit.meters?.latency, latency > 0 {
      spans.append(TopSpan(text: "  \(latency) frames late"))
    }
    if !unit.receivers.isEmpty {
      spans.append(
        TopSpan(text: "  " + arrow(isInput: false) + unit.receivers.joined(separator: ", ")))
    }
    let kind = [unit.component, unit.preset, unit.chosenByMIDI].compactMap(\.self).joined(
      separator: ", ")
    spans.append(TopSpan(text: "  " + kind, style: .dim))
    return line(spans)
  }

  private func port(_ port: PortStatus, _ nameCells: Int) -> TopRow {
    var spans = [TopSpan(text: "  " + fit("  " + port.name, nameCells) + "  ")]
    if let peak = port.peak { spans += bar(peak) }
    let ends = port.connections.joined(separator: ", ")
    spans.append(
      TopSpan(
        text: ends.isEmpty ? "not connected" : arrow(isInput: port.isInput) + ends, style: .dim))
    return line(spans)
  }

  /// Returns the line of a bus without ports.
  private func level(_ name: String, _ level: Float, _ nameCells: Int) -> TopRow {
    line([TopSpan(text: "  " + fit("  " + name, nameCells) + "  ")] + bar(level))
  }

  private func bar(_ peak: Float) -> [TopSpan] {
    let cells = max(4, min(20, columns / 4 - 3))
    return [
      TopSpan(
        text: LevelBar.text(peak, cells: cells, isUnicode: isUnicode),
        style: LevelBar.style(peak)),
      TopSpan(
        text: fit(peak <= -200 ? "" : peak.text(decimals: 1), 7, isRight: true) + "  ",
        style: peak >= 0 ? .bad : .plain),
    ]
  }

  private func arrow(isInput: Bool) -> String {
    isUnicode ? (isInput ? "← " : "→ ") : (isInput ? "<- " : "-> ")
  }

  private func notice(_ notice: NoticeReading) -> TopRow {
    let isGrave = ["error", "critical"].contains(notice.level)
    let style: TopStyle = isGrave ? .bad : notice.level == "warning" ? .warning : .plain
    return line([
      TopSpan(text: "  " + localTime(notice.time, format: "%H:%M:%S") + "  ", style: .dim),
      TopSpan(text: notice.text, style: style),
    ])
  }

  private func percent(_ number: Float) -> String {
    "\(number.text(decimals: number < 10 ? 2 : 1)) %"
  }

  private func loadStyle(_ percent: Float) -> TopStyle {
    percent >= 90 ? .bad : percent >= 60 ? .warning : .plain
  }
}

extension UnitStatus {
  /// The loudest channel of each bus without ports, with the bus's name: of several inputs, as a
  /// mixer has them, and of the outputs.
  fileprivate var innerLevels: [(name: String, level: Float)] {
    func levels(_ busses: [[Float]], _ name: String, isInput: Bool) -> [(String, Float)] {
      let shown = Set(ports.filter { $0.isInput == isInput }.compactMap(\.bus))
      return busses.enumerated().compactMap { number, channels in
        guard !shown.contains(number), let level = channels.max() else { return nil }
        return (busses.count > 1 ? "\(name) \(number + 1)" : name, level)
      }
    }
    guard let meters else { return [] }
    let inputs = meters.inputs.count > 1 ? meters.inputs : []
    return levels(inputs, "in", isInput: true) + levels(meters.outputs, "out", isInput: false)
  }
}
