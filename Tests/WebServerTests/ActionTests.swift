// All actions of the page, by mouse, touch and keys.

import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

/// Each action is done in each way, and the session is asked afterwards.
@Suite(.serialized, .chromium, .inTurn) struct ActionTests {
  enum Hand: CaseIterable { case mouse, touch, keys }

  /// A move of a hand.
  private enum Move: Sendable {
    /// Presses an element, or Enter on it.
    case press(String)
    /// Moves a slider to a share of its way, or to its end.
    case slide(String)
    /// Drags from an element to another one, or Enter on both.
    case connect(String, String)
    /// Presses a cable, or Delete on it.
    case cut(String)
  }

  private struct Action: Sendable {
    let name: String
    let moves: [Move]
    let isDone: @Sendable (SteppedSession) async -> Bool
  }

  private static func key(_ key: String) -> String {
    "document.querySelector('[data-key=\"\(key)\"]')"
  }
  private static func tab(_ name: String) -> Move {
    .press("document.querySelector('#tab-\(name)')")
  }

  private static func named(_ selector: String, _ text: String) -> String {
    "[...document.querySelectorAll('\(selector)')].find(one => one.textContent.includes('\(text)'))"
  }

  private static func units(_ session: SteppedSession) async -> [String: UnitStatus] {
    guard case .status(let status)? = try? await session.askAtOnce(.status) else { return [:] }
    return Dictionary(
      uniqueKeysWithValues: (status.unitStatus ?? []).map { ($0.id, $0) })
  }

  private static func isConnected(_ session: SteppedSession) async -> Bool {
    await units(session)["lowpass"]?.receivers == ["echo"]
  }

  private static let cutoff =
    "document.querySelector('[aria-labelledby=unit-lowpass] input[type=range]')"

  private static let actions: [Action] = [
    Action(name: "bypass", moves: [.press(key("1 lowpass"))]) {
      await units($0)["lowpass"]?.isBypassed == true
    },
    Action(name: "connect", moves: [.connect(key("out lowpass:1"), key("in echo:1"))]) {
      await isConnected($0)
    },
    Action(name: "disconnect", moves: [.cut(key("audio lowpass:1 echo:1"))]) {
      await !isConnected($0)
    },
    Action(name: "undo", moves: [.press("document.querySelector('#undo')")]) {
      await isConnected($0)
    },
    Action(
      name: "add",
      moves: [
        .press("document.querySelector('.adder summary')"),
        .press(named(".adder li button", "chorus")),
      ]
    ) { await units($0)["chorus"] != nil },
    Action(
      name: "replace",
      moves: [
        .press(key("2 echo")),
        .press(
          "(\(named(".adder summary", "Replace echo")) && \(named(".adder li button", "reverb")))"),
      ]
    ) { session in
      let isReplaced = await units(session)["echo"]?.component == "reverb"
      let isConnected = await isConnected(session)
      return isReplaced && isConnected
    },
    Action(
      name: "remove", moves: [.press(key("3 chorus"))]
    ) { await units($0)["chorus"] == nil },
    Action(name: "set", moves: [tab("units"), .slide(cutoff)]) {
      (try? await $0.value("lowpass/cutoff")).map { $0 > 5_000 } == true
    },
    Action(name: "scene", moves: [tab("stage"), .press(named("#stage button", "Dark"))]) {
      (try? await $0.value("lowpass/cutoff")) == 300
    },
    Action(name: "panic", moves: [.press(named("#stage button", "Panic"))]) {
      await units($0)["keys"]?.voices == 0
    },
    Action(
      name: "undo to a change",
      moves: [
        tab("journal"), .press("document.querySelector('.journal [data-key=\"4\"]')"),
        .press(named("#journal button:enabled", "Undo to here")),
      ]
    ) { await units($0)["chorus"] != nil },
  ]

  private static let others = """
    [[unit]]
    id = "echo"
    component = "delay"
    [[scene]]
    name = "Dark"
    parameters = { lowpass.cutoff = 300 }
    """

