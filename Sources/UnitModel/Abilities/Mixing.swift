// What a sound is mixed with, kept by its source.

import Synchronization

/// A unit whose output may be mixed: how loud, and where, belongs to it and not to the mixer's
/// input.
///
/// What is set takes effect at once where the unit is connected to a mixer, also through effects;
/// else it is kept, and travels with the unit to the next mixer. What a mixer does not have stays
/// without effect there.
///
/// AUv3: `AVAudioMixing`.
public protocol Mixing: AudioUnit {
  var mixing: MixingProperties { get }
}

extension Mixing {
  /// The gain, 1 as it is; a mixer's range is 0 to 4.
  ///
  /// - Thread: [any]
  public var volume: Float {
    get { mixing["volume"] ?? 1 }
    set { mixing["volume"] = newValue }
  }

  /// −1, left, to 1, right.
  ///
  /// - Thread: [any]
  public var pan: Float {
    get { mixing["pan"] ?? 0 }
    set { mixing["pan"] = newValue }
  }

  /// Where it is in an environment, in metres: x to the right, y up, z towards the listener.
  ///
  /// - Thread: [any]
  public var position: (x: Float, y: Float, z: Float) {
    get { (mixing["x"] ?? 0, mixing["y"] ?? 0, mixing["z"] ?? 0) }
    set { (mixing["x"], mixing["y"], mixing["z"]) = (newValue.x, newValue.y, newValue.z) }
  }

  /// How an environment gives it a place.
  ///
  /// - Thread: [any]
  public var renderingAlgorithm: RenderingAlgorithm {
    get { RenderingAlgorithm(rawValue: Int(mixing["algorithm"] ?? 0)) ?? .equalPower }
    set { mixing["algorithm"] = Float(newValue.rawValue) }
  }

  /// How much of it an environment's reverb gets: 0, dry, to 1.
  ///
  /// - Thread: [any]
  public var reverbBlend: Float {
    get { mixing["reverbBlend"] ?? 0 }
    set { mixing["reverbBlend"] = newValue }
  }

  /// By how much its direct way is muffled, in decibels from −100 to 0.
  ///
  /// - Thread: [any]
  public var obstruction: Float {
    get { mixing["obstruction"] ?? 0 }
    set { mixing["obstruction"] = newValue }
  }

  /// By how much its direct way and the reflected ones are, likewise.
  ///
  /// - Thread: [any]
  public var occlusion: Float {
    get { mixing["occlusion"] ?? 0 }
    set { mixing["occlusion"] = newValue }
  }
}

/// How an environment gives a source its place, from cheap to costly but for the two last ones.
///
/// AUv3: `AVAudio3DMixingRenderingAlgorithm`.
public enum RenderingAlgorithm: Int, Sendable, CaseIterable {
  /// Between left and right, as a pan does.
  case equalPower
  /// The times and levels at a sphere with two ears.
  case sphericalHead
  /// The responses measured at a head.
  case hrtf
  /// As two microphones would have it.
  case soundField
  /// Stereo as it is.
  case stereoPassThrough
}

/// Values by the identifiers of the parameters that a mixer has for each input, within their
/// ranges: one beyond is the nearest end, and one that is no number changes nothing.
public final class MixingProperties: Sendable {
  /// Told of each value that is set.
  public typealias Observer = @Sendable (_ identifier: String, _ value: Float) -> Void

  private struct State {
    var values: [String: Float] = [:]
    var observer: Observer?
  }

  /// The ranges of parameters that have one; all others take any finite number.
  private static let ranges: [String: ClosedRange<Float>] = [
    "volume": 0...4, "pan": -1...1, "reverbBlend": 0...1, "obstruction": -100...0,
    "occlusion": -100...0,
  ]

  private let state = Mutex(State())

  public init() {}

  /// What was set, nil for what never was.
  ///
  /// - Thread: [any]
  public subscript(identifier: String) -> Float? {
    get { state.withLock { $0.values[identifier] } }
    set {
      guard let newValue else { return state.withLock { $0.values[identifier] = nil } }
      guard !newValue.isNaN else { return }
      let range =
        Self.ranges[identifier] ?? -Float.greatestFiniteMagnitude...Float.greatestFiniteMagnitude
      let value = min(max(newValue, range.lowerBound), range.upperBound)
      let observer = state.withLock { state in
        state.values[identifier] = value
        return state.observer
      }
      observer?(identifier, value)
    }
  }

  /// All that was set.
  ///
  /// - Thread: [any]
  public var values: [String: Float] { state.withLock { $0.values } }

  /// Has what is set told to whoever mixes; nil for nobody.
  ///
  /// - Thread: [control]
  public func setObserver(_ observer: Observer?) { state.withLock { $0.observer = observer } }
}
