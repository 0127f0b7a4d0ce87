// A host that renders one unit into arrays, for tests and unit developers.

import Realtime
import UnitModel
import UnitRender

/// A render call that returned a status other than `RenderStatus.ok`.
public struct RenderFailure: Error, Hashable, Sendable, CustomStringConvertible {
  /// A negative `RenderStatus`.
  public let status: Int32

  /// Makes an error of a status.
  ///
  /// - Thread: [any]
  public init(status: Int32) { self.status = status }

  public var description: String { "the unit rendered nothing: status \(status)" }
}

/// A host of a single unit, with arrays of samples as inputs and outputs.
///
/// AUv3: calling a unit's `renderBlock`.
public final class DirectHost {
  /// Samples by bus, channel and frame.
  public typealias Busses = [[[Float]]]

  /// A MIDI message with its frame within the cycle.
  public struct MIDI: Hashable, Sendable {
    /// Frames from the cycle's first.
    public var offset: Int
    /// The MIDI cable.
    public var cable: UInt8
    /// One complete message.
    public var bytes: [UInt8]

    /// Makes a message on a frame of the cycle.
    ///
    /// - Thread: [any]
    public init(offset: Int = 0, cable: UInt8 = 0, _ bytes: [UInt8]) {
      self.offset = offset
      self.cable = cable
      self.bytes = bytes
    }
  }

  /// Frame times small enough that sums do not overflow.
  private static let frames: ClosedRange<FrameTime> = -(1 << 62)...(1 << 62)

  private let hosting: UnitHosting

  /// The next cycle's first frame.
  public var frame: FrameTime
  /// Tempo, position and transport of the next cycle; all unknown at first.
  public var musicalContext = MusicalContext()
  /// The MIDI that the unit sent in the last cycle.
  public private(set) var midiOutput: [MIDI] = []

  /// Takes the unit on loan until the host is deallocated.
  ///
  /// - Throws: `AudioUnitError` if render resources are not allocated.
  /// - Thread: [control]
  public init(_ unit: AudioUnit, frame: FrameTime = 0) throws(AudioUnitError) {
    hosting = try unit.makeHosting()
    self.frame = frame
  }

  /// Renders one cycle as the render thread would.
  ///
  /// - Parameters:
  ///   - inputs: `frameCount` samples for each channel of each input bus; silence for those left
  ///     out.
  ///   - midi: The MIDI messages that a port receives in this cycle.
  /// - Returns: The samples of every output bus.
  /// - Throws: `RenderFailure` with the unit's status; `tooManyFrames` also for less than 0 frames,
  ///   more than any unit's `maximumFramesToRender` may be, or a `frame` beyond ±2⁶².
  /// - Thread: [control], one thread at a time.
  public func render(
    _ frameCount: Int, inputs: Busses = [], midi: [MIDI] = []
  ) throws(RenderFailure) -> Busses {
    try render(frameCount, midi: midi) { _ in inputs }
  }

  /// Renders one cycle with input on request: a time effect states how many frames it needs.
  ///
  /// - Parameter source: called once with the number of frames; returns these for each channel of
  ///   each input bus, and silence for those left out.
  /// - Returns: The samples of every output bus.
  /// - Throws: `RenderFailure` with the unit's status; `tooManyFrames` also for less than 0 frames,
  ///   more than any unit's `maximumFramesToRender` may be, or a `frame` beyond ±2⁶².
  /// - Thread: [control], one thread at a time.
  public func render(
    _ frameCount: Int, midi: [MIDI] = [], source: (Int) -> Busses
  ) throws(RenderFailure) -> Busses {
    guard (0...AudioUnit.maximumFramesRange.upperBound).contains(frameCount),
      Self.frames.contains(frame)
    else { throw RenderFailure(status: RenderStatus.tooManyFrames) }
    let hosted = hosting.hosted
    hosted.beginCycle(at: frame, frameCount: frameCount)
    for message in midi {
      _ = hosted.events.insertMIDI(
        message.bytes, count: message.bytes.count, cable: message.cable,
        at: frame + FrameTime(min(max(message.offset, -1), frameCount)))
    }
    let needed = hosted.isTimeEffect ? demand(frameCount) : frameCount
    let memory = setInputs(source(needed), needed)
    defer { memory.deallocate() }
    if hosted.isTimeEffect { bring(needed) }
    forEachOutput { _, channel, buffers in buffers[channel] = nil }
    let status = hosted.render(at: frame, frameCount: frameCount, context: musicalContext)
    hosted.endCycle()
    frame += FrameTime(frameCount)
    midiOutput = Self.messages(in: hosted.midiOutput, from: frame - FrameTime(frameCount))
    guard status == RenderStatus.ok else { throw RenderFailure(status: status) }
    return outputs(frameCount)
  }

