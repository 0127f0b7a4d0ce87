// The patchbay: its layout, its tab stops, and several hands on one parameter.

import Configuration
import Foundation
import SessionModel
import SessionTestSupport
import TestSupport
import Testing

@testable import WebServer

@Suite(.serialized, .chromium, .inTurn) struct PatchbayTests {
  private let rig: BrowserRig

  init() throws { rig = try BrowserRig() }

  /// Returns the value of an expression, with `layout` and helpers for it in scope.
  private func lay(
    _ body: String, _ page: Chromium.Page, _ session: SteppedSession
  ) async throws -> String {
    try await BrowserPage(page: page, session: session).value(
      of: """
        const { layout } = await import('/layout.js');
        const box = (id, side) => ({ id, side, width: 250, height: 96 });
        const edge = (text) => ({ from: text.split('>')[0], to: text.split('>')[1] });
        const overlaps = (boxes, places) => boxes.flatMap((one, index) => boxes.slice(index + 1).filter((other) => {
          const [a, b] = [places.get(one.id), places.get(other.id)];
          return a.x < b.x + other.width && b.x < a.x + one.width
            && a.y < b.y + other.height && b.y < a.y + one.height;
        })).length;
        \(body)
        """)
  }

  /// A client with both directions is at both sides. A pattern has a box of its own.
  @Test func otherClientsStandAtTheSides() async throws {
    try await rig.onPage("patchbay") { page, session in
      let boxes = try await lay(
        """
        return import('/boxes.js').then(({ boxesOf }) => boxesOf({
          units: [], outside: [
            { name: 'system:playback_1', isMIDI: false, isInput: true },
            { name: 'system:playback_2', isMIDI: false, isInput: true },
            { name: 'system:capture_1', isMIDI: false, isInput: false },
            { name: 'keys:a:b', isMIDI: true, isInput: false },
          ], connections: [
            { from: 'tone:1', to: 'system:playback_2', kind: 'audio' },
            { from: 'system:capture_*', to: 'tone:1', kind: 'audio' },
          ],
        }, true).map(({ title, side, inputs, outputs }) =>
          [side, title, ...[...inputs, ...outputs].map(({ name, kind }) => `${name} ${kind}`)].join()));
        """, page, session)
      for box in [
        "right,system,playback_1 audio,playback_2 audio", "left,system,capture_1 audio",
        "left,keys,a:b midi", "left,system:capture_*,audio audio",
      ] { #expect(boxes.contains("\"\(box)\""), "\(boxes)") }
      #expect(!boxes.contains("right,system:playback_2"), "\(boxes)")
    }
  }

  /// Signals go from left to right, the outside stands at the sides, and cables do not cross
  /// without need.
  @Test func layersFollowTheSignal() async throws {
    try await rig.onPage("patchbay") { page, session in
      let columns = try await lay(
        """
        const boxes = [box('out', 'right'), box('c'), box('b'), box('a'), box('in', 'left'), box('source')];
        const places = layout(boxes, ['a>b', 'b>c', 'a>c', 'c>out', 'source>c', 'in>a'].map(edge));
        const xs = [...new Set([...places.values()].map(({ x }) => x))].sort((one, other) => one - other);
        return ['in', 'source', 'a', 'b', 'c', 'out'].map((id) => xs.indexOf(places.get(id).x)).join();
        """, page, session)
      #expect(columns == "\"0,1,1,2,3,4\"")
      let order = try await lay(
        """
        const names = ['a', 'b', 'c', 'd'];
        const boxes = [...names, ...names.map((name) => name + '2').reverse()].map((id) => box(id));
        const places = layout(boxes, names.map((name) => edge(`${name}>${name}2`)));
        const sorted = (ids) => ids.sort((one, other) => places.get(one).y - places.get(other).y);
        return sorted([...names]).map((name) => name + '2').join() === sorted(names.map((name) => name + '2')).join();
        """, page, session)
      #expect(order == "true")
    }
  }

  /// A circle is cut where the signal comes back.
  @Test func circlesAreLaidOut() async throws {
    try await rig.onPage("patchbay") { page, session in
      let columns = try await lay(
        """
        const boxes = ['c', 'b', 'a', 'source'].map((id) => box(id));
        const places = layout(boxes, ['source>a', 'a>b', 'b>c', 'c>a', 'b>b'].map(edge));
        return [overlaps(boxes, places), ...['source', 'a', 'b', 'c'].map((id) => places.get(id).x / 340)].join();
        """, page, session)
      #expect(columns == "\"0,0,1,2,3\"")
      // Nothing but circles has no source.
      let count = try await lay(
        "return layout(['a', 'b'].map((id) => box(id)), ['a>b', 'b>a'].map(edge)).size;", page,
        session)
      #expect(count == "2")
    }
  }

  @Test func sixtyUnitsDoNotOverlap() async throws {
    try await rig.onPage("patchbay") { page, session in
      for edges in [
        // Random ones, to the right only.
        "[...Array(180)].map(() => [next(60), next(60)]).filter(([a, b]) => a < b)",
        // All into one, a chain, random ones with circles, none.
        "[...Array(59)].map((_, index) => [index, 59])",
        "[...Array(59)].map((_, index) => [index, index + 1])",
        "[...Array(180)].map(() => [next(60), next(60)])", "[]",
      ] {
        let found = try await lay(
          """
          let seed = 1;
          const next = (count) => (seed = seed * 48271 % 2147483647) % count;
          const boxes = [...Array(60)].map((_, index) => box(String(index)));
          const edges = \(edges);
          const places = layout(boxes, edges.map(([from, to]) => ({ from: String(from), to: String(to) })));
          const backwards = edges.every(([a, b]) => a < b)
            ? edges.filter(([a, b]) => places.get(String(a)).x >= places.get(String(b)).x).length : 0;
          const size = Math.max(...[...places.values()].map(({ y }) => y));
          return [places.size, overlaps(boxes, places), backwards, size < 3000].join();
          """, page, session)
        #expect(found == "\"60,0,0,true\"", "\(edges)")
      }
    }
  }

  /// Boxes, ports and cables are a stop of Tab each, with arrows within.
  @Test func groupsAreOneStop() async throws {
    try await rig.onPage("patchbay") { page, session in
      #expect(await rig.sees(page, session, "document.querySelectorAll('.port').length", "8"))
      func focused() async throws -> String {
        try await page.evaluate("document.activeElement.dataset.key")
      }
      func press(_ key: String, _ number: Int) async throws -> String {
        try await page.key(key, code: key, number: number)
        return try await focused()
      }
      let stops = """
        [...document.querySelectorAll('.patchbay [data-key]')].filter((one) => one.tabIndex >= 0).length
        """
      #expect(try await page.evaluate(stops) == "3")
      _ = try await page.evaluate("document.querySelector('.patchbay button.title').focus()")
      #expect(try await focused() == "\"0 keys\"")
      #expect(try await press("ArrowRight", 39) == "\"1 keys\"")
      #expect(try await press("ArrowDown", 40) == "\"0 lowpass\"")
      #expect(try await press("End", 35) == "\"3 lowpass\"")
      #expect(try await press("ArrowUp", 38) == "\"0 keys\"")
      _ = try await page.evaluate("document.querySelector('.port').focus()")
      let first = try await focused()
      #expect(try await press("ArrowDown", 40) != first)
      #expect(try await press("Home", 36) == first)
      #expect(try await page.evaluate(stops) == "3")
      // A port that waits is shown, and Escape ends it.
      let pressed = "document.querySelectorAll('.port[aria-pressed=true]').length"
      _ = try await press("Enter", 13)
      #expect(try await page.evaluate(pressed) == "1")
      _ = try await press("Escape", 27)
      #expect(try await page.evaluate(pressed) == "0")
    }
  }

  /// A box stays where it was put, in all browsers, until it is undone or all are laid out again.
  @Test func placesAreKeptWithTheSession() async throws {
    try await rig.onPage("patchbay") { page, session in
      let box = "document.querySelector('[data-box=lowpass]')"
      let top = box + "?.style.top"
      let other = try await rig.open("patchbay")
      for one in [page, other] {
        #expect(await rig.sees(one, session, box + " !== null", "true"))
      }
      let former = try await page.evaluate(top)
      _ = try await page.evaluate(box + ".querySelector('.title').focus()")
      try await page.key("ArrowDown", code: "ArrowDown", number: 40, modifiers: 8)
      let place = try await page.evaluate(top)
      #expect(place != former)
      #expect(await rig.sees(other, session, top, place))
      #expect(session.isUnsaved)
      _ = try await page.evaluate("(window.isOld = true, location.reload(), 0)")
      #expect(await rig.sees(page, session, "window.isOld === undefined && \(top)", place))
      #expect(try await page.evaluate("Object.keys(localStorage)") == "[]")
      try await session.ask(.undo())
      for one in [page, other] { #expect(await rig.sees(one, session, top, former)) }
      try await session.ask(.redo(steps: 1))
      for one in [page, other] { #expect(await rig.sees(one, session, top, place)) }
      let buttons = "[...document.querySelectorAll('button')]"
      _ = try await page.evaluate(buttons + ".find(one => /again/.test(one.textContent)).click()")
      for one in [page, other] { #expect(await rig.sees(one, session, top, former)) }
      try await session.ask(.undo())
      for one in [page, other] { #expect(await rig.sees(one, session, top, place)) }
    }
  }

  /// Keys move a box by steps, and only the last place is sent.
  @Test func theWayByKeysIsSentOnce() async throws {
    try await rig.onPage("patchbay") { page, session in
      let sent = try await lay(
        """
        const { PatchbayView } = await import('/patchbay.js');
        const sent = [];
        const patchbay = new PatchbayView('test', false, {
          changed() {}, send(request) { sent.push(request); return Promise.resolve(); },
        });
        document.body.append(patchbay.element);
        const unit = { id: 'hum', component: 'tone', inputs: [], outputs: [], place: [5, 6], ports: [] };
        patchbay.show({ units: [unit], connections: [], outside: [] });
        const pause = (length) => new Promise((done) => setTimeout(done, length));
        for (let count = 0; count < 3; count++) {
          patchbay.element.querySelector('[data-box=hum] button').dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ArrowRight', shiftKey: true, bubbles: true }));
          await pause(50);
        }
        await pause(1500);
        return JSON.stringify(sent);
        """, page, session)
      #expect(
        sent.replacing("\\", with: "") == #""[{"command":"place","unit":"hum","place":[65,6]}]""#)
    }
  }

  /// The session keeps no places of what is outside, and takes none from guests.
  @Test(arguments: [Access.member, .guest])
  func otherPlacesAreKeptByTheBrowser(access: Access) async throws {
    try await rig.onPage("patchbay", access: access) { page, session in
      let id = access == .member ? "right physical:outputs" : "lowpass"
      let box = "document.querySelector('[data-box=\"\(id)\"]')"
      #expect(await rig.sees(page, session, box + " !== null", "true"))
      _ = try await page.evaluate(box + ".querySelector('button').focus()")
      try await page.key("ArrowDown", code: "ArrowDown", number: 40, modifiers: 8)
      let place = try await page.evaluate(box + ".style.top")
      #expect(try await page.evaluate("Object.keys(localStorage)") == "[\"auricle places stage\"]")
      _ = try await page.evaluate("(window.isOld = true, location.reload(), 0)")
      #expect(
        await rig.sees(page, session, "window.isOld === undefined && \(box)?.style.top", place))
      #expect(!session.isUnsaved)
    }
  }

  /// A box that somebody drags stays under the pointer when another one places it.
  @Test func aBoxThatIsDraggedDoesNotJump() async throws {
    try await rig.onPage("patchbay") { page, session in
      let box = "document.querySelector('[data-box=lowpass]')"
      let left = box + "?.style.left"
      #expect(await rig.sees(page, session, box + " !== null", "true"))
      let head = try await BrowserPage(page: page, session: session).box(
        box + ".querySelector('.head')")
      let (x, y) = (head.x + head.width / 2, head.y + 3)
      let others = await session.watch(topics: [.graph])
      var points = 0
      try await page.drag([(x, y), (x + 40, y + 30), (x + 80, y + 60)]) {
        points += 1
        guard points == 3 else { return }
        let held = try? await page.evaluate(left)
        _ = try? await session.ask(.place(unit: "lowpass", BoxPosition(x: 5, y: 5)))
        // The page has it as soon as it shows what came later.
        _ = try? await session.ask(.remove(unit: "keys"))
        #expect(await rig.sees(page, session, "document.querySelector('[data-box=keys]')", "null"))
        #expect((try? await page.evaluate(left)) == held)
      }
      let place = try await page.evaluate(left)
      #expect(place != "\"5px\"")
      #expect(
        await session.step(until: {
          others.take().contains {
            guard case .graph(let graph) = $0 else { return false }
            return graph.units.first.map { "\"\($0.place?.x ?? 0)px\"" }
              == place.replacing("px", with: ".0px")
          }
        }))
      // News of the place that is kept change nothing.
      await session.step(48_000)
      #expect(try await page.evaluate(left) == place)
      // Escape takes the way back.
      _ = try await page.evaluate(box + ".querySelector('button').focus()")
      points = 0
      try await page.drag([(x + 80, y + 60), (x + 110, y + 60), (x + 140, y + 60)]) {
        points += 1
        guard points == 3 else { return }
        #expect((try? await page.evaluate(left)) != place)
        try? await page.key("Escape", code: "Escape", number: 27)
        #expect((try? await page.evaluate(left)) == place)
      }
      #expect(try await page.evaluate(left) == place)
    }
  }

  /// Cables of other programs are shown, but cannot be removed here.
  @Test func cablesOfOtherProgramsAreShown() async throws {
    try await rig.onPage("patchbay") { page, session in
      let cables = try await lay(
        """
        const { PatchbayView } = await import('/patchbay.js');
        const { GraphView } = await import('/graph.js');
        const sent = [];
        const actions = { changed() {}, send(request) { sent.push(request.command); return Promise.resolve(); } };
        const [patchbay, table] = [new PatchbayView('test', false, actions), new GraphView(false, actions.send)];
        document.body.append(patchbay.element, table.element);
        const unit = {
          id: 'hum', component: 'tone', inputs: [], outputs: [{ name: 'Output', end: 'hum:1', channels: 2 }],
          takesMIDI: false, sendsMIDI: false, ports: [],
        };
        const one = { from: 'hum:1', to: 'rec:in_1', kind: 'audio' };
        const graph = {
          units: [unit], connections: [one], foreign: [one, { ...one, to: 'rec:in_2' }],
          outside: ['rec:in_1', 'rec:in_2'].map((name) => ({ name, isMIDI: false, isInput: true })),
        };
        for (const view of [patchbay, table]) view.show(graph);
        const all = [...patchbay.element.querySelectorAll('.cable')];
        for (const cable of all) cable.dispatchEvent(new MouseEvent('click'));
        const rows = [...table.element.querySelectorAll('tbody tr')].map((row) =>
          `${row.children[1].textContent} ${row.children[2].textContent} ${row.querySelector('button') !== null}`);
        return [...all.map((cable) => `${cable.getAttribute('aria-label')}, ${cable.getAttribute('role')}, `
          + `${cable.children[1].hasAttribute('d')}`), ...rows, ...sent].join(' | ');
        """, page, session)
      #expect(
        cables
          == "\"Remove the audio cable from hum:1 to rec:in_1, button, true"
          + " | audio cable from hum:1 to rec:in_1, of another program, img, true"
          + " | audio cable from hum:1 to rec:in_2, of another program, img, true"
          + " | rec:in_1 audio true | rec:in_1 audio, of another program false"
          + " | rec:in_2 audio, of another program false | disconnect\"")
    }
  }

  /// A click that has begun when another unit comes is done all the same.
  @Test func clicksOutlastChangesOfTheGraph() async throws {
    try await rig.onPage("patchbay") { page, session in
      let shown = BrowserPage(page: page, session: session)
      let cable = "document.querySelector('.cable')"
      #expect(await shown.sees(cable + " !== null", "true"))
      _ = try await page.evaluate("(window.former = \(cable), 0)")
      for (count, element) in [
        (3, "document.querySelector('[data-key=\"1 lowpass\"]')"),
        (4, "document.querySelector('.graph tbody button')"),
      ] {
        _ = try await page.evaluate(element + ".scrollIntoView({ block: 'nearest' })")
        let box = try await shown.box(element)
        try await page.drag([(box.x + box.width / 2, box.y + box.height / 2)]) {
          _ = try? await session.ask(.add(unit: "more\(count)", component: "delay"))
          let boxes = "document.querySelectorAll('.box:not(.outside)').length"
          #expect(await shown.sees(boxes, "\(count)"))
        }
        if count == 3 { #expect(try await page.evaluate("former === \(cable)") == "true") }
      }
      #expect(await shown.sees("document.querySelectorAll('.cable').length", "0"))
      guard case .status(let status) = try await session.ask(.status) else { return }
      let bypassed = status.unitStatus?.filter(\.isBypassed).map(\.id)
      #expect(bypassed == ["lowpass"])
    }
  }

  /// Two browsers and a MIDI controller move one parameter: all end in one state.
  @Test func severalHandsEndInOneState() async throws {
    let others = """
      [[map]]
      parameter = "lowpass/cutoff"
      controller = 74
      """
    try await rig.onPage("units", others) { page, session in
      let other = try await rig.open("units")
      let slider = "document.querySelector('[aria-labelledby=unit-lowpass] input[type=range]')"
      let text = slider + "?.getAttribute('aria-valuetext')"
      for one in [page, other] { #expect(await rig.sees(one, session, text, "\"800 Hz\"")) }
      for round in 0..<8 {
        session.send(
          [TimedMIDI(frame: Int(session.frame) + 40, bytes: [0xB0, 74, UInt8(40 + 9 * round)])],
          to: "control_midi_in")
        for (one, key, number) in [(page, "ArrowRight", 39), (other, "ArrowLeft", 37)] {
          _ = try await one.evaluate(slider + ".focus()")
          try await one.key(key, code: key, number: number)
        }
        await session.step(2_000)
      }
      // What each page shows is what the session has.
      func states() async throws -> Set<String> {
        guard case .parameter(let reading) = try await session.ask(.get(path: "lowpass/cutoff"))
        else { return [] }
        let own = "\"\(reading.text) Hz\""
        return [own, try await page.evaluate(text), try await other.evaluate(text)]
      }
      #expect(await session.step(until: { (try? await states().count) == 1 }))
      let position = slider + ".value"
      // A slider that was moved follows others a moment later.
      func areEqual() async -> Bool {
        guard let own = try? await page.evaluate(position) else { return false }
        return await (try? other.evaluate(position)) == own
      }
      #expect(await session.step(until: { await areEqual() }))
      #expect(try await states() != ["\"800 Hz\""])
      let clients = Set(try await session.journal().map { $0.client ?? $0.source.rawValue })
      #expect(clients.isSuperset(of: ["browser 1", "browser 2", "controller"]))
      #expect(other.faults == [])
    }
  }
}
