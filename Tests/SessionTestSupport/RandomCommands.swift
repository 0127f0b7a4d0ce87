// Random commands to a session, from a seed.

import Configuration
import SessionModel
import TestSupport

/// Draws commands of all kinds for the session of `SessionRun`. About one in six of each
/// kind is wrong.
struct RandomCommands {
  enum Kind: String, CaseIterable {
    case set, ramp, timed, fader, bypass, preset, soundfont, entry, connect, disconnect, add,
      replace, remove, place, map, unmap, scene, together, undo, redo, save, look, panic
  }

  struct Act {
    let kind: Kind
    /// Commands that are sent without waiting for the answers in between.
    let commands: [SessionCommand]
  }

  private var random: SeededRandom
  /// The folder of the files that commands name.
  private let folder: String
  /// Paths set since the last other step. A second value of such a path would join its step or
  /// begin a new one, depending on the time that has passed.
  private var moved: Set<String> = []

  init(seed: UInt64, folder: String) {
    random = SeededRandom(seed: seed)
    self.folder = folder
  }

  /// Forgets the paths set so far: their next values begin new steps.
  mutating func beginSteps() { moved = [] }

  /// Distance of a change from the present frame. Enough to prepare the change in time, also on a
  /// busy machine.
  private static let lead: Int64 = 96_000
  /// A frame that a run never reaches.
  static let never: Int64 = 1 << 60

  private static let kinds: [Kind] =
    Kind.allCases.filter { $0 != .panic } + Kind.allCases
    + [.set, .bypass, .preset, .connect, .connect, .add, .add, .map, .map, .scene, .scene]
    + [.together, .undo, .undo]

  /// - Parameter now: the session's current frame.
  mutating func next(now: Int64) -> Act {
    let kind = pick(Self.kinds)
    let isWrong = chance(6)
    let commands: [SessionCommand] =
      switch kind {
      case .set: [set(isWrong)]
      case .ramp: [ramp(isWrong)]
      case .timed: [timed(isWrong)]
      case .fader: fader(isWrong)
      case .bypass: [.bypass(unit: isWrong ? "u9" : pick(Self.units), isOn: chance(2))]
      case .preset: [preset(isWrong)]
      case .soundfont: [soundFont(isWrong)]
      case .entry: [entry(isWrong)]
      case .connect, .disconnect: [connection(kind, isWrong)]
      case .add, .replace: [unit(kind, isWrong)]
      case .remove:
        [.remove(unit: pick(isWrong ? ["u9"] : Self.guests + ["echo"]), ringsOut: chance(2))]
      case .place: [.place(unit: isWrong ? "u9" : pick(Self.units), chance(3) ? nil : place())]
      case .map: [map(isWrong)]
      case .unmap: [.unmap(path: isWrong ? "echo/nothing" : pick(Self.mapped))]
      case .scene: [.scene(scene(isWrong, now))]
      case .together: [together(isWrong, now)]
      case .undo: [.undo(steps: isWrong ? pick([0, -1, 9_999]) : pick([1, 1, 1, 2, 3]))]
      case .redo: [.redo(steps: isWrong ? pick([0, 9_999]) : pick([1, 1, 2]))]
      case .save: [save(isWrong)]
      case .look: [look(isWrong)]
      case .panic: [.panic]
      }
    return Act(kind: kind, commands: commands)
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value {
    values.randomElement(using: &random)!
  }

  private mutating func chance(_ count: Int) -> Bool {
    Int.random(in: 0..<count, using: &random) == 0
  }

  private mutating func place() -> BoxPosition {
    func number() -> Double { Double(Int.random(in: -999...999, using: &random)) }
    return BoxPosition(x: number(), y: number())
  }

  // MARK: Values

  private static let units = ["lowpass", "echo", "desk", "keys", "piano", "u1", "u2"]
  /// Units that commands add and remove.
  private static let guests = ["u1", "u2", "u3", "u4"]

  private static let values: [(path: String, range: ClosedRange<Int>)] = [
    ("lowpass/cutoff", 100...9_000), ("lowpass/resonance", -9...9), ("echo/delay", 0...2),
    ("echo/feedback", -90...90), ("echo/mix", 0...100), ("desk/volume", 0...4),
    ("desk/inputs/1/volume", 0...4), ("desk/inputs/3/pan", -1...1), ("lowpass/mix/volume", 0...4),
    ("keys/gain", -30...6), ("keys/pan", 0...127), ("keys/polyphony", 32...64),
    ("piano/gain", -30...6), ("piano/transpose", -24...24), ("tone/amplitude", 0...1),
    ("piano/midi/transpose/semitones", -12...12), ("u1/cutoff", 100...9_000), ("u2/mix", 0...100),
  ]

  private static let wrongValues: [(path: String, value: SettingValue)] = [
    ("lowpass/cutoff", .number(5)), ("lowpass/cutoff", .string("loud")),
    ("lowpass/cutof", .number(500)), ("lowpas/cutoff", .number(500)), ("lowpass", .number(1)),
    ("desk/inputs/1", .number(1)), ("tone/waveform", .string("Round")),
    ("keys/pan", .boolean(true)),
    ("piano/transpose", .number(99)), ("echo/mix/volume", .number(1)),
  ]

  /// Draws a path not set recently, and a value for it; nil if all were.
  private mutating func value() -> (path: String, value: Double, other: Double)? {
    func place(_ path: String) -> String {
      // A mixer's settings for a source have two names.
      path.hasPrefix("desk/inputs") || path.contains("/mix/") ? "desk" : path
    }
    let left = Self.values.filter { !moved.contains(place($0.path)) }
    if left.isEmpty { return nil }
    let (path, range) = pick(left)
    moved.insert(place(path))
    func number() -> Double { Double(Int.random(in: range, using: &random)) }
    return (path, number(), number())
  }

  private mutating func set(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      let (path, value) = pick(Self.wrongValues)
      return .set(path: path, value: value)
    }
    if chance(4), moved.insert("tone/waveform").inserted {
      return .set(path: "tone/waveform", value: .string(pick(["Saw", "Square", "Sine"])))
    }
    guard let (path, number, _) = value() else { return look(false) }
    // Shells send numbers as text.
    return .set(path: path, value: chance(3) ? .string("\(Int(number))") : .number(number))
  }

