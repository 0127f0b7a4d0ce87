// Callbacks with which a unit implements the values of its parameters.

extension ParameterNode {
  /// Accepts a new value, already within the parameter's range, or refuses it by throwing.
  public typealias ImplementorValueObserver =
    @Sendable (Parameter, Float) throws(ParameterError) -> Void
  /// Returns the parameter's current value.
  public typealias ImplementorValueProvider = @Sendable (Parameter) -> Float
  /// Converts a value to text.
  public typealias ImplementorStringFromValueCallback = @Sendable (Parameter, Float) -> String
  /// Converts text to a value; nil if it is not a value.
  public typealias ImplementorValueFromStringCallback = @Sendable (Parameter, String) -> Float?

  /// The callback for every change of a value, called before the observers; nil to use that of the
  /// group.
  ///
  /// `AudioUnit` sets it on its tree; a unit sets it on single nodes whose values it keeps itself.
  ///
  /// AUv3: `implementorValueObserver`.
  /// - Thread: [control]
  public var implementorValueObserver: ImplementorValueObserver? {
    get { state.withLock { $0.valueObserver } }
    set { state.withLock { $0.valueObserver = newValue } }
  }

  /// The callback that reads a value; nil to use that of the group. Without any, the value set last
  /// is the value.
  ///
  /// AUv3: `implementorValueProvider`.
  /// - Thread: [control]
  public var implementorValueProvider: ImplementorValueProvider? {
    get { state.withLock { $0.valueProvider } }
    set { state.withLock { $0.valueProvider = newValue } }
  }

  /// The callback of `Parameter.string(fromValue:)`; nil to use that of the group.
  ///
  /// AUv3: `implementorStringFromValueCallback`.
  /// - Thread: [control]
  public var implementorStringFromValueCallback: ImplementorStringFromValueCallback? {
    get { state.withLock { $0.stringFromValue } }
    set { state.withLock { $0.stringFromValue = newValue } }
  }

  /// The callback of `Parameter.value(fromString:)`; nil to use that of the group.
  ///
  /// AUv3: `implementorValueFromStringCallback`.
  /// - Thread: [control]
  public var implementorValueFromStringCallback: ImplementorValueFromStringCallback? {
    get { state.withLock { $0.valueFromString } }
    set { state.withLock { $0.valueFromString = newValue } }
  }
}
