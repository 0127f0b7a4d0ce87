// The tone generator's control side.

import DSP
import UnitModel
import UnitRender

/// A generator of one tone: of any MIDI key at any tuning, or of any frequency. The wave is a sine,
/// or a triangle, saw or square without aliasing. It sounds on all output channels.
///
/// The parameter `playing` starts and stops the tone on its frame. The tone is idle, fades in,
/// sustains or fades out. A stop before it sustains silences it at once, unless `earlyStop` is set
/// to a fade-out. A start during a fade-out reverses the fade.
///
/// MIDI sets the same parameters: a note sets `pitch`, `key` and `playing`. Of the held keys, the
/// one pressed last is heard; velocity is ignored. Pitch bend shifts the tone by up to two
/// semitones. Any MIDI channel is accepted.
///
/// Parameters: `playing`; `pitch`, by key or by frequency; `key`, 0 to 127, default 69; `tuning` of
/// A4, 400 to 480 Hz, default 440; `fine`, −100 to 100 cents; `frequency`, 8 to 20 000 Hz, default
/// 1000; `waveform`; `amplitude`, 0 to 1, default 0.85; `fadeIn` and `fadeOut`, 0 to 5000 ms,
/// default 10; `earlyStop`.
public final class ToneUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .instrument, subtype: "tone", manufacturer: "Aurc"),
    name: "Tone Generator", shortName: "tone"
  ) { description, _ in
    try ToneUnit(componentDescription: description)
  }

  public static let playingAddress: ParameterAddress = 0
  public static let pitchAddress: ParameterAddress = 1
  public static let keyAddress: ParameterAddress = 2
  public static let tuningAddress: ParameterAddress = 3
  public static let fineAddress: ParameterAddress = 4
  public static let frequencyAddress: ParameterAddress = 5
  public static let waveformAddress: ParameterAddress = 6
  public static let amplitudeAddress: ParameterAddress = 7
  public static let fadeInAddress: ParameterAddress = 8
  public static let fadeOutAddress: ParameterAddress = 9
  public static let earlyStopAddress: ParameterAddress = 10

  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ToneUnit.component.description) throws {
    try super.init(
      componentDescription: componentDescription,
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: Self.parameters))
  }

  private static var parameters: [Parameter] {
    let ramps: ParameterFlags = [.readable, .writable, .canRamp]
    func fade(_ identifier: String, _ name: String, _ address: ParameterAddress) -> Parameter {
      Parameter(
        identifier: identifier, name: name, address: address, range: 0...5000, defaultValue: 10,
        unit: .milliseconds)
    }
    return [
      Parameter(
        identifier: "playing", name: "Playing", address: playingAddress, range: 0...1,
        unit: .boolean),
      Parameter(
        identifier: "pitch", name: "Pitch", address: pitchAddress, range: 0...1, unit: .indexed,
        valueStrings: ["Key", "Frequency"]),
      Parameter(
        identifier: "key", name: "Key", address: keyAddress, range: 0...127, defaultValue: 69,
        unit: .midiNoteNumber),
      Parameter(
        identifier: "tuning", name: "Tuning", address: tuningAddress, range: 400...480,
        defaultValue: 440, unit: .hertz, flags: ramps),
      Parameter(
        identifier: "fine", name: "Fine Tuning", address: fineAddress, range: -100...100,
        defaultValue: 0, unit: .cents, flags: ramps),
      Parameter(
        identifier: "frequency", name: "Frequency", address: frequencyAddress, range: 8...20_000,
        defaultValue: 1000, unit: .hertz, flags: ramps.union(.displayLogarithmic)),
      Parameter(
        identifier: "waveform", name: "Waveform", address: waveformAddress, range: 0...3,
        unit: .indexed, valueStrings: ["Sine", "Triangle", "Saw", "Square"]),
      Parameter(
        identifier: "amplitude", name: "Amplitude", address: amplitudeAddress, range: 0...1,
        defaultValue: 0.85, unit: .linearGain, flags: ramps),
      fade("fadeIn", "Fade In", fadeInAddress),
      fade("fadeOut", "Fade Out", fadeOutAddress),
      Parameter(
        identifier: "earlyStop", name: "Early Stop", address: earlyStopAddress, range: 0...1,
        unit: .indexed, valueStrings: ["Silence", "Fade Out"]),
    ]
  }

  /// The time of the fade-out.
  public override var tailTime: Double {
    Double(parameterValues[Int(Self.fadeOutAddress)]) / 1000
  }

  public override var factoryPresets: [Preset] {
    TonePreset.all.enumerated().map { Preset(number: $0, name: $1.name) }
  }

  public override func factoryPresetValues(of preset: Preset) -> [String: Float] {
    TonePreset.all.indices.contains(preset.number) ? TonePreset.all[preset.number].values : [:]
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      ToneKernel(
        sampleRate: outputBusses[0].format.sampleRate, settings: settings,
        values: parameterValues, isBypassed: shouldBypassEffect),
      for: self, render: toneRender, reset: toneReset)
  }

  private var settings: ToneGenerator.Settings {
    func value(_ address: ParameterAddress) -> Double { Double(parameterValues[Int(address)]) }
    var settings = ToneGenerator.Settings()
    settings.source = value(Self.pitchAddress) < 0.5 ? .key : .frequency
    settings.key = Int(value(Self.keyAddress).rounded())
    settings.tuningHertz = value(Self.tuningAddress)
    settings.fineCents = value(Self.fineAddress)
    settings.frequencyHertz = value(Self.frequencyAddress)
    settings.wave = toneWave(Float(value(Self.waveformAddress)))
    settings.amplitude = value(Self.amplitudeAddress)
    settings.fadeInMilliseconds = value(Self.fadeInAddress)
    settings.fadeOutMilliseconds = value(Self.fadeOutAddress)
    settings.fadesOutEarly = value(Self.earlyStopAddress) >= 0.5
    return settings
  }
}

/// A factory preset of the tone generator.
struct TonePreset {
  let name: String
  let values: [String: Float]

  static let all = [
    TonePreset(
      name: "Concert Pitch",
      values: ["pitch": 0, "key": 69, "tuning": 440, "fine": 0, "waveform": 0]),
    TonePreset(
      name: "Baroque Pitch",
      values: ["pitch": 0, "key": 69, "tuning": 415, "fine": 0, "waveform": 0]),
    TonePreset(
      name: "Line-up Tone",
      values: ["pitch": 1, "frequency": 1000, "waveform": 0, "amplitude": 0.125_892_54]),
  ]
}
