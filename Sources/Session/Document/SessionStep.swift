// What is taken back at once.

import Configuration
import Foundation
import SessionModel
import UnitModel

/// A change of a session by one command, that can be taken back and made again.
struct SessionStep: Sendable {
  /// Which state of the session it leads to.
  var number = 0
  /// Its `size`, kept.
  var byteCount = 0
  /// What it is about: `piano/gain`, or a unit.
  var path: String
  var text: String
  /// In the order in which they were made.
  var edits: [Edit] = []
  /// Whether it is several changes as one.
  private(set) var isTogether = false
  /// Whether it cannot be taken back.
  private(set) var isFixed = false
  /// Whether the session is another one by it.
  private(set) var isChange = true

  /// Whether a history has it in the place of another.
  func isSame(as other: SessionStep) -> Bool {
    number == other.number && isFixed == other.isFixed
  }

  /// Whether it is one value of one parameter.
  var isValue: Bool { !isTogether && edits.first?.isValue ?? false }

  init(_ text: String, path: String, _ edit: Edit) {
    (self.text, self.path) = (text, path)
    edits = [edit]
  }

  /// A value of a parameter.
  init(
    _ parameter: Parameter, of id: String, before: Float, after: Float, frame: Int64? = nil,
    rampFrames: Int = 0
  ) {
    let value = Edit.Value(
      unit: id, keyPath: parameter.keyPath, from: before, to: after, frame: frame,
      rampFrames: rampFrames)
    let path = value.path.text
    self.init(
      "\(path) from \(parameter.string(fromValue: before)) to \(parameter.string(fromValue: after))",
      path: path, .value(value))
  }

  init(bypassOf id: String, before: Bool, after: Bool) {
    self.init(
      "\(id): bypass \(after ? "on" : "off")", path: id,
      .bypass(unit: id, from: before, to: after))
  }

  init(transportResetOf id: String, before: Bool, after: Bool) {
    self.init(
      "\(id): reset-with-transport \(after ? "on" : "off")", path: id,
      .transportReset(unit: id, from: before, to: after))
  }

  /// What has become of a unit's sound.
  init(_ what: String, of id: String, _ edits: [Edit]) {
    (text, path) = ("\(id): \(what)", id)
    self.edits = edits
  }

  /// Several changes as one.
  init(together parts: [SessionStep]) {
    path = parts.first?.path ?? ""
    text = Self.text(parts.map(\.text))
    edits = parts.flatMap(\.edits)
    isTogether = true
  }

  init(fixed text: String, path: String, isChange: Bool) {
    (self.text, self.path, self.isChange) = (text, path, isChange)
    isFixed = true
  }

  /// What several changes are, the first of them by name.
  static func text(_ texts: [String]) -> String {
    let most = 8
    return texts.prefix(most).joined(separator: ", ")
      + (texts.count > most ? " and \(texts.count - most) others" : "")
  }

  /// This value and the one before of the same parameter as one.
  func following(_ earlier: SessionStep) -> SessionStep {
    guard case .value(let first)? = earlier.edits.first, case .value(let last)? = edits.first
    else { return self }
    let end = text.range(of: " to ").map { String(text[$0.lowerBound...]) } ?? ""
    let start = earlier.text.range(of: " to ").map { String(earlier.text[..<$0.lowerBound]) } ?? ""
    return SessionStep(
      start + end, path: path,
      .value(
        Edit.Value(
          unit: last.unit, keyPath: last.keyPath, from: first.from, to: last.to,
          frame: [first.frame, last.frame].compactMap(\.self).max(), rampFrames: last.rampFrames)))
  }

  /// Makes changes part of it, before all else.
  mutating func insert(_ parts: [Edit]) {
    edits.insert(contentsOf: parts, at: 0)
    isTogether = true
  }

  /// What takes it back, or makes it again, in its order.
  func edits(isUndo: Bool) -> [Edit] { isUndo ? edits.reversed().map(\.inverse) : edits }

  /// About what it holds, in bytes.
  var size: Int { 256 + edits.reduce(0) { $0 + $1.size } }
}
