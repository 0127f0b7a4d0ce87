// The view of `auricle top` as lines.

import Session

/// The lines of a state: a head, a part that scrolls, and a foot.
struct TopPicture {
  let lines: [TopRow]
  /// The largest scroll position, in lines.
  let largestScroll: Int

  init(_ state: TopState, _ frame: TopFrame) {
    let writer = TopWriter(frame)
    let body = writer.body(state)
    guard let rows = frame.rows else {
      lines = body
      largestScroll = 0
      return
    }
    // A terminal may have only one line.
    let room = max(0, rows - 2)
    largestScroll = max(0, body.count - room)
    let first = max(0, min(frame.scroll, largestScroll))
    let shown = Array(body.dropFirst(first).prefix(room))
    let empty = Array(repeating: TopRow(), count: room - shown.count)
    let position =
      body.count > room ? "\(first + 1) to \(first + shown.count) of \(body.count)" : ""
    lines = Array(
      ([writer.head(state)] + shown + empty + [writer.foot(state, position)]).prefix(rows))
  }
}

/// A formatter of lines that fit a frame.
struct TopWriter {
  let columns: Int
  let isUnicode: Bool

  init(_ frame: TopFrame) {
    columns = max(1, frame.columns)
    isUnicode = frame.isUnicode
  }

  func head(_ state: TopState) -> TopRow {
    let count = state.sessions.count
    let text = "auricle top  " + (count == 1 ? "1 session" : "\(count) sessions")
    return ends(text, state.clock, .title)
  }

  func foot(_ state: TopState, _ position: String) -> TopRow {
    let keys = columns < 60 ? "q quit" : "q quit  arrows, pages scroll"
    return ends(
      [keys, state.news.last ?? ""].filter { !$0.isEmpty }.joined(separator: "  "), position, .title
    )
  }

  func body(_ state: TopState) -> [TopRow] {
    if state.sessions.isEmpty {
      return [
        line([TopSpan(text: state.wanted.map { "no session '\($0)' runs" } ?? "no session runs")])
      ]
    }
    return Array(state.sessions.map(session).joined(separator: [[]]))
  }

  // MARK: Lines

  /// Makes a line, cut at the right edge.
  func line(_ spans: [TopSpan]) -> TopRow {
    var result: TopRow = []
    var left = columns
    for span in spans where left > 0 {
      let text = CellText.cut(
        CellText.plain(span.text, isUnicode: isUnicode), to: left, isUnicode: isUnicode)
      left -= CellText.width(text)
      if !text.isEmpty { result.append(TopSpan(text: text, style: span.style)) }
    }
    return result
  }

  func fit(_ text: String, _ cells: Int, isRight: Bool = false) -> String {
    CellText.fit(
      CellText.plain(text, isUnicode: isUnicode), to: cells, isRight: isRight,
      isUnicode: isUnicode)
  }

  /// Makes a full line with a right-aligned part, if there is room.
  private func ends(_ left: String, _ right: String, _ style: TopStyle) -> TopRow {
    let room = columns - CellText.width(right) - 1
    if right.isEmpty || room < columns / 2 {
      return line([TopSpan(text: fit(left, columns), style: style)])
    }
    return line([TopSpan(text: fit(left, room) + " " + right, style: style)])
  }
}