  private func demand(_ frameCount: Int) -> Int {
    let before = UnsafeMutablePointer<Int32>.allocate(capacity: max(frameCount, 1))
    before.initialize(repeating: 0, count: max(frameCount, 1))
    defer { before.deallocate() }
    return hosting.hosted.demand(
      at: frame, frameCount: frameCount, hostNanoseconds: 0, context: musicalContext,
      sessionFrame: frame, before: before)
  }

  /// Passes the inputs' frames to the unit, in pieces of at most `maximumFramesToRender` frames.
  private func bring(_ frameCount: Int) {
    let call = hosting.hosted.call
    var done = 0
    while done < frameCount {
      let count = min(frameCount - done, hosting.unit.maximumFramesToRender)
      hosting.hosted.take(frameCount: count)
      done += count
      if done == frameCount { return }
      for bus in 0..<Int(call.call.pointee.inputBusCount) {
        let buffers = call.input(bus)
        for channel in 0..<buffers.channelCount { buffers[channel]! += count }
      }
    }
  }

  private func setInputs(_ inputs: Busses, _ frameCount: Int) -> UnsafeMutablePointer<Float> {
    let call = hosting.hosted.call
    let busCount = Int(call.call.pointee.inputBusCount)
    let channels = (0..<busCount).reduce(0) { $0 + call.input($1).channelCount }
    let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(channels * frameCount, 1))
    memory.initialize(repeating: 0, count: max(channels * frameCount, 1))
    var place = memory
    for bus in 0..<busCount {
      for channel in 0..<call.input(bus).channelCount {
        if bus < inputs.count, channel < inputs[bus].count {
          let samples = inputs[bus][channel].prefix(frameCount)
          for (index, sample) in samples.enumerated() { place[index] = sample }
        }
        call.input(bus)[channel] = place
        place += frameCount
      }
    }
    return memory
  }

  private func outputs(_ frameCount: Int) -> Busses {
    var result: Busses = []
    forEachOutput { bus, channel, buffers in
      if bus == result.count { result.append([]) }
      let samples = UnsafeBufferPointer(start: buffers[channel], count: frameCount)
      result[bus].append(Array(samples))
    }
    return result
  }

  private func forEachOutput(_ body: (Int, Int, AudioBuffers) -> Void) {
    let call = hosting.hosted.call
    for bus in 0..<Int(call.call.pointee.outputBusCount) {
      let buffers = call.output(bus)
      for channel in 0..<buffers.channelCount { body(bus, channel, buffers) }
    }
  }

  private static func messages(in list: RenderEventList, from start: FrameTime) -> [MIDI] {
    var messages: [MIDI] = []
    var next = list.first
    while let event = next {
      let count = Int(event.pointee.length)
      let bytes: [UInt8]
      if event.pointee.eventKind == .systemExclusive {
        bytes = Array(
          UnsafeBufferPointer(start: list.systemExclusiveBytes(of: event), count: count))
      } else {
        bytes = withUnsafeBytes(of: event.pointee.bytes) { Array($0.prefix(count)) }
      }
      messages.append(
        MIDI(
          offset: Int(event.pointee.frame - start), cable: event.pointee.cable, bytes))
      next = list.next(after: event)
    }
    return messages
  }
}
