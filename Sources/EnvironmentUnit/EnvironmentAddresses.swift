// The parameter addresses of an environment.

/// Indices of parameters, which are also their addresses: the environment's own, then nine for each
/// input.
enum EnvironmentAddresses {
  static var volume: Int { @_noLocks @_noAllocation get { 0 } }
  /// x, y, z, yaw, pitch, roll.
  static var listener: Int { @_noLocks @_noAllocation get { 1 } }
  static var distanceModel: Int { @_noLocks @_noAllocation get { 7 } }
  /// Reference, maximum, roll-off.
  static var distance: Int { @_noLocks @_noAllocation get { 8 } }
  static var reverbOn: Int { @_noLocks @_noAllocation get { 11 } }
  static var reverbPreset: Int { @_noLocks @_noAllocation get { 12 } }
  static var reverbLevel: Int { @_noLocks @_noAllocation get { 13 } }
  /// Kind, frequency, gain, bandwidth, bypass.
  static var filter: Int { @_noLocks @_noAllocation get { 14 } }
  static var firstInput: Int { @_noLocks @_noAllocation get { 19 } }

  static var countOfInput: Int { @_noLocks @_noAllocation get { 9 } }
  // Within an input, counted from its first.
  static var sourceVolume: Int { @_noLocks @_noAllocation get { 3 } }
  static var algorithm: Int { @_noLocks @_noAllocation get { 4 } }
  static var reverbBlend: Int { @_noLocks @_noAllocation get { 5 } }
  static var obstruction: Int { @_noLocks @_noAllocation get { 6 } }
  static var occlusion: Int { @_noLocks @_noAllocation get { 7 } }
  static var pan: Int { @_noLocks @_noAllocation get { 8 } }

  static func input(_ index: Int) -> Int { firstInput + countOfInput * index }

  /// Returns the input of a parameter's offset from `firstInput`, below 32,768: a ninth of it.
  @_noLocks @_noAllocation
  static func input(ofParameter offset: Int) -> Int { (offset &* 7282) &>> 16 }
}
