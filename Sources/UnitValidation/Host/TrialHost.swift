// A test host that renders a unit like the render thread and checks its memory accesses.

import CRealtime
import Realtime
import UnitModel
import UnitRender

/// A host of a single unit.
final class TrialHost {
  /// Buffers for a unit's samples.
  enum Memory {
    /// Separate buffers for inputs and outputs.
    case apart
    /// The output in the input's buffers, if both have the same number of channels.
    case inPlace
    /// Outputs in the unit's own buffers.
    case unitOwned
  }

  /// A forbidden access or result of the unit.
  struct Violation {
    let text: String
    let frame: Int
  }

  let unit: AudioUnit
  private let hosting: UnitHosting
  private let flushesDenormals: Bool
  private(set) var frame: FrameTime = 0
  private var violations: [Violation] = []
  private let inputs: ChannelMemory
  private let outputs: ChannelMemory
  /// Input frames taken by a time effect since the stimulus began.
  private var taken = 0

  init(_ unit: AudioUnit, flushesDenormals: Bool = true) throws {
    self.unit = unit
    self.flushesDenormals = flushesDenormals
    hosting = try unit.makeHosting()
    let view = hosting.hosted.call
    let frames = unit.maximumFramesToRender
    inputs = ChannelMemory(
      (0..<Int(view.call.pointee.inputBusCount)).map { view.input($0).channelCount },
      frames: frames)
    outputs = ChannelMemory(
      (0..<Int(view.call.pointee.outputBusCount)).map { view.output($0).channelCount },
      frames: frames)
  }

  func takeViolations() -> [Violation] {
    defer { violations = [] }
    return violations
  }

  /// Renders a stimulus; its frame 0 is the first frame of the next cycle.
  ///
  /// - Parameters:
  ///   - before: called before each cycle with its first frame, relative to the stimulus.
  ///   - insert: called with the frame time of each cycle, to insert events into its list.
  func run(
    _ stimulus: Stimulus, _ lengths: CycleLengths = .fixed(256), memory: Memory = .apart,
    before: (Int) throws -> Void = { _ in },
    insert: (HostedUnit, FrameTime) -> Void = { _, _ in }
  ) throws -> Response {
    var response = Response()
    response.audio = outputs.channels.map { [[Float]](repeating: [], count: $0.count) }
    for bus in response.audio.indices {
      for channel in response.audio[bus].indices {
        response.audio[bus][channel].reserveCapacity(stimulus.frames)
      }
    }
    for change in stimulus.changes {
      try unit.scheduleParameter(
        change.address, value: change.value, at: .frame(frame + FrameTime(change.frame)),
        rampFrames: change.rampFrames)
    }
    taken = 0
    var start = 0
    var nextMessage = 0
    for length in lengths.lengths(frames: stimulus.frames) {
      try before(start)
      (unit as? any OfflineServing)?.serveOffline()
      var messages: [TrialMIDI] = []
      while nextMessage < stimulus.midi.count, stimulus.midi[nextMessage].frame < start + length {
        messages.append(stimulus.midi[nextMessage])
        nextMessage += 1
      }
      let status = render(length, stimulus, start, memory) { hosted, first in
        for message in messages {
          _ = hosted.events.insertMIDI(
            message.bytes, count: message.bytes.count, cable: message.cable,
            at: first + FrameTime(message.frame - start))
        }
        insert(hosted, first)
      }
      if status != RenderStatus.ok {
        violations.append(Violation(text: "the render call returned \(status)", frame: start))
      }
      collect(length, at: start, into: &response)
      start += length
    }
    return response
  }

  /// Renders one cycle of a stimulus from frame `start` on; `insert` adds events to its list.
  func render(
    _ length: Int, _ stimulus: Stimulus, _ start: Int = 0, _ memory: Memory = .apart,
    insert: (HostedUnit, FrameTime) -> Void = { _, _ in }
  ) -> Int32 {
    let hosted = hosting.hosted
    let mode = flushesDenormals ? denormalsFlush() : 0
    defer { if flushesDenormals { denormalsRestore(mode) } }
    realtimeContextEnter()
    hosted.beginCycle(at: frame, frameCount: length)
    realtimeContextExit()
    insert(hosted, frame)
    var extra: ChannelMemory?
    if hosted.isTimeEffect {
      extra = bring(length, stimulus, hosted)
    } else {
      inputs.fill(stimulus, from: start, count: length)
      inputs.lend { hosted.call.input($0)[$1] = $2 }
    }
    let isInPlace = memory == .inPlace && inputs.canReplace(outputs) && extra == nil
    outputs.prepare(length)
    outputs.lend { bus, channel, samples in
      let target =
        isInPlace && bus == 0
        ? inputs.channels[0][channel] : memory == .unitOwned ? nil : samples
      hosted.call.output(bus)[channel] = target
    }
    realtimeContextEnter()
    let status = hosted.render(at: frame, frameCount: length)
    hosted.endCycle()
    realtimeContextExit()
    if memory == .apart, let position = outputs.writtenPosition(behind: length) {
      violations.append(
        Violation(
          text: "wrote \(position) of an output's \(length) frames", frame: start + length))
    }
    if !isInPlace, extra == nil, !inputs.isUntouched(stimulus, from: start, count: length) {
      violations.append(Violation(text: "wrote to its input", frame: start))
    }
    frame += FrameTime(length)
    return status
  }

  /// Provides the input that a time effect demands.
  private func bring(_ length: Int, _ stimulus: Stimulus, _ hosted: HostedUnit) -> ChannelMemory {
    var before = [Int32](repeating: 0, count: max(length, 1))
    let needed = before.withUnsafeMutableBufferPointer { before -> Int in
      realtimeContextEnter()
      defer { realtimeContextExit() }
      return hosted.demand(
        at: frame, frameCount: length, hostNanoseconds: 0, context: MusicalContext(),
        sessionFrame: frame, before: before.baseAddress!)
    }
    let memory = ChannelMemory(inputs.channels.map(\.count), frames: max(needed, 1))
    memory.fill(stimulus, from: taken, count: needed)
    taken += needed
    var done = 0
    while done < needed {
      let count = min(needed - done, unit.maximumFramesToRender)
      memory.lend { hosted.call.input($0)[$1] = $2 + done }
      realtimeContextEnter()
      hosted.take(frameCount: count)
      realtimeContextExit()
      done += count
    }
    memory.lend { hosted.call.input($0)[$1] = $2 }
    return memory
  }

  private func collect(_ length: Int, at start: Int, into response: inout Response) {
    let hosted = hosting.hosted
    outputs.lend { bus, channel, _ in
      guard let samples = hosted.call.output(bus)[channel] else { return }
      response.audio[bus][channel] += UnsafeBufferPointer(start: samples, count: length)
    }
    let first = frame - FrameTime(length)
    var next = hosted.midiOutput.first
    while let event = next {
      let count = Int(event.pointee.length)
      let bytes =
        event.pointee.eventKind == .systemExclusive
        ? Array(
          UnsafeBufferPointer(
            start: hosted.midiOutput.systemExclusiveBytes(of: event), count: count))
        : withUnsafeBytes(of: event.pointee.bytes) { Array($0.prefix(count)) }
      let offset = Int(event.pointee.frame - first)
      if !(0..<length).contains(offset) {
        violations.append(
          Violation(
            text: "sent MIDI on frame \(offset) of a cycle of \(length) frames", frame: start))
      }
      response.midi.append(
        TrialMIDI(frame: start + offset, cable: event.pointee.cable, bytes: bytes))
      next = hosted.midiOutput.next(after: event)
    }
  }
}
