// Units whose parameters change during their lifetime.

import UnitRender

extension AudioUnit {
  /// Returns the index of a parameter in `parameterValues`; nil for an address that the unit never
  /// had.
  ///
  /// In a unit that never replaces its tree it equals `parameterTree.index(ofAddress:)`. A
  /// parameter keeps its index when the tree is replaced, and no other address ever gets it.
  ///
  /// - Thread: [control]
  public func parameterValueIndex(ofAddress address: ParameterAddress) -> Int? {
    backing.index(ofAddress: address)
  }

  /// Replaces the unit's tree, for unit developers whose parameters change.
  ///
  /// Parameters that both trees have, by address, keep their values; the others have their
  /// defaults. The old tree stays usable: parameters that are in both read and write the new value;
  /// the rest have no effect. When the kernel knows the new parameters, notify observers with
  /// `notify(.parameterTree)`.
  ///
  /// A value is sent to the kernel when it is set, even before the kernel knows the parameter. A
  /// kernel takes the values of parameters that are new to it from `parameterValues`.
  ///
  /// - Parameter tree: A tree that belongs to no other unit. The unit needs room for its parameters
  ///   (`parameterReserve` of `init`).
  /// - Throws: `AudioUnitError.tooManyParameters`, with nothing changed.
  ///
  /// AUv3: setting `parameterTree`.
  /// - Thread: [control], one thread at a time; resources may be allocated.
  public func replaceParameterTree(_ tree: ParameterTree) throws(AudioUnitError) {
    try backing.adopt(tree, replacing: parameterTree)
    implement(tree)
    state.withLock { $0.parameterTree = tree }
  }
}
