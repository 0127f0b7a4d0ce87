// The list of checks.

/// A group of promises that a unit is checked for.
public enum UnitCheck: String, CaseIterable, Codable, Sendable {
  case life, memory, parameters, automation, presets, state, formats, cycles, period, events
  case faults, reset, bypass, latency, tail, midi, determinism, realtime

  /// The promise of this check, in a few words.
  ///
  /// - Thread: [any]
  public var promise: String {
    switch self {
    case .life: "made, allocated, rendered and freed, again and again"
    case .memory: "many makes leave neither memory, descriptors nor threads behind"
    case .parameters: "values are taken, held to their ranges, read and written as text"
    case .automation: "ramps are read as they sound, values out of range are limited to it"
    case .presets: "every factory preset sets its values, within their ranges"
    case .state: "a state brings back the same sound to the bit; broken ones do no harm"
    case .formats: "all channel counts that are declared work, and the usual sample rates"
    case .cycles: "cycles of 1 frame to the most, in any memory, and no sample outside of it"
    case .period: "the output does not depend on the period, to the bit"
    case .events: "nothing of an event is heard before its frame"
    case .faults: "silence, NaN, infinity, denormals and huge values are survived and forgotten"
    case .reset: "a reset forgets what sounds"
    case .bypass: "the bypass passes the input, and comes and goes without a click"
    case .latency: "the output is as late as the latency says"
    case .tail: "it is silent once its tail is over"
    case .midi: "MIDI garbage is survived, and leaves no note behind"
    case .determinism: "the same input gives the same output, whatever was in memory"
    case .realtime: "rendering neither allocates nor waits"
    }
  }

  func run(_ trial: Trial) throws {
    switch self {
    case .life: try checkLife(trial)
    case .memory: try checkMemory(trial)
    case .parameters: try checkParameters(trial)
    case .automation: try checkAutomation(trial)
    case .presets: try checkPresets(trial)
    case .state: try checkState(trial)
    case .formats: try checkFormats(trial)
    case .cycles: try checkCycles(trial)
    case .period: try checkPeriod(trial)
    case .events: try checkEvents(trial)
    case .faults: try checkFaults(trial)
    case .reset: try checkReset(trial)
    case .bypass: try checkBypass(trial)
    case .latency: try checkLatency(trial)
    case .tail: try checkTail(trial)
    case .midi: try checkMIDI(trial)
    case .determinism: try checkDeterminism(trial)
    case .realtime: try checkRealtime(trial)
    }
  }
}
