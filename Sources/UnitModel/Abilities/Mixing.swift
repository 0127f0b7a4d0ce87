// Mixing properties of a source, kept by the source.

import Synchronization

/// A unit whose output may be mixed. Its level and position belong to the unit, not to the mixer's
/// input.
///
/// If the unit is connected to a mixer, also through effects, set values take effect at once.
/// Otherwise they are kept and apply at the next mixer the unit is connected to. A mixer ignores
/// properties it does not have.
///
/// AUv3: `AVAudioMixing`.
public protocol Mixing: AudioUnit {
  var mixing: MixingProperties { get }
}

extension Mixing {
  /// The linear gain, 1 by default; a mixer's range is 0 to 4.
  ///
  /// - Thread: [any]
  public var volume: Float {
    get { mixing["volume"] ?? 1 }
    set { mixing["volume"] = newValue }
  }

  /// The pan, from −1, left, to 1, right.
  ///
  /// - Thread: [any]
  public var pan: Float {
    get { mixing["pan"] ?? 0 }
    set { mixing["pan"] = newValue }
  }

  /// The position in an environment, in metres: x to the right, y up, z towards the listener.
  ///
  /// - Thread: [any]
  public var position: (x: Float, y: Float, z: Float) {
    get { (mixing["x"] ?? 0, mixing["y"] ?? 0, mixing["z"] ?? 0) }
    set { (mixing["x"], mixing["y"], mixing["z"]) = (newValue.x, newValue.y, newValue.z) }
  }

  /// The method by which an environment positions it.
  ///
  /// - Thread: [any]
  public var renderingAlgorithm: RenderingAlgorithm {
    get { RenderingAlgorithm(rawValue: Int(mixing["algorithm"] ?? 0)) ?? .equalPower }
    set { mixing["algorithm"] = Float(newValue.rawValue) }
  }

  /// The share of the signal sent to an environment's reverb: 0, dry, to 1.
  ///
  /// - Thread: [any]
  public var reverbBlend: Float {
    get { mixing["reverbBlend"] ?? 0 }
    set { mixing["reverbBlend"] = newValue }
  }

  /// Muffling of the direct path, in decibels from −100 to 0.
  ///
  /// - Thread: [any]
  public var obstruction: Float {
    get { mixing["obstruction"] ?? 0 }
    set { mixing["obstruction"] = newValue }
  }

  /// Muffling of the direct path and of the reflections, in decibels from −100 to 0.
  ///
  /// - Thread: [any]
  public var occlusion: Float {
    get { mixing["occlusion"] ?? 0 }
    set { mixing["occlusion"] = newValue }
  }
}

/// The methods by which an environment positions a source, from cheap to costly except the last
/// two.
///
/// AUv3: `AVAudio3DMixingRenderingAlgorithm`.
public enum RenderingAlgorithm: Int, Sendable, CaseIterable {
  /// Panned between left and right.
  case equalPower
  /// The delays and levels at a sphere with two ears.
  case sphericalHead
  /// The impulse responses measured at a head.
  case hrtf
  /// The signals of two microphones.
  case soundField
  /// Unchanged stereo.
  case stereoPassThrough
}

/// Values by the identifiers of a mixer's input parameters. A value out of range is clamped; NaN is
/// ignored.
public final class MixingProperties: Sendable {
  /// Called with each value that is set.
  public typealias Observer = @Sendable (_ identifier: String, _ value: Float) -> Void

  private struct State {
    var values: [String: Float] = [:]
    var observer: Observer?
  }

  /// Ranges of the parameters that have one; all others take any finite number.
  private static let ranges: [String: ClosedRange<Float>] = [
    "volume": 0...4, "pan": -1...1, "reverbBlend": 0...1, "obstruction": -100...0,
    "occlusion": -100...0,
  ]

  private let state = Mutex(State())

  /// - Thread: [any]
  public init() {}

  /// The value that was set; nil if none was. Setting nil forgets the value; the mixer keeps it.
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

  /// All values that were set.
  ///
  /// - Thread: [any]
  public var values: [String: Float] { state.withLock { $0.values } }

  /// Sets the observer that forwards values to the mixer; nil removes it.
  ///
  /// - Thread: [control]
  public func setObserver(_ observer: Observer?) { state.withLock { $0.observer = observer } }
}
