// One step of undo and redo.

import Configuration
import FoundationEssentials
import SessionModel
import UnitModel

/// A change of a session by one command. Can be undone and redone.
struct SessionStep: Sendable {
  /// Number of the state that the session has after it.
  var number = 0
  /// Number of its last change in the journal.
  var lastChange = 0
  /// Shared by all copies of it, and by the values that follow it as one step.
  private(set) var mark = UndoMark()
  /// Stored value of `size`.
  var byteCount = 0
  /// Path of its subject: `piano/gain`, or a unit.
  var path: String
  var text: String
  /// Edits, in the order in which they were made.
  var edits: [Edit] = []
  /// Whether it combines several changes.
  private(set) var isTogether = false
  /// Whether it cannot be undone.
  private(set) var isFixed = false
  /// Whether it changes the session.
  private(set) var isChange = true

  /// Whether both are the same step of a history.
  func isSame(as other: SessionStep) -> Bool {
    number == other.number && isFixed == other.isFixed
  }

  /// The description of each edit of several moved values; empty for a single one.
  private var texts: [String] = []

  /// Whether it is a moved value, or the moved values of one gesture.
  var isValue: Bool { !isTogether && edits.first?.isValue ?? false }

  /// The paths of its values.
  var valuePaths: [String] {
    edits.compactMap { if case .value(let value) = $0 { value.path.text } else { nil } }
  }

  init(_ text: String, path: String, _ edit: Edit) {
    (self.text, self.path) = (text, path)
    edits = [edit]
  }

  /// The change of a parameter's value.
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

  /// The change of a switch.
  init(_ key: UnitSwitch, of id: String, before: Bool, after: Bool) {
    self.init(
      "\(id): \(key.rawValue) \(after ? "on" : "off")", path: id,
      .switch(key, unit: id, from: before, to: after))
  }

  /// A change of a unit's sound.
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

  /// Returns a description of several changes, the first eight by their texts.
  static func text(_ texts: [String]) -> String {
    let most = 8
    return texts.prefix(most).joined(separator: ", ")
      + (texts.count > most ? " and \(texts.count - most) others" : "")
  }

  /// Returns this value and earlier ones as one step.
  func following(_ earlier: SessionStep) -> SessionStep {
    guard case .value(let last)? = edits.first else { return self }
    var step = earlier
    var texts = earlier.texts.isEmpty ? [earlier.text] : earlier.texts
    if let place = earlier.valuePaths.firstIndex(of: path),
      case .value(let first) = earlier.edits[place]
    {
      step.edits[place] = .value(
        Edit.Value(
          unit: last.unit, keyPath: last.keyPath, from: first.from, to: last.to,
          frame: [first.frame, last.frame].compactMap(\.self).max(), rampFrames: last.rampFrames))
      texts[place] = Self.text(from: texts[place], to: text)
    } else {
      step.edits += edits
      texts.append(text)
    }
    step.texts = texts.count > 1 ? texts : []
    step.text = Self.text(texts)
    return step
  }

  /// Returns the description of a change from the value before one change to that after another.
  private static func text(from first: String, to last: String) -> String {
    let end = last.firstRange(of: " to ").map { String(last[$0.lowerBound...]) } ?? ""
    let start = first.firstRange(of: " to ").map { String(first[..<$0.lowerBound]) } ?? ""
    return start + end
  }

  /// Inserts edits before all others.
  mutating func insert(_ parts: [Edit]) {
    edits.insert(contentsOf: parts, at: 0)
    isTogether = true
  }

  /// Returns the edits that undo or redo it, in their order.
  func edits(isUndo: Bool) -> [Edit] { isUndo ? edits.reversed().map(\.inverse) : edits }

  /// Approximate size of its contents, in bytes.
  var size: Int { 256 + edits.reduce(0) { $0 + $1.size } }
}
