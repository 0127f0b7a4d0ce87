// Helpers that all checks share.

import UnitModel

/// The error that ends a check if it does not apply to this unit.
struct NotChecked: Error {
  let reason: String
}

/// One run of one check.
final class Trial {
  /// The maximum cycle length for units, unless a check sets another.
  static let maximumFrames = 1024
  /// The most findings of a check that are reported; further ones are only counted.
  private static let mostFindings = 8

  private let makeUnit: UnitValidator.Make
  let flushesDenormals: Bool
  private let notify: UnitValidator.Progress
  private(set) var findings: [Finding] = []
  private(set) var activity = "making the unit"

  init(
    make: @escaping UnitValidator.Make, flushesDenormals: Bool,
    notify: @escaping UnitValidator.Progress
  ) {
    makeUnit = make
    self.flushesDenormals = flushesDenormals
    self.notify = notify
  }

  /// Findings to report, failures first; the last one counts the rest if there are too many.
  var found: [Finding] {
    let kept = findings.sorted { $0.severity == .failure && $1.severity == .warning }
    guard kept.count > Self.mostFindings else { return kept }
    let rest = kept.dropFirst(Self.mostFindings)
    let severity: Finding.Severity =
      rest.contains { $0.severity == .failure } ? .failure : .warning
    return kept.prefix(Self.mostFindings) + [Finding(severity, "and \(rest.count) more")]
  }

  /// Reports the next activity.
  func doing(_ activity: String) {
    self.activity = activity
    notify(activity)
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

  /// Makes a unit that renders offline. If its inputs are open and it has none, it gets up to
  /// three.
  func make() throws -> AudioUnit {
    let unit = try makeUnit()
    if unit.inputBusses.isOpen, unit.inputBusses.count == 0 {
      try unit.inputBusses.setBusCount(min(3, unit.inputBusses.maximumBusCount))
    }
    unit.isRenderingOffline = true
    return unit
  }

  /// Makes a unit, for checks of effects only.
  func makeEffect() throws -> AudioUnit {
    let unit = try make()
    guard [.effect, .musicEffect].contains(unit.componentDescription.type),
      !unit.inputBusses.busses.isEmpty, !unit.outputBusses.busses.isEmpty
    else { throw NotChecked(reason: "it is no effect") }
    return unit
  }

  /// Returns the number of units that can be made and allocated in a time: some load files.
  func units(within time: Duration) throws -> Int {
    let start = ContinuousClock.now
    _ = try allocated()
    return max(1, Int(time / (ContinuousClock.now - start)))
  }

  /// Makes a unit with its resources allocated, in its initial formats.
  func allocated(maximumFrames: Int = Trial.maximumFrames) throws -> AudioUnit {
    let unit = try make()
    try allocate(unit, maximumFrames: maximumFrames)
    return unit
  }

  /// Allocates a unit's resources.
  func allocate(_ unit: AudioUnit, maximumFrames: Int = Trial.maximumFrames) throws {
    try unit.setMaximumFramesToRender(maximumFrames)
    try unit.allocateRenderResources()
  }

  func host(_ unit: AudioUnit) throws -> TrialHost {
    try TrialHost(unit, flushesDenormals: flushesDenormals)
  }

  /// Returns the response of a fresh unit with its initial parameters.
  func fresh(_ stimulus: Stimulus, _ lengths: CycleLengths = .fixed(256)) throws -> Response {
    try host(allocated()).run(stimulus, lengths)
  }

  /// Returns the response of a fresh unit, or ends the check if it is silent.
  func heard(_ stimulus: Stimulus, _ lengths: CycleLengths = .fixed(256)) throws -> Response {
    let response = try fresh(stimulus, lengths)
    guard !response.isSilent else { throw NotChecked(reason: try silenceReason()) }
    return response
  }

  private func silenceReason() throws -> String {
    try make() is any SoundFontHolding
      ? "it has no SoundFont to play (--soundfont)" : "nothing that was played made it sound"
  }

  /// Fails unless two responses are bit-identical.
  func expectEqual(
    _ response: Response, _ expected: Response, _ message: String, isWarning: Bool = false
  ) {
    guard let difference = response.difference(from: expected) else { return }
    let text = "\(message): \(difference.found)"
    isWarning
      ? warn(text, expected: difference.expected, frame: difference.frame)
      : fail(text, expected: difference.expected, frame: difference.frame)
  }

  /// Fails if the unit has output values that are not finite.
  func expectFinite(_ unit: AudioUnit, _ what: String) {
    let faults = unit.switches.value(of: .nonFiniteCycles)
    if faults > 0 { fail("\(what) makes NaN or infinity of noise, in \(faults) cycles") }
  }

  /// Fails if a call returned an error, or the unit wrote to memory that it must not write.
  func expectSound(_ host: TrialHost, while activity: String) {
    for violation in host.takeViolations() {
      fail("\(violation.text), \(activity)", frame: violation.frame)
    }
  }
}
