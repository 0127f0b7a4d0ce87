// The rig for the worst streams: a session's units, without a clock.

public import Foundation
import Graph
import GraphRender
import MIDIStages
import Realtime
import SamplerUnit
import SoundFontFiles
import UnitModel
import UnitRender

/// A sampler rendered in cycles of 64 frames.
public final class WorstRig {
  public static let period = 64
  public static let sampleRate = 48_000.0

  public enum Kind: String, CaseIterable, Sendable {
    /// With 256 voices, or 64.
    case sampler
    case small
    /// After ten MIDI stages, each set to change the messages of its kind.
    case chain
    /// With six entries that program changes on channel 16 select, each with its own synths, and
    /// one more.
    case liveSet = "live set"
  }

  private static let stages: [MIDIStageKind] = [
    .filter, .transpose, .velocity, .scale, .channel, .bend, .controller, .chord, .arpeggiator,
    .echo,
  ]
  private static let stageSettings: [(String, Float)] = [
    ("transpose.semitones", 1), ("scale.scale", 1), ("bend.receiver", 12),
    ("controller.source", 1), ("chord.play", 1),
  ]

  public let kind: Kind
  public let unit: SamplerUnit
  private let schedule: Schedule
  private let compiled: CompiledGraph
  private let outputs: [UnsafeMutablePointer<Float>]
  private var frame: FrameTime = 0

  public init(_ kind: Kind, soundFont: URL) async throws {
    self.kind = kind
    unit = try SamplerUnit(midiStages: kind == .chain ? Self.stages : [])
    if kind == .chain {
      for (keyPath, value) in Self.stageSettings {
        unit.parameterTree.parameter(keyPath: "midi." + keyPath)!.value = value
      }
    }
    if kind == .small { try unit.parameterTree.parameter(keyPath: "polyphony")!.setValue(64) }
    if kind == .liveSet {
      try await unit.setLiveSet(Self.liveSet(soundFont))
    } else {
      try await unit.load(soundFont: soundFont)
    }
    let graph = Graph()
    try graph.add(unit, id: "sampler")
    compiled = try graph.compile(
      CompileOptions(sampleRate: Self.sampleRate, maximumFrames: Self.period))
    schedule = compiled.schedule
    outputs = (0..<2).map { _ in .allocate(capacity: Self.period) }
    for channel in 0..<2 { schedule.setExternalOutput(channel, outputs[channel]) }
    rest()
  }

  deinit { for output in outputs { output.deallocate() } }

  /// The same font counts as a different one below others in a stack.
  private static func liveSet(_ soundFont: URL) -> LiveSet {
    LiveSet(
      (0...6).map { number in
        LiveSetEntry(
          number: number, name: "\(number)",
          soundFonts: Array(repeating: SoundFontEntry(soundFont), count: number % 6 + 1),
          program: 19)
      }, channel: 16)
  }

  /// Renders a cycle.
  public func cycle(_ messages: [WorstStream.Message] = []) {
    let cycle = RenderCycle(frame: frame, frameCount: Self.period)
    schedule.begin(cycle)
    let events = schedule.unit(0).events
    for message in messages {
      message.bytes.withUnsafeBufferPointer {
        _ = events.insertMIDI(
          $0.baseAddress!, count: $0.count, at: cycle.frame + FrameTime(message.frame))
      }
    }
    schedule.render(cycle)
    schedule.end()
    frame += FrameTime(Self.period)
  }

  /// Ends all sound and resets the settings, and renders until no work remains.
  public func rest() {
    var messages = [WorstStream.Message(0, [0xFF])]
    for channel in UInt8(0)..<16 {
      for mode in [120, 121, 123] as [UInt8] {
        messages.append(WorstStream.Message(0, [0xB0 | channel, mode, 0]))
      }
    }
    cycle(messages)
    // Each synth of a pool is prepared in a separate cycle.
    for _ in 0..<120 { cycle() }
  }

  /// The number of deferred events, the longest delay in frames, and the number of lost events.
  public var waiting: (events: Int, frames: Int, lost: Int) {
    (unit.deferredEvents, unit.longestDelayFrames, unit.lostEvents)
  }
}
