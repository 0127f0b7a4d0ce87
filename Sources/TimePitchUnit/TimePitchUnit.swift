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
/// Parameters: `rate`, 0.25 to 4, default 1; `pitch`, −2400 to 2400 cents, default 0. Both ramp;
/// without a ramp they apply at once.
///
/// AUv3: the unit of `AVAudioUnitTimePitch`.
public final class TimePitchUnit: AudioUnit, TimeEffect, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .effect, subtype: "nutp", manufacturer: "Aurc"),
    name: "Time and Pitch", shortName: "time-pitch"
  ) { description, _ in
    try TimePitchUnit(componentDescription: description)
  }

  public static let rateAddress: ParameterAddress = 0
  public static let pitchAddress: ParameterAddress = 1

  private let report = StretchReport()
  private let worksByItself: Bool
  /// The worker to call `serve` on if the unit was made without a thread; nil otherwise.
  private(set) var worker: StretchWorker?

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
      componentDescription: componentDescription,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        Parameter(
          identifier: "rate", name: "Rate", address: Self.rateAddress, range: 0.25...4,
          defaultValue: 1, unit: .rate,
          flags: [.readable, .writable, .canRamp, .displayLogarithmic]),
        Parameter(
          identifier: "pitch", name: "Pitch", address: Self.pitchAddress, range: -2400...2400,
          defaultValue: 0, unit: .cents, flags: [.readable, .writable, .canRamp]),
      ]))
  }

  public override var channelCapabilities: [ChannelCapability]? { [.matching] }

  private var timing: StretchTiming {
    StretchTiming(halfFrames: RubberBand.halfFrames(atSampleRate: sampleRate))
  }

  /// Latency at rate 1, in seconds.
  public override var latency: Double { Double(timing.latencyFrames) / sampleRate }

  /// Blocks at the worker, the ringing of the stretcher's windows, and the delay beyond the latency
  /// at rates below 1, in seconds.
  public override var tailTime: Double {
    let rate = Double(parameterValues[0])
    if rate == 1 && parameterValues[1] == 0 { return latency }
    let (half, lead) = (Double(timing.halfFrames), Double(timing.leadFrames))
    return latency + max(0, (lead + half) / rate + half + 512 - lead) / sampleRate
  }

  public override var factoryPresets: [Preset] {
    Self.presets.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    guard Self.presets.indices.contains(preset.number) else { return [:] }
    let values = Self.presets[preset.number]
    return ["rate": values.rate, "pitch": values.pitch]
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

  private static let presets: [(name: String, rate: Float, pitch: Float)] = [
    ("Half Speed", 0.5, 0), ("Double Speed", 2, 0), ("Octave Down", 1, -1200),
    ("Octave Up", 1, 1200), ("Chipmunk", 1, 1000), ("Giant", 0.9, -500),
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
