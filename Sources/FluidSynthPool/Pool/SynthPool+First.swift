// Functions of a pool that use only its first synth.

extension SynthPool {
  /// The program of channels on which MIDI has chosen none.
  package var configured: ConfiguredProgram {
    @_noLocks @_noAllocation get { first.pointee.configured }
  }

  /// Whether programs chosen by MIDI stay when this pool takes over.
  package var keepsPrograms: Bool { @_noLocks @_noAllocation get { first.pointee.keepsPrograms } }

  /// Whether bank selects are read as in GS until a reset chooses another standard.
  package var beginsAsGS: Bool { @_noLocks @_noAllocation get { first.pointee.beginsAsGS } }

  /// The address of the preset that a channel plays; 0 for none.
  @_noLocks @_noAllocation
  package func preset(_ channel: Int) -> Int {
    Vouched.preset(first.pointee.synth, Int32(truncatingIfNeeded: channel))
  }

  /// Sets the key from which the next note of a channel glides; −1 for none.
  @_noLocks @_noAllocation
  package mutating func setPortamentoKey(_ key: Int, _ channel: Int) {
    portamentoKeys[channel & 15] = key
  }

  /// Starts a pool that was never played.
  @_noLocks @_noAllocation
  package func start(
    _ channels: ChannelStates, _ settings: SynthSettings,
    from previous: UnsafeMutablePointer<SynthPool>?
  ) {
    first.pointee.apply(channels)
    if let previous { first.pointee.copyGenerators(from: previous.pointee.first.pointee) }
    first.pointee.apply(settings)
  }

  /// Ends all sound, and restarts with channels that were reset.
  /// - Parameter wasReset: whether `playSystemExclusive` has just reset the first synth.
  @_noLocks @_noAllocation
  package mutating func reset(
    _ channels: ChannelStates, _ settings: SynthSettings, wasReset: Bool, _ scratch: SamplerScratch
  ) {
    scratch.work.addReset()
    resetOthers(scratch)
    first.pointee.renew(channels, wasReset: wasReset)
    apply(settings, scratch)
    // A reset adds to the queue too.
    first.pointee.skipBlock(scratch)
  }

  /// Plays a SysEx on only the first synth.
  /// - Parameter bytes: the bytes between 0xF0 and 0xF7.
  /// - Returns: whether it was a reset.
  @_noLocks @_noAllocation
  package func playSystemExclusive(_ bytes: UnsafePointer<UInt8>, count: Int) -> Bool {
    first.pointee.systemExclusive(bytes, count: count)
    return first.pointee.wasReset
  }
}
