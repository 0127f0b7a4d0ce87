// Handing a unit to a host for rendering.

import UnitRender

/// A unit on loan to a host: while this object exists, the unit's render resources stay allocated.
public final class UnitHosting: Sendable {
  /// The render side of the unit, valid as long as this object.
  ///
  /// - Thread: [any]
  public let hosted: HostedUnit
  /// The unit itself, kept as long as this object.
  ///
  /// - Thread: [any]
  public let unit: AudioUnit
  /// Latency of the unit's output, in frames, as the unit reported it when it was handed over.
  ///
  /// - Thread: [any]
  public let latencyFrames: Int
  private let bypassLines: BypassDelayLines?

  /// - Parameter former: the unit's previous hosting, whose bypass delay lines may be reused.
  fileprivate init(
    _ unit: AudioUnit, latencyFrames: Int, following former: UnitHosting?,
    _ host: (DelayedBypass?) -> HostedUnit
  ) {
    self.unit = unit
    self.latencyFrames = latencyFrames
    bypassLines = BypassDelayLines.of(unit, frames: latencyFrames, following: former?.bypassLines)
    hosted = host(bypassLines?.delayed(by: latencyFrames))
  }

  deinit {
    hosted.deallocate()
    unit.backing.gate.state.withLock { $0.hosts -= 1 }
  }
}

extension AudioUnit {
  /// The most MIDI events that a host may add in a cycle, and the most bytes of SysEx.
  public static let maximumHostedMIDI = 1 << 26

  /// Hands the unit to a host. Several hosts may hold it; one at a time may render.
  ///
  /// - Parameters:
  ///   - midiEvents: The most MIDI events a cycle may add to the scheduled ones; the unit may send
  ///     as many as both together.
  ///   - midiBytes: The most bytes of SysEx a cycle may add to the scheduled ones.
  /// - Throws: `renderResourcesNotAllocated`; `failed` for a latency that is out of range, and for
  ///   MIDI events or bytes below 0 or above `maximumHostedMIDI`.
  ///
  /// AUv3: `renderBlock`.
  /// - Thread: [control]
  public func makeHosting(
    midiEvents: Int = 4096, midiBytes: Int = 65536
  ) throws(AudioUnitError) -> UnitHosting {
    try makeHosting(midiEvents: midiEvents, midiBytes: midiBytes, following: nil)
  }

  /// Hands the unit to a host that already renders it, replacing `former`.
  ///
  /// - Parameters:
  ///   - inputChannels: the channel count of each input bus, 0 for an unconnected input of an open
  ///     array; nil for the counts of the busses' formats.
  ///   - former: the hosting that is no longer rendered once the new one is.
  /// - Throws: as the other `makeHosting`.
  /// - Thread: [control]
  package func makeHosting(
    inputChannels: [Int]? = nil, midiEvents: Int, midiBytes: Int, following former: UnitHosting?
  ) throws(AudioUnitError) -> UnitHosting {
    for count in [midiEvents, midiBytes] where !(0...Self.maximumHostedMIDI).contains(count) {
      throw .failed("\(count) MIDI events or bytes a cycle: give 0 to \(Self.maximumHostedMIDI)")
    }
    let latencyFrames = try latencyFrames
    let isAllocated = backing.gate.state.withLock {
      if $0.phase == .allocated { $0.hosts += 1 }
      return $0.phase == .allocated
    }
    guard isAllocated, let resources = state.withLock({ $0.resources }) else {
      throw .renderResourcesNotAllocated
    }
    let handle = UnitRenderHandle(
      resources.internalRender, inlet: backing.inlet.reader, switches: backing.switches)
    return UnitHosting(self, latencyFrames: latencyFrames, following: former) { bypass in
      HostedUnit(
        handle, inputChannels: inputChannels ?? inputBusses.map(\.format.channelCount),
        outputChannels: outputBusses.map(\.format.channelCount),
        maximumFrames: maximumFramesToRender,
        sampleRate: sampleRate, midiEvents: midiEvents,
        midiBytes: midiBytes, bypass: bypass, isFirst: former == nil)
    }
  }
}
