// The time-pitch unit's control side.

import DSP
import Realtime
public import UnitModel
import UnitRender

/// Plays its input faster or slower without changing its pitch, and higher or lower without
/// changing its time. Any channel count, equal on input and output; sound common to the channels
/// stays together.
///
/// It is a time effect: at rate r it takes r frames for each output frame. Rubber Band's finer
/// engine stretches on the unit's own thread, in blocks of 256 frames. While rate and pitch rest at
/// 1 and 0, or in bypass, its output is bit-identical to its input; to and from there it crossfades
/// within 512 frames. Late blocks are silent, between fades, and counted. Offline rendering waits
/// for the thread, so that the output is always the same.
///
/// AUv3: the unit of `AVAudioUnitTimePitch`.
public final class TimePitchUnit: EffectUnit, TimeEffect, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "nutp", manufacturer: "Aurc"),
    name: "Time and Pitch", shortName: "time-pitch", tags: ["Time", "Pitch"]
  ) { description, _ in
    try TimePitchUnit(componentDescription: description)
  }

  /// The rate: input frames for each output frame. A value set without a ramp applies at once.
  @Parameter(
    identifier: "rate", name: "Rate", address: 0, range: 0.25...4, unit: .rate,
    flags: [.ramping, .displayLogarithmic])
  public var rate: Float = 1
  /// The change of the pitch, in cents. A value set without a ramp applies at once.
  @Parameter(
    identifier: "pitch", name: "Pitch", address: 1, range: -2400...2400, unit: .cents,
    flags: .ramping)
  public var pitch: Float = 0

  private let report = StretchReport()
  private let worksByItself: Bool
  /// The worker to call `serve` on if the unit was made without a thread; nil otherwise.
  private(set) var worker: StretchWorker?

  /// Makes a time-pitch unit without render resources.
  ///
  /// - Throws: as the initializer of `EffectUnit`.
  /// - Thread: [control]
  public convenience init(
    componentDescription: ComponentDescription = TimePitchUnit.component.description
  ) throws {
    try self.init(componentDescription, worksByItself: true)
  }

  /// - Parameter worksByItself: whether a separate thread stretches; otherwise the caller of
  ///   `serve`.
  init(_ componentDescription: ComponentDescription, worksByItself: Bool) throws {
    self.worksByItself = worksByItself
    try super.init(
      componentDescription: componentDescription, parameters: [_rate, _pitch],
      factoryPresets: Self.presets)
  }

  private var timing: StretchTiming {
    StretchTiming(halfFrames: RubberBand.halfFrames(atSampleRate: sampleRate))
  }

  /// Latency at rate 1, in seconds.
  public override var latency: Double { Double(timing.latencyFrames) / sampleRate }

  /// Blocks at the worker, the ringing of the stretcher's windows, and the delay beyond the latency
  /// at rates below 1, in seconds.
  public override var tailTime: Double {
    let rate = Double(rate)
    if rate == 1 && pitch == 0 { return latency }
    let (half, lead) = (Double(timing.halfFrames), Double(timing.leadFrames))
    return latency + max(0, (lead + half) / rate + half + 512 - lead) / sampleRate
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let format = outputBusses[0].format
    let timing = timing
    let worker = StretchWorker(
      timing, channelCount: format.channelCount, sampleRate: format.sampleRate, report: report,
      worksByItself: worksByItself)
    if !worksByItself { self.worker = worker }
    return RenderResources(
      timeEffect: TimePitchKernel(
        worker, timing, sampleRate: format.sampleRate, maximumFrames: maximumFramesToRender,
        values: parameterValues), for: self,
      functions: TimeEffectRender(
        demand: timePitchDemand, take: timePitchTake, maximumRate: TimePitchKernel.maximumRate,
        extraFrames: TimePitchKernel.extraFrames), render: timePitchRender, reset: timePitchReset)
  }

  private static func preset(_ name: String, _ rate: Float, _ pitch: Float) -> FactoryPreset {
    FactoryPreset(name, ["rate": rate, "pitch": pitch])
  }

  private static let presets = [
    preset("Half Speed", 0.5, 0), preset("Double Speed", 2, 0), preset("Octave Down", 1, -1200),
    preset("Octave Up", 1, 1200), preset("Chipmunk", 1, 1000), preset("Giant", 0.9, -500),
  ]
}

extension TimePitchUnit: ReportingUnit {
  /// Frames of silence played because stretched blocks were late.
  ///
  /// - Thread: [any]
  public var missedFrames: Int { report.words[StretchCount.missedFrames] }

  public var counts: [UnitCount] {
    [
      UnitCount("frames of silence, because the stretching was not done in time", missedFrames),
      UnitCount(
        "samples that were no numbers, for which there was silence",
        report.words[StretchCount.noNumbers], isReportedOnce: true),
    ]
  }
}
