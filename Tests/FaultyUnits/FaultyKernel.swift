// The render side of a faulty unit.

import Realtime
import UnitModel
import UnitRender

/// A gain with ramps, and a memory that some faults let sound.
struct FaultyKernel: RenderKernel, ~Copyable {
  let fault: Int
  let values: ParameterValues
  let scale: Float
  var gain: Float
  var target: Float
  var step: Float = 0
  var rampFrames = 0
  var kept: Float = 0
  var keys = 0
  let memory: UnsafeMutablePointer<Float>
  let shared: UnsafeMutablePointer<Int>

  init(_ fault: Fault, gain: Float, scale: Float, values: ParameterValues) {
    self.fault = FaultNumber.of(fault)
    self.values = values
    shared = sharedNumber.pointer
    self.scale = scale
    self.gain = gain
    target = gain
    memory = .allocate(capacity: 4096)
    if fault != .uninitialized { memory.initialize(repeating: 0, count: 4096) }
  }

  deinit {
    if !isFault(FaultNumber.leak) { memory.deallocate() }
  }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    if isFault(FaultNumber.trap) && call.frameCount == 1 { preconditionFailure() }
    while isFault(FaultNumber.hang) && call.frameCount == 1 { kept += 1 }
    if isFault(FaultNumber.period) { kept = 0.5 }
    if isFault(FaultNumber.early), let event = call.events?.first { set(event) }
    if isFault(FaultNumber.shared) { shared.pointee &+= 1 }
    if isFault(FaultNumber.overrun) { call.output(0)[0]![call.frameCount] = 0 }
    if isFault(FaultNumber.input) { call.input(0)[0]![0] = 0.25 }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {
    if event.pointee.eventKind == .midi {
      let isNoteOn = event.pointee.bytes.0 & 0xF0 == 0x90 && event.pointee.bytes.2 > 0
      if isNoteOn { keys = 1 }
    } else {
      set(event)
    }
  }

  @_noLocks @_noAllocation
  private mutating func set(_ event: UnsafeMutablePointer<RenderEvent>) {
    guard event.pointee.isParameter, event.pointee.address == 0 else { return }
    target = event.pointee.value > 0 ? min(event.pointee.value, 4) : 0
    rampFrames = Int(event.pointee.rampFrames)
    if rampFrames == 0 {
      gain = target
    } else {
      step = (target - gain) / Float(rampFrames)
    }
    values[0] =
      isFault(FaultNumber.reading) ? target / 2 : isFault(FaultNumber.ramp) ? target : gain
  }

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    let start = (gain, kept, rampFrames)
    var channel = 0
    while channel < slice.call.output(0).channelCount {
      (gain, kept, rampFrames) = start
      renderChannel(slice, channel)
      channel &+= 1
    }
    if !isFault(FaultNumber.ramp) && start.2 > 0 { values[0] = gain }
  }

  @_noLocks @_noAllocation
  private mutating func renderChannel(_ slice: RenderSlice, _ channel: Int) {
    let output = slice.output(channel: channel)
    let isPlayed = slice.call.call.pointee.inputBusCount == 0
    let rings = isFault(FaultNumber.kept) || isFault(FaultNumber.tail) || isFault(FaultNumber.reset)
    var frame = 0
    while frame < slice.frameCount {
      let input = isPlayed ? Float(keys) * 0.1 : slice.input(channel: channel)[frame]
      if rampFrames > 0 {
        rampFrames &-= 1
        gain = target - step * Float(rampFrames)
      }
      if rings { kept = kept * 0.9999 + input * 0.01 }
      output[frame] = input * gain * scale + kept
      if !rings { kept = 0 }
      frame &+= 1
    }
    if isFault(FaultNumber.uninitialized) {
      output[0] += Float(memory[100].bitPattern & 0xFF) * 0.001
    }
    if isFault(FaultNumber.shared) {
      output[0] += Float(shared.pointee & 1023) * 0.001
    }
  }

  @_noLocks @_noAllocation
  mutating func reset() {
    keys = 0
    if isFault(FaultNumber.reset) || isFault(FaultNumber.kept) { return }
    kept = 0
  }

  /// Compares numbers: a case's `==` would look its type up.
  @_noLocks @_noAllocation
  private func isFault(_ other: Int) -> Bool { fault == other }
}

/// The numbers of the kernel's faults.
private enum FaultNumber {
  static var early: Int { @_noLocks @_noAllocation get { 2 } }
  static var hang: Int { @_noLocks @_noAllocation get { 3 } }
  static var input: Int { @_noLocks @_noAllocation get { 4 } }
  static var kept: Int { @_noLocks @_noAllocation get { 5 } }
  static var leak: Int { @_noLocks @_noAllocation get { 6 } }
  static var overrun: Int { @_noLocks @_noAllocation get { 8 } }
  static var period: Int { @_noLocks @_noAllocation get { 9 } }
  static var ramp: Int { @_noLocks @_noAllocation get { 10 } }
  static var reading: Int { @_noLocks @_noAllocation get { 11 } }
  static var reset: Int { @_noLocks @_noAllocation get { 12 } }
  static var shared: Int { @_noLocks @_noAllocation get { 13 } }
  static var tail: Int { @_noLocks @_noAllocation get { 14 } }
  static var trap: Int { @_noLocks @_noAllocation get { 15 } }
  static var uninitialized: Int { @_noLocks @_noAllocation get { 16 } }

  static func of(_ fault: Fault) -> Int {
    switch fault {
    case .early: early
    case .hang: hang
    case .input: input
    case .kept: kept
    case .leak: leak
    case .overrun: overrun
    case .period: period
    case .ramp: ramp
    case .reading: reading
    case .reset: reset
    case .shared: shared
    case .tail: tail
    case .trap: trap
    case .uninitialized: uninitialized
    default: 0
    }
  }
}

/// The number shared by all kernels with the fault `shared`.
private let sharedNumber = SharedNumber()

private final class SharedNumber: @unchecked Sendable {
  let pointer = UnsafeMutablePointer<Int>.allocate(capacity: 1)

  init() { pointer.initialize(to: 0) }
}

@_noLocks @_noAllocation
func faultyRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(FaultyKernel.self, context, call)
}

@_noLocks @_noAllocation
func failingRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  call.pointee.frameCount == 13 ? -1 : driveKernel(FaultyKernel.self, context, call)
}

@_noLocks @_noAllocation
func unbypassedRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  call.pointee.flags &= ~UInt32(kRenderCallBypass)
  return driveKernel(FaultyKernel.self, context, call)
}

@_noLocks @_noAllocation
func faultyReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(FaultyKernel.self, context)
}
