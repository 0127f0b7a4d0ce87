// What the checks have in common: a unit to try, and what is found of it.

import UnitModel

/// Ends a check that says nothing of this unit.
struct NotChecked: Error {
  let reason: String
}

/// One run of one check.
final class Trial {
  /// What units are rendered at, unless a check says otherwise.
  static let maximumFrames = 1024
  /// More findings of a check are counted, not told.
  private static let mostFindings = 8

  private let makeUnit: UnitValidator.Make
  let flushesDenormals: Bool
  private let tell: UnitValidator.Progress
  private(set) var findings: [Finding] = []
  private(set) var activity = "making the unit"

  init(
    make: @escaping UnitValidator.Make, flushesDenormals: Bool,
    tell: @escaping UnitValidator.Progress
  ) {
    makeUnit = make
    self.flushesDenormals = flushesDenormals
    self.tell = tell
  }

  /// What is found, the first ones if there are many.
  var found: [Finding] {
    let kept = findings.sorted { $0.severity == .failure && $1.severity == .warning }
    guard kept.count > Self.mostFindings else { return kept }
    let rest = kept.dropFirst(Self.mostFindings)
    let severity: Finding.Severity =
      rest.contains { $0.severity == .failure } ? .failure : .warning
    return kept.prefix(Self.mostFindings) + [Finding(severity, "and \(rest.count) more")]
  }

  /// Says what is done next.
  func doing(_ activity: String) {
    self.activity = activity
    tell(activity)
  }

  func fail(
    _ message: String, expected: String? = nil, frame: Int? = nil, parameter: String? = nil,
    value: Float? = nil
  ) {
    findings.append(
      Finding(
        .failure, message, expected: expected, frame: frame, parameter: parameter,
        value: value.map { "\($0)" }))
  }

  func warn(
    _ message: String, expected: String? = nil, frame: Int? = nil, parameter: String? = nil,
    value: Float? = nil
  ) {
    findings.append(
      Finding(
        .warning, message, expected: expected, frame: frame, parameter: parameter,
        value: value.map { "\($0)" }))
  }

  /// Another unit; one whose inputs come and go has some, and all are told that nobody waits.
  func make() throws -> AudioUnit {
    let unit = try makeUnit()
    if unit.inputBusses.isOpen, unit.inputBusses.count == 0 {
      try unit.inputBusses.setBusCount(min(3, unit.inputBusses.maximumBusCount))
    }
    unit.isRenderingOffline = true
    return unit
  }

  /// Another unit, for checks that are about effects alone.
  func makeEffect() throws -> AudioUnit {
    let unit = try make()
    guard [.effect, .musicEffect].contains(unit.componentDescription.type),
      !unit.inputBusses.busses.isEmpty, !unit.outputBusses.busses.isEmpty
    else { throw NotChecked(reason: "it is no effect") }
    return unit
  }

  /// How many units may be made and allocated in a time: some load files.
  func units(within time: Duration) throws -> Int {
    let start = ContinuousClock.now
    _ = try allocated()
    return max(1, Int(time / (ContinuousClock.now - start)))
  }

  /// A unit with resources, in the formats that it was made with.
  func allocated(maximumFrames: Int = Trial.maximumFrames) throws -> AudioUnit {
    let unit = try make()
    try allocate(unit, maximumFrames: maximumFrames)
    return unit
  }

  /// Gives a unit resources.
  func allocate(_ unit: AudioUnit, maximumFrames: Int = Trial.maximumFrames) throws {
    try unit.setMaximumFramesToRender(maximumFrames)
    try unit.allocateRenderResources()
  }

  func host(_ unit: AudioUnit) throws -> TrialHost {
    try TrialHost(unit, flushesDenormals: flushesDenormals)
  }

  /// What a fresh unit makes of a stimulus, its parameters as they are at first.
  func fresh(_ stimulus: Stimulus, _ lengths: CycleLengths = .fixed(256)) throws -> Response {
    try host(allocated()).run(stimulus, lengths)
  }

  /// The same, where it must be heard for a check to say anything.
  func heard(_ stimulus: Stimulus, _ lengths: CycleLengths = .fixed(256)) throws -> Response {
    let response = try fresh(stimulus, lengths)
    guard !response.isSilent else { throw NotChecked(reason: try silenceReason()) }
    return response
  }

  private func silenceReason() throws -> String {
    try make() is any SoundFontHolding
      ? "it has no SoundFont to play (--soundfont)" : "nothing that was played made it sound"
  }

  /// Fails where two responses are not the same to the bit.
  func expectEqual(
    _ response: Response, _ expected: Response, _ message: String, isWarning: Bool = false
  ) {
    guard let difference = response.difference(from: expected) else { return }
    let text = "\(message): \(difference.found)"
    isWarning
      ? warn(text, expected: difference.expected, frame: difference.frame)
      : fail(text, expected: difference.expected, frame: difference.frame)
  }

  /// Fails where a unit has made what is not finite.
  func expectFinite(_ unit: AudioUnit, _ what: String) {
    let faults = unit.switches.value(of: .nonFiniteCycles)
    if faults > 0 { fail("\(what) makes NaN or infinity of noise, in \(faults) cycles") }
  }

  /// Fails where a call returned an error, or the unit wrote where it must not.
  func expectSound(_ host: TrialHost, while activity: String) {
    for violation in host.takeViolations() {
      fail("\(violation.text), \(activity)", frame: violation.frame)
    }
  }
}