  private mutating func ramp(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      return pick([
        .set(path: "lowpass/cutoff", value: .number(500), rampMilliseconds: -1),
        .set(path: "lowpass/cutoff", value: .number(500), rampMilliseconds: 4e6),
        .set(path: "keys/pan", value: .number(5), rampMilliseconds: 20),
      ])
    }
    guard let (path, number, _) = value() else { return look(false) }
    return .set(
      path: path, value: .number(number), rampMilliseconds: Double(pick([0, 5, 40])))
  }

  /// Sets a value on a frame that is never reached, or on a negative one.
  private mutating func timed(_ isWrong: Bool) -> SessionCommand {
    .set(
      path: pick(["lowpass/cutoff", "piano/gain"]), value: .number(isWrong ? 1e9 : 20),
      frame: isWrong ? -1 : Self.never)
  }

  /// Draws values that follow each other fast enough to be one step. All are equal, because each
  /// value of a cycle may be reported as a change from any of the values before it.
  private mutating func fader(_ isWrong: Bool) -> [SessionCommand] {
    guard let (path, number, _) = value() else { return [look(false)] }
    let wrong = SessionCommand.set(path: path, value: .number(1e9))
    return [
      .set(path: path, value: .number(number)),
      isWrong ? wrong : .set(path: path, value: .number(number)),
      .set(path: path, value: .number(number)),
    ]
  }

  private mutating func together(_ isWrong: Bool, _ now: Int64) -> SessionCommand {
    if isWrong {
      return .together(
        pick([
          [], [.panic], [.undo(steps: 1)],
          [.set(path: "lowpass/cutoff", value: .number(700)), .remove(unit: "echo")],
          [
            .set(path: "lowpass/cutoff", value: .number(700)),
            .set(path: "echo/mix", value: .number(700)),
          ], [.connect(from: "piano", to: "desk:5"), .connect(from: "piano", to: "u9")],
          [.remove(unit: "u1"), .add(unit: "u3", component: "filtre")],
        ]))
    }
    if chance(2) {
      return .together(
        [
          .set(path: "piano/gain", value: .number(Double(Int.random(in: -30...6, using: &random)))),
          .set(path: "keys/pan", value: .number(Double(Int.random(in: 0...127, using: &random)))),
          .set(path: "piano/gain", value: .number(Double(Int.random(in: -30...6, using: &random)))),
        ], frame: chance(4) ? Self.never : nil)
    }
    let id = pick(Self.guests)
    return .together(
      [
        .connect(from: "tone", to: id), .connect(from: id, to: "desk:7"),
        .add(unit: id, component: pick(["filter", "delay"])), .connect(from: "tone", to: id),
        .connect(from: id, to: "desk"),
      ].suffix(pick([3, 5])), frame: chance(3) ? now + Self.lead : nil)
  }

  // MARK: Sounds

  private mutating func preset(_ isWrong: Bool) -> SessionCommand {
    let (unit, own) = (pick(["lowpass", "desk", "piano"]), pick(["Mine", "Other"]))
    if isWrong {
      return pick([
        .preset(unit: unit, .load("Nothing")), .preset(unit: "lowpass", .delete("Warm")),
        .preset(unit: "desk", .save("Unity")), .preset(unit: "u9", .list),
      ])
    }
    return pick([
      .preset(unit: unit, .list), .preset(unit: "lowpass", .load("Warm")),
      .preset(unit: "lowpass", .load("Bright")), .preset(unit: "echo", .load("Tape")),
      .preset(unit: "desk", .load("Spread")), .preset(unit: unit, .load(own)),
      .preset(unit: unit, .save(own)), .preset(unit: unit, .save(own)),
      .preset(unit: unit, .delete(own)),
    ])
  }

  private mutating func soundFont(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      return pick([
        .soundFont(unit: "lowpass", file: "\(folder)/a.sf2"),
        .soundFont(unit: "piano", file: "\(folder)/nothing.sf2"),
        .soundFont(unit: "piano", file: "\(folder)/session.toml"),
        .soundFont(unit: "piano", file: "\(folder)/a.sf2", bank: 300),
        .soundFont(unit: "piano", file: "\(folder)/a.sf2", bank: 0, program: 99),
      ])
    }
    return .soundFont(unit: "piano", file: "\(folder)/\(pick(["a", "b"])).sf2")
  }

  private mutating func entry(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      return pick([
        .entry(unit: "keys", .number(9)), .entry(unit: "keys", .name("Sof")),
        .entry(unit: "piano", .number(0)), .entry(unit: "desk", .number(0)),
        .entry(unit: "keys", .number(1), frame: -5),
      ])
    }
    return pick([
      .entry(unit: "keys", .number(0)), .entry(unit: "keys", .number(1)),
      .entry(unit: "keys", .name("Soft")), .entry(unit: "keys", .name("Hard")),
      .entry(unit: "keys", .name("Hard"), frame: Self.never),
    ])
  }

  // MARK: Structure

  private static let sources = ["lowpass", "echo", "piano", "keys", "tone", "u1", "u2", "desk"]
  private static let destinations = [
    "desk", "desk", "desk:5", "lowpass", "echo", "u1", "u2", "physical:outputs",
    "system:playback_1",
  ]

  private static let usual = [
    ("tone", "lowpass"), ("lowpass", "desk"), ("keys", "desk"), ("piano", "u1"), ("u1", "desk"),
  ]

  private mutating func connection(_ kind: Kind, _ isWrong: Bool) -> SessionCommand {
    let (from, to): (String, String) =
      isWrong
      ? pick([
        ("lowpass", "nothing"), ("system:capture_1", "system:playback_1"), ("keys", "piano:midi"),
        ("lowpass", "desk:17"), ("lowpass:2", "desk"), ("desk", "lowpass:side"),
        ("lowpass", "keys"), ("lowpass:midi", "echo"), ("piano", "system:nothing"), ("", "desk"),
      ])
      : chance(6)
        ? pick([("system:capture_1", "lowpass"), ("physical:midi", "piano")])
        : chance(kind == .connect ? 3 : 2)
          ? pick(Self.usual) : (pick(Self.sources), pick(Self.destinations))
    return kind == .connect ? .connect(from: from, to: to) : .disconnect(from: from, to: to)
  }

  private mutating func unit(_ kind: Kind, _ isWrong: Bool) -> SessionCommand {
    let (component, settings): (String, [String]) =
      isWrong
      ? pick([
        ("filtre", []), ("filter", ["preset=Cold"]), ("filter", ["cutoff"]),
        ("filter", ["parameters={ cutoff = 5 }"]), ("sampler", ["soundfont=nothing.sf2"]),
        ("filter", ["speed=3"]),
      ])
      : pick([
        ("filter", []), ("filter", ["preset=Warm"]), ("delay", ["parameters={ mix = 30 }"]),
        ("mixer", ["inputs=4"]), ("midi", ["midi=[ { stage = \"transpose\", semitones = 5 } ]"]),
        ("distortion", []), ("sampler", ["soundfont=b.sf2"]),
      ])
    let id = pick(Self.guests)
    return kind == .add
      ? .add(unit: id, component: component, settings: settings)
      : .replace(unit: id, component: component, settings: settings)
  }

  // MARK: Maps and scenes

  private static let mapped = [
    "lowpass/cutoff", "desk/volume", "scene=Verse", "panic=true", "preset=lowpass/Warm",
  ]

  private mutating func map(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      return pick([
        .map(path: "lowpass/cutoff", settings: ["controller=200"]),
        .map(path: "lowpass/nothing", settings: ["controller=7"]),
        .map(path: "keys/polyphony", settings: ["controller=7"]),
        .map(path: "scene=Nothing", settings: ["program=1"]),
        .map(path: "preset=lowpass/Cold", settings: ["program=1"]),
        .map(path: "lowpass/cutoff", settings: []),
        .map(path: "lowpass/cutoff", settings: ["controller=7", "range=[5, 5]"]),
      ])
    }
    let path = pick(Self.mapped)
    let number = Int.random(in: 1...20, using: &random)
    if path.contains("=") { return .map(path: path, settings: ["program=\(number)"]) }
    return .map(
      path: path, settings: ["controller=\(number)"] + (chance(2) ? ["mode=toggle"] : []))
  }

  private mutating func scene(_ isWrong: Bool, _ now: Int64) -> SessionCommand.SceneAction {
    let name = pick(["Verse", "Chorus", "Bridge"])
    if isWrong {
      return pick([
        .load("Nothing"), .delete("Nothing"), .save("", paths: []), .load(name, frame: -1),
        .save("Part", paths: ["nothing"]), .save("Part", paths: ["keys/polyphony"]),
      ])
    }
    return pick([
      .list, .load(name), .load(name), .load("Part"), .load(name, frame: now + Self.lead),
      .save(name), .save(name), .save("Part", paths: ["lowpass", "piano/gain", "echo/mix"]),
      .save("Part", paths: ["desk", "u1"]), .delete(name), .delete("Part"),
    ])
  }

  // MARK: The rest

  private mutating func save(_ isWrong: Bool) -> SessionCommand {
    .save(
      file: isWrong
        ? pick(["a.toml", "\(folder)/nothing/a.toml", "\(folder)/a.sf2"])
        : pick([nil, nil, "\(folder)/other.toml"]))
  }

  private mutating func look(_ isWrong: Bool) -> SessionCommand {
    if isWrong {
      return pick([
        .get(path: "lowpass"), .get(path: "lowpass/nothing"), .list(path: "nothing"),
        .learn(path: "lowpass/nothing", settings: [], .init(timeoutSeconds: 1)),
      ])
    }
    return pick([
      .list(path: nil), .list(path: "lowpass"), .get(path: "piano/gain"), .get(path: "keys/pan"),
      .mappings, .scene(.list), .preset(unit: "keys", .list),
    ])
  }
}