  @Test(arguments: Hand.allCases)
  func everyActionWorks(by way: Hand) async throws {
    let rig = try BrowserRig()
    try await rig.onPage("patchbay", Self.others) { page, session in
      if way == .touch { try await page.emulateTouch() }
      #expect(await rig.sees(page, session, Self.key("out lowpass:1") + " !== null", "true"))
      session.send(
        [TimedMIDI(frame: Int(session.frame) + 5, bytes: [0x90, 60, 100])], to: "keys_midi_in")
      #expect(await session.step(until: { await Self.units(session)["keys"]?.voices == 1 }))
      for action in Self.actions {
        #expect(await !action.isDone(session), "\(action.name)")
        for move in action.moves {
          #expect(
            await rig.sees(page, session, element(of: move) + " != null", "true"),
            "\(action.name): \(move)")
          try await make(move, on: page, by: way)
        }
        // The next action needs it.
        try #require(await session.step(until: { await action.isDone(session) }), "\(action.name)")
      }
    }
  }

  private func element(of move: Move) -> String {
    switch move {
    case .press(let element), .slide(let element), .connect(let element, _), .cut(let element):
      element
    }
  }

  private func make(_ move: Move, on page: Chromium.Page, by way: Hand) async throws {
    switch (move, way) {
    case (.press(let element), .keys):
      try await enter(element, on: page)
    case (.slide(let element), .keys):
      _ = try await page.evaluate(element + ".focus()")
      try await page.key("End", code: "End", number: 35)
    case (.connect(let one, let other), .keys):
      for element in [one, other] { try await enter(element, on: page) }
    case (.cut(let element), .keys):
      _ = try await page.evaluate(element + ".focus()")
      try await page.key("Delete", code: "Delete", number: 46)
    case (.press(let element), _):
      try await drag([place(of: element, on: page)], on: page, by: way)
    case (.slide(let element), _):
      try await drag([place(of: element, share: 0.9, on: page)], on: page, by: way)
    case (.connect(let one, let other), _):
      let (start, end) = (
        try await place(of: one, on: page), try await place(of: other, on: page)
      )
      let middle = (x: (start.x + end.x) / 2, y: (start.y + end.y) / 2)
      try await drag([start, middle, end], on: page, by: way)
    case (.cut(let element), _):
      try await drag([placeOnCable(element, on: page)], on: page, by: way)
    }
  }

  private func enter(_ element: String, on page: Chromium.Page) async throws {
    _ = try await page.evaluate(element + ".focus()")
    try await page.key("Enter", code: "Enter", number: 13)
  }

  private func drag(
    _ points: [(x: Double, y: Double)], on page: Chromium.Page, by way: Hand
  ) async throws {
    if way == .touch { return try await page.touch(points.map { [$0] }) }
    try await page.drag(points) {}
  }

  private func place(
    of element: String, share: Double = 0.5, on page: Chromium.Page
  ) async throws -> (x: Double, y: Double) {
    try await numbers(
      """
      (element => {
        element.scrollIntoView({ block: '\(share == 0.5 ? "nearest" : "center")' });
        const { x, y, width, height } = element.getBoundingClientRect();
        return [x + width * \(share), y + height / 2];
      })(\(element))
      """, on: page)
  }

  /// The middle of the places where nothing lies over the cable: at its ends a finger meets ports.
  private func placeOnCable(
    _ element: String, on page: Chromium.Page
  ) async throws -> (x: Double, y: Double) {
    try await numbers(
      """
      (cable => {
        cable.scrollIntoView({ block: 'nearest' });
        const line = cable.querySelector('.line');
        const free = [];
        for (let share = 0; share < 1; share += 0.02) {
          const point = line.getPointAtLength(line.getTotalLength() * share);
          const { x, y } = new DOMPoint(point.x, point.y).matrixTransform(line.getScreenCTM());
          if (cable.contains(document.elementFromPoint(x, y))) free.push([x, y]);
        }
        return free[Math.floor(free.length / 2)];
      })(\(element))
      """, on: page)
  }

  private func numbers(
    _ expression: String, on page: Chromium.Page
  ) async throws -> (x: Double, y: Double) {
    let text = try await page.evaluate(expression)
    let numbers = try JSONDecoder().decode([Double].self, from: Data(text.utf8))
    return (numbers[0], numbers[1])
  }
}
