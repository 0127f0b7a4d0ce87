// The picture of `auricle top` in the cells of a terminal.

import Effects
import Foundation
import Testing

@testable import AuricleCommand
@testable import Session
@testable import SessionModel

@Suite struct TopPictureTests {
  private static func unit(_ id: String, ports: [PortStatus] = []) -> UnitStatus {
    UnitStatus(
      id: id, component: "sampler", isBypassed: false, preset: "Grand", load: 1.25, worstLoad: 12,
      eventsTaken: 40, eventsSent: 0, voices: 7, receivers: ["lowpass"], ports: ports)
  }

  private static func session(_ name: String, units: Int = 1) -> TopSession {
    var port = PortStatus(
      name: "piano_out_1", isMIDI: false, isInput: false, bus: 0, channel: 0,
      connections: ["system:playback_1", "recorder:in"])
    port.peak = -12.3
    let input = PortStatus(
      name: "piano_midi_in", isMIDI: true, isInput: true, connections: [])
    var status = SessionStatus(
      client: name, server: "default", isServerThere: true, sampleRate: 48_000, period: 64,
      frame: 1, load: 23.4, xruns: 2, units: units, file: "/home/zoë/live.toml", isDirty: true,
      counts: ["xruns (cycles that were not finished in time): 2"])
    status.unitStatus = (0..<units).map { unit("piano\($0)", ports: [input, port]) }
    status.notices = [NoticeReading(time: 0, level: "warning", text: "waits for 'λ:in'\u{1B}[2J")]
    return TopSession(name: name, status: status)
  }

  private static let state = TopState(
    sessions: [
      session("music", units: 3), TopSession(name: "音楽", silentSeconds: 7),
      TopSession(name: "new"),
    ], news: ["music has come"], clock: "18:02:11")

  private func text(_ lines: [TopRow]) -> String {
    lines.map { $0.map(\.text).joined() }.joined(separator: "\n")
  }

  @Test func aSessionIsShownWithItsUnitsLevelsAndConnections() {
    let shown = text(TopPicture(Self.state, TopFrame(columns: 100, rows: nil)).lines)
    for part in [
      "music  load 23.4 %  xruns 2  default, 48000 Hz, 64 frames",
      "/home/zoë/live.toml, changed", "piano0", "1.25 % max  12.0 %  7 voices  40 ev/s",
      "40 ev/s  → lowpass  sampler, Grand", "-12.3  → system:playback_1, recorder:in",
      "not connected",
      "! xruns (cycles", "waits for 'λ:in'\\u{1b}[2J", "音楽  has not answered for 7 s",
      "new  is asked",
    ] { #expect(shown.contains(part), "\(part)\n\(shown)") }
  }

  @Test func innerLevelsGainReductionAndLatencyAreShown() throws {
    var session = Self.session("music")
    let filter = try FilterUnit()
    var meters = UnitMeters(
      of: filter, peaks: [1, 0.5, 0.25, 0.125, 0.1, 0.2], inputChannels: [2, 1],
      outputChannels: [1, 2], latency: 64)
    meters.reduction = 6.5
    session.levels = ["piano0": meters]
    func lines() -> [String] {
      text(TopPicture(TopState(sessions: [session]), TopFrame(columns: 100, rows: nil)).lines)
        .split(separator: "\n").map(String.init)
    }
    let shown = lines()
    #expect(shown.contains { $0.contains("gain -6.5 dB  64 frames late") }, "\(shown)")
    // The first output has a port; of several inputs each is shown.
    #expect(shown.contains { $0.contains("    in 1 ") && $0.contains("    0.0") }, "\(shown)")
    #expect(shown.contains { $0.contains("    in 2 ") && $0.contains("  -12.0") }, "\(shown)")
    #expect(shown.contains { $0.contains("    out 2 ") && $0.contains("  -14.0") }, "\(shown)")
    #expect(!shown.contains { $0.contains("    out 1 ") })
    #expect(shown.contains { $0.contains("piano_out_1") && $0.contains(" -18.1  → system") })
    // They fall slowly and rise at once.
    var later = meters
    later.inputs = [[-200, -3], [-12.5]]
    #expect(later.held(meters, fall: 1).inputs == [[-1, -3], [-12.5]])
  }

  @Test func aSessionWithoutAServerWaits() {
    var session = Self.session("music")
    session.status?.isServerThere = false
    let lines = TopPicture(
      TopState(sessions: [session]), TopFrame(columns: 80, rows: nil)
    ).lines
    #expect(text(lines).hasPrefix("music  waits for the server 'default'"))
  }

  /// Draws as many lines as rows at any size, none wider than the terminal.
  @Test(arguments: [true, false]) func everyPictureFits(isUnicode: Bool) {
    for columns in 1...130 {
      for rows in [1, 2, 3, 10, 24, 100] {
        let frame = TopFrame(
          columns: columns, rows: rows, isUnicode: isUnicode, scroll: rows % 7)
        let lines = TopPicture(Self.state, frame).lines
        #expect(lines.count == rows)
        for line in lines {
          let cells = line.reduce(0) { $0 + CellText.width($1.text) }
          #expect(cells <= columns, "\(columns)x\(rows): \(line)")
        }
        #expect(isUnicode || text(lines).utf8.allSatisfy { $0 < 0x80 })
      }
    }
  }

  @Test func linesThatDoNotFitAreReachedByScrolling() {
    let all = TopPicture(Self.state, TopFrame(columns: 80, rows: nil)).lines
    let first = TopPicture(Self.state, TopFrame(columns: 80, rows: 10))
    #expect(Array(first.lines[1..<9]) == Array(all[..<8]))
    #expect(first.largestScroll == all.count - 8)
    let last = TopPicture(Self.state, TopFrame(columns: 80, rows: 10, scroll: 1000))
    #expect(Array(last.lines[1..<9]) == Array(all.suffix(8)))
    #expect(text([last.lines[9]]).contains("to \(all.count) of \(all.count)"))
    // One line for the title, one for the keys and notices.
    #expect(text([first.lines[0]]).contains("auricle top  3 sessions"))
    #expect(text([first.lines[0]]).hasSuffix("18:02:11"))
    #expect(text([first.lines[9]]).contains("q quit"))
    #expect(text([first.lines[9]]).contains("music has come"))
  }

  @Test func nothingRunsIsSaid() {
    let frame = TopFrame(columns: 80, rows: nil)
    #expect(text(TopPicture(TopState(), frame).lines) == "no session runs")
    #expect(
      text(TopPicture(TopState(wanted: "live"), frame).lines) == "no session 'live' runs")
  }

