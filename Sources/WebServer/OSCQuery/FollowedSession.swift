// The session that OSCQuery shows.

import ControlSocket
import FoundationEssentials
import NIOCore

/// A session that is watched, and the next one after its end. Used on the event loop only.
final class FollowedSession {
  /// The lines of a session that are used here.
  private struct Message: Decodable {
    struct Answer: Decodable {
      struct Preset: Decodable { let name: String }

      let parameters: [SessionPicture.Parameter]?
      let presets: [Preset]?
    }

    struct Bypass: Decodable {
      let unit: String
      let on: Bool
    }

    struct Session: Decodable {
      let units: [SessionPicture.Unit]
      let scenes: [String]
      let osc: [String]?
    }

    struct Graph: Decodable, Equatable {
      struct Bus: Decodable, Equatable { let channels: Int }

      struct Unit: Decodable, Equatable {
        let id: String
        let component: String
        let inputs: [Bus]
        let outputs: [Bus]
        let takesMIDI: Bool
      }

      let units: [Unit]
    }

    let answer: Answer?
    let change: SessionPicture.Parameter?
    let bypass: Bypass?
    let session: Session?
    let graph: Graph?

    init?(_ bytes: [UInt8]) {
      guard let line = try? JSONDecoder().decode(Self.self, from: Data(bytes)) else { return nil }
      self = line
    }
  }

  private let folder: ControlFolder
  private let wanted: String?
  private let loop: any EventLoop
  private let report: (String) -> Void
  private(set) var picture = SessionPicture()
  /// The name; nil while none runs.
  private(set) var name: String?
  /// Called when addresses may have come, gone or changed.
  var changed: () -> Void = {}
  /// Called when a value has changed.
  var valueChanged: (OSCQueryNode.Target) -> Void = { _ in }
  private var news: ControlLink?
  /// Another connection: an answer that takes time delays no news.
  private var requests: ControlLink?
  private var isAsking = false
  private var hasUnits = false
  private var graph: Message.Graph?
  /// The paths in changes of which the session's list had no parameter.
  private var unlisted: Set<String> = []

  /// - Parameter wanted: the session's name; nil for the first one that runs.
  init(
    _ wanted: String?, in folder: ControlFolder, _ loop: any EventLoop,
    report: @escaping (String) -> Void
  ) {
    (self.wanted, self.folder, self.loop, self.report) = (wanted, folder, loop, report)
  }

  /// Looks for the session if it is not connected.
  func look() {
    guard name == nil else { return }
    let running = (try? folder.sessions()) ?? []
    guard let found = wanted.map({ running.contains($0) ? $0 : nil }) ?? running.first,
      let requests = link(found, notice: { _ in }),
      let news = link(found, notice: { [weak self] in self?.take($0) })
    else { return }
    (name, self.requests, self.news) = (found, requests, news)
    if wanted == nil && running.count > 1 {
      report("OSCQuery shows '\(found)' of \(running.count) sessions; --session NAME chooses")
    }
    ask()
  }

  private func link(_ session: String, notice: @escaping ([UInt8]) -> Void) -> ControlLink? {
    try? ControlLink(
      session, in: folder, name: "oscquery", loop, notice: notice,
      ended: { [weak self] in self?.end() })
  }

  private func end() {
    close()
    changed()
  }

  /// Ends the connections.
  func close() {
    for link in [news, requests] { link?.close() }
    (name, news, requests, picture) = (nil, nil, nil, SessionPicture())
    (isAsking, hasUnits, graph, unlisted) = (false, false, nil, [])
  }

  /// Watches the session from the start. The answer has all its parameters.
  private func ask() {
    // News that come before the answer are older than that.
    if isAsking { return }
    isAsking = true
    send(
      news, ["command": "watch", "paths": ["*"], "topics": ["graph", "session"]]
    ) { [weak self] answer in
      guard let self, let parameters = answer.parameters else { return }
      isAsking = false
      picture.parameters = Dictionary(
        parameters.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
      changed()
    }
  }

  private func send(
    _ link: ControlLink?, _ request: [String: JSONValue], _ body: @escaping (Message.Answer) -> Void
  ) {
    link?.send(JSONValue.object(request).line) { line in
      if let answer = line.flatMap({ Message($0) })?.answer { body(answer) }
    }
  }

  private func take(_ line: [UInt8]) {
    guard let line = Message(line) else { return }
    if let change = line.change { take(change) }
    if let bypass = line.bypass, let index = index(of: bypass.unit) {
      picture.units[index].isBypassed = bypass.on
      valueChanged(.bypass(bypass.unit))
    }
    if let session = line.session { take(session) }
    if let graph = line.graph { take(graph) }
  }

  private func index(of unit: String) -> Int? { picture.units.firstIndex { $0.id == unit } }

  private func take(_ change: SessionPicture.Parameter) {
    guard let known = picture.parameters[change.path] else {
      // Of a new unit, or of one that has others now.
      if unlisted.count < 1024, unlisted.insert(change.path).inserted { ask() }
      return
    }
    var change = change
    change.display = known.display
    picture.parameters[change.path] = change
    valueChanged(.parameter(change.path))
  }

  private func take(_ session: Message.Session) {
    let old = picture
    (picture.units, picture.scenes, picture.osc) =
      (session.units, session.scenes, session.osc ?? [])
    let isSame = old.units.elementsEqual(session.units) {
      $0.id == $1.id && $0.component == $1.component
    }
    for unit in session.units {
      let known = old.units.first { $0.id == unit.id && $0.component == unit.component }
      if known?.isBypassed != unit.isBypassed { valueChanged(.bypass(unit.id)) }
      if known == nil || known?.preset != unit.preset {
        valueChanged(.preset(unit.id))
        listPresets(of: unit, isNew: known == nil)
      }
    }
    if !isSame && hasUnits {
      unlisted = []
      ask()
    }
    hasUnits = true
    if !isSame || old.scenes != picture.scenes || old.osc != picture.osc { changed() }
  }

  /// Asks for the presets of a unit, unless they are known to have its current one.
  private func listPresets(of unit: SessionPicture.Unit, isNew: Bool) {
    if isNew { picture.presets[unit.id] = nil }
    if let known = picture.presets[unit.id], unit.preset.map(known.contains) ?? true { return }
    let request: [String: JSONValue] = [
      "command": "preset", "unit": .text(unit.id), "action": "list",
    ]
    send(requests, request) { [weak self] answer in
      guard let self, let presets = answer.presets?.map(\.name), index(of: unit.id) != nil,
        picture.presets[unit.id] != presets
      else { return }
      picture.presets[unit.id] = presets
      changed()
    }
  }

  private func take(_ new: Message.Graph) {
    if new == graph { return }
    let isFirst = graph == nil
    graph = new
    picture.players = Set(new.units.filter(\.takesMIDI).map(\.id))
    // Units have other parameters for other busses.
    if !isFirst {
      unlisted = []
      ask()
    }
    changed()
  }
}
