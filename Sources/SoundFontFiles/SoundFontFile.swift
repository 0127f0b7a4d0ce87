// Checks of a SoundFont file's structure before FluidSynth reads it.

import FoundationEssentials

/// A checked SoundFont file: chunks have their stated sizes, records point to existing records, and
/// FluidSynth can handle the values.
///
/// SoundFont technical specification 2.04, sections 4 to 9. FluidSynth trusts most of the data: it
/// uses it as indices and as counts of loops. Values that it cannot handle are left out or held to
/// their range, with a warning; otherwise the file is refused.
package struct SoundFontFile {
  /// The data for FluidSynth.
  package let image: SoundFontImage
  /// The longest release of a volume envelope, in seconds; 0.001 if none is given.
  package let longestReleaseSeconds: Double
  /// The most modulators of its own that a voice has.
  package let mostModulators: Int
  /// Lines about parts left out or changed: at most twelve, and a count of the rest.
  package let warnings: [String]
  package let size: SoundFontSize
  /// Presets without a zone that sounds.
  package let silentPresets: Set<PresetNumber>

  /// Reads and checks a file.
  ///
  /// - Parameter lowestSampleRate: the lowest rate that FluidSynth renders at, in hertz.
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: O(records); of samples only the compressed ones are read.
  package init(_ url: URL, lowestSampleRate: Double) throws(SoundFontError) {
    let source = try SoundFontSource(url)
    let layout = try SoundFontLayout(source)
    let records = try source.bytes(layout.records)
    var tree = try records.withUnsafeBytes { bytes in
      Result { () throws(SoundFontError) in
        let reader = RIFFReader(bytes, path: source.path, origin: layout.records.lowerBound)
        let records = try SoundFontRecords(reader, chunks: reader.chunks(in: 0..<bytes.count))
        try records.check()
        return try SoundFontTree(records)
      }
    }.get()
    try tree.checkSamples(source, layout)
    size = try tree.checkSize(layout)
    tree.leaveOutUnbearableModulators(layout)
    tree.holdGenerators()
    tree.boundPitches(lowestSampleRate: lowestSampleRate)
    longestReleaseSeconds = tree.longestReleaseSeconds
    mostModulators = tree.mostModulators
    warnings = tree.warnings.lines
    silentPresets = tree.silentPresets
    image = try layout.image(source, records: tree.bytes(leadFrames: layout.leadFrames))
  }
}
