// The callbacks through which a unit implements the values of its parameters.

extension ParameterNode {
  /// Takes a new value, already within the parameter's range, or refuses it by throwing.
  public typealias ImplementorValueObserver =
    @Sendable (Parameter, Float) throws(ParameterError) -> Void
  /// Gives the parameter's current value.
  public typealias ImplementorValueProvider = @Sendable (Parameter) -> Float
  /// Writes a value for people.
  public typealias ImplementorStringFromValueCallback = @Sendable (Parameter, Float) -> String
  /// Reads a value that people wrote, nil if it is none.
  public typealias ImplementorValueFromStringCallback = @Sendable (Parameter, String) -> Float?

  /// Called for every change of a value, before the observers. Groups hand it down to nodes without
  /// one.
  ///
  /// `AudioUnit` sets it on its tree; a unit sets it on single nodes whose values it keeps itself.
  ///
  /// AUv3: `implementorValueObserver`.
  /// - Thread: [control]
  public var implementorValueObserver: ImplementorValueObserver? {
    get { state.withLock { $0.valueObserver } }
    set { state.withLock { $0.valueObserver = newValue } }
  }

  /// Called to read a value; without one the value set last is the value. Handed down by groups.
  ///
  /// AUv3: `implementorValueProvider`.
  /// - Thread: [control]
  public var implementorValueProvider: ImplementorValueProvider? {
    get { state.withLock { $0.valueProvider } }
    set { state.withLock { $0.valueProvider = newValue } }
  }

  /// Called by `Parameter.string(fromValue:)`. Handed down by groups.
  ///
  /// AUv3: `implementorStringFromValueCallback`.
  /// - Thread: [control]
  public var implementorStringFromValueCallback: ImplementorStringFromValueCallback? {
    get { state.withLock { $0.stringFromValue } }
    set { state.withLock { $0.stringFromValue = newValue } }
  }

  /// Called by `Parameter.value(fromString:)`. Handed down by groups.
  ///
  /// AUv3: `implementorValueFromStringCallback`.
  /// - Thread: [control]
  public var implementorValueFromStringCallback: ImplementorValueFromStringCallback? {
    get { state.withLock { $0.valueFromString } }
    set { state.withLock { $0.valueFromString = newValue } }
  }
}