  @Test func keysMoveWithinThePicture() {
    #expect(TopKey(code: 0x71) == .quit)
    #expect(TopKey(code: 0x7A) == nil)
    #expect(TopKey(code: -1) == nil)
    #expect(TopKey.lines(1).scroll(from: 0, rows: 24, largest: 5) == 1)
    #expect(TopKey.lines(-1).scroll(from: 0, rows: 24, largest: 5) == 0)
    #expect(TopKey.pages(1).scroll(from: 2, rows: 24, largest: 100) == 23)
    #expect(TopKey.pages(1).scroll(from: 90, rows: 24, largest: 100) == 100)
    #expect(TopKey.pages(1).scroll(from: 0, rows: 1, largest: 100) == 1)
    #expect(TopKey.end.scroll(from: 0, rows: 24, largest: 9) == 9)
    #expect(TopKey.start.scroll(from: 9, rows: 24, largest: 9) == 0)
  }

  @Test func barsAreAsLongAsTheirLevel() {
    #expect(LevelBar.text(0, cells: 4, isUnicode: true) == "████")
    #expect(LevelBar.text(-30, cells: 4, isUnicode: true) == "██··")
    #expect(LevelBar.text(-58, cells: 4, isUnicode: true) == "▏···")
    #expect(LevelBar.text(-200, cells: 4, isUnicode: true) == "····")
    #expect(LevelBar.text(200, cells: 4, isUnicode: false) == "####")
    #expect(LevelBar.text(-30, cells: 4, isUnicode: false) == "##..")
    for level in stride(from: Float(-70), through: 5, by: 0.1) {
      for isUnicode in [true, false] {
        #expect(CellText.width(LevelBar.text(level, cells: 9, isUnicode: isUnicode)) == 9)
      }
    }
  }

  @Test func textIsCutByItsCells() {
    #expect(CellText.cut("音楽室", to: 5, isUnicode: true) == "音楽…")
    #expect(CellText.cut("音楽室", to: 6, isUnicode: true) == "音楽室")
    #expect(CellText.cut("abcdef", to: 3, isUnicode: false) == "ab~")
    #expect(CellText.width("e\u{301}") == 1)
    #expect(CellText.plain("Zoë", isUnicode: false) == "Zo?")
  }
}
