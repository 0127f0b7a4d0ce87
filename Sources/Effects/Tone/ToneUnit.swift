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
public final class ToneUnit: AudioUnit, @unchecked Sendable {
  public static let component = Component(
    description: ComponentDescription(type: .instrument, subtype: "tone", manufacturer: "Aurc"),
    name: "Tone Generator", shortName: "tone", tags: ["Synthesizer"]
  ) { description, _ in
    try ToneUnit(componentDescription: description)
  }

  /// Whether the tone plays, 0 or 1.
  @Parameter(identifier: "playing", name: "Playing", address: 0, range: 0...1, unit: .boolean)
  public var playing: Float = 0
  /// The source of the pitch: the key or the frequency.
  @Parameter(
    identifier: "pitch", name: "Pitch", address: 1, range: 0...1, unit: .indexed,
    valueStrings: ["Key", "Frequency"])
  public var pitch: Float = 0
  /// The MIDI key.
  @Parameter(identifier: "key", name: "Key", address: 2, range: 0...127, unit: .midiNoteNumber)
  public var key: Float = 69
  /// The frequency of A4 in hertz.
  @Parameter(
    identifier: "tuning", name: "Tuning", address: 3, range: 400...480, unit: .hertz,
    flags: .ramping)
  public var tuning: Float = 440
  /// The fine tuning in cents.
  @Parameter(
    identifier: "fine", name: "Fine Tuning", address: 4, range: -100...100, unit: .cents,
    flags: .ramping)
  public var fine: Float = 0
  /// The frequency in hertz of a tone without a key.
  @Parameter(
    identifier: "frequency", name: "Frequency", address: 5, range: 8...20_000, unit: .hertz,
    flags: [.ramping, .displayLogarithmic])
  public var frequency: Float = 1000
  /// The wave: sine, triangle, saw or square.
  @Parameter(
    identifier: "waveform", name: "Waveform", address: 6, range: 0...3, unit: .indexed,
    valueStrings: ["Sine", "Triangle", "Saw", "Square"])
  public var waveform: Float = 0
  /// The amplitude, a linear gain.
  @Parameter(
    identifier: "amplitude", name: "Amplitude", address: 7, range: 0...1, unit: .linearGain,
    flags: .ramping)
  public var amplitude: Float = 0.85
  /// The time of the fade-in, in milliseconds.
  @Parameter(
    identifier: "fadeIn", name: "Fade In", address: 8, range: 0...5000, unit: .milliseconds)
  public var fadeIn: Float = 10
  /// The time of the fade-out, in milliseconds.
  @Parameter(
    identifier: "fadeOut", name: "Fade Out", address: 9, range: 0...5000, unit: .milliseconds)
  public var fadeOut: Float = 10
  /// The effect of a stop before the tone sustains: silence or a fade-out.
  @Parameter(
    identifier: "earlyStop", name: "Early Stop", address: 10, range: 0...1, unit: .indexed,
    valueStrings: ["Silence", "Fade Out"])
  public var earlyStop: Float = 0

  /// Makes a tone generator without render resources.
  ///
  /// - Throws: `ParameterTreeError`, `BusError`.
  /// - Thread: [control]
  public init(componentDescription: ComponentDescription = ToneUnit.component.description) throws {
    try super.init(
      componentDescription: componentDescription,
      outputBusses: BusArray(.output, [Bus(.output, name: "Output")]),
      parameterTree: ParameterTree(children: [
        _playing, _pitch, _key, _tuning, _fine, _frequency, _waveform, _amplitude, _fadeIn,
        _fadeOut, _earlyStop,
      ]), factoryPresets: Self.presets)
  }

  /// The time of the fade-out, in seconds.
  public override var tailTime: Double { Double(fadeOut) / 1000 }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      ToneKernel(
        sampleRate: sampleRate, settings: settings,
        values: parameterValues, isBypassed: shouldBypassEffect),
      for: self, render: toneRender, reset: toneReset)
  }

  private var settings: ToneGenerator.Settings {
    var settings = ToneGenerator.Settings()
    settings.source = pitch < 0.5 ? .key : .frequency
    settings.key = Int(key.rounded())
    settings.tuningHertz = Double(tuning)
    settings.fineCents = Double(fine)
    settings.frequencyHertz = Double(frequency)
    settings.wave = toneWave(waveform)
    settings.amplitude = Double(amplitude)
    settings.fadeInMilliseconds = Double(fadeIn)
    settings.fadeOutMilliseconds = Double(fadeOut)
    settings.fadesOutEarly = earlyStop >= 0.5
    return settings
  }

  private static let presets = [
    FactoryPreset(
      "Concert Pitch", ["pitch": 0, "key": 69, "tuning": 440, "fine": 0, "waveform": 0]),
    FactoryPreset(
      "Baroque Pitch", ["pitch": 0, "key": 69, "tuning": 415, "fine": 0, "waveform": 0]),
    FactoryPreset(
      "Line-up Tone", ["pitch": 1, "frequency": 1000, "waveform": 0, "amplitude": 0.125_892_54]),
  ]
}
