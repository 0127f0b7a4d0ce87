// The configuration of a SoundFont that is played.

import Configuration
import Foundation
import SamplerUnit

extension SessionBuilder {
  /// A session of one sampler, for all MIDI devices of the machine and heard at its outputs.
  func soundFont(
    _ options: PlayOptions
  ) throws(ConfigurationProblem) -> SessionConfiguration {
    let id = "sampler"
    let place = SourcePosition(file: options.file)
    let url = try locate(options.file)
    try PlayedKind.refuse(url, named: options.file)
    let preset = try preset(options, of: url)
    var unit = UnitConfiguration(id: id, component: Located("sampler", at: place))
    unit.soundFonts = [SoundFontConfiguration(file: Located(url.path, at: place))]
    if preset.bank != 0 || options.bank != nil {
      unit.bank = Located(preset.bank, at: SourcePosition(file: "--bank"))
    }
    if preset.program != 0 || options.program != nil {
      unit.program = Located(preset.program, at: SourcePosition(file: "--program"))
    }
    return SessionConfiguration(
      units: [unit],
      connections: [
        Self.connection(.outside(PortPattern(PhysicalPorts.midi.text)), .unit(id: id, bus: nil)),
        Self.connection(.unit(id: id, bus: nil), .outside(PortPattern(PhysicalPorts.outputs.text))),
      ])
  }

  static func connection(_ from: Endpoint, _ to: Endpoint) -> ConnectionConfiguration {
    ConnectionConfiguration(from: from, to: to, at: SourcePosition(file: "play"))
  }

  /// The file of a SoundFont, searched for in the current folder too.
  private func locate(_ name: String) throws(ConfigurationProblem) -> URL {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath, isDirectory: true)
    return try located(SourcePosition(file: name)) { () throws(SoundFontLocationError) in
      try locator.locate(name, beside: here.appendingPathComponent("auricle"))
    }
  }

  /// The preset that is asked for; where none is, the first, which is the piano in most SoundFonts.
  private func preset(
    _ options: PlayOptions, of url: URL
  ) throws(ConfigurationProblem) -> (bank: Int, program: Int) {
    let place = SourcePosition(file: options.file)
    let presets = try located(place) { () throws(SoundFontError) in
      try SoundFontInspector.presets(of: url)
    }
    let candidates = presets.filter { options.bank == nil || $0.bank == options.bank }
    guard let wanted = options.preset else {
      let program = options.program
      let first = candidates.first { program == nil || $0.program == program }
      // What is not there is told by the loading.
      return (first?.bank ?? options.bank ?? 0, first?.program ?? program ?? 0)
    }
    let found =
      candidates.first { $0.name == wanted }
      ?? candidates.first { $0.name.lowercased() == wanted.lowercased() }
      ?? candidates.first { Int(wanted) == $0.program }
    guard let found else { throw unknown(wanted, among: candidates, of: options.file) }
    return (found.bank, found.program)
  }

  private func unknown(
    _ preset: String, among presets: [SoundFontPreset], of file: String
  ) -> ConfigurationProblem {
    var message = "unknown preset \(quoted(preset)) in \(printable(file, 200))"
    if let nearest = nearestMatch(to: preset, among: presets.map(\.name)) {
      message += ": did you mean \(quoted(nearest))?"
    }
    let shown = 8
    let more = presets.count > shown ? " and \(presets.count - shown) more" : ""
    return ConfigurationProblem(
      message,
      accepted: presets.prefix(shown).map(\.name).joined(separator: ", ")
        + "\(more) (auricle soundfont lists them)", at: SourcePosition(file: "--preset"))
  }
}
