// What would be silent, or sound otherwise than somebody expects.

import Graph
import SamplerUnit

extension SessionPlan {
  /// Lines about SoundFonts that are not those of the saved session, and about samplers: without a SoundFont, with a preset without sound, or with a SoundFont of which
  /// something was left out.
  ///
  /// - Thread: [control]
  public var warnings: [String] {
    remarks
      + samplers.flatMap { id, sampler in
        if sampler.soundFonts.isEmpty && sampler.factoryPresets.isEmpty {
          return [
            "\(id): a sampler without a SoundFont is silent; give it soundfont = \"FILE.sf2\""
          ]
        }
        return sampler.soundFontWarnings.map { "\(id): \($0)" }
      }
  }

  /// Lines about samplers that cannot play at a sample rate, in hertz.
  func warnings(atSampleRate rate: Int) -> [String] {
    let range = SamplerUnit.sampleRates
    if range.contains(Double(rate)) { return [] }
    return samplers.map { id, _ in
      "\(id): silent at \(rate) Hz; SoundFonts play at \(Int(range.lowerBound)) to "
        + "\(Int(range.upperBound)) Hz"
    }
  }

  private var samplers: [(id: String, unit: SamplerUnit)] {
    graph.nodes.compactMap { node in (node.unit as? SamplerUnit).map { (node.id, $0) } }
  }
}
