// Checks the structure of a SoundFont file before FluidSynth reads it.

import Foundation

/// A SoundFont file, checked: chunks of the sizes that the file says, records that point to records
/// that exist, values that FluidSynth bears.
///
/// SoundFont technical specification 2.04, sections 4 to 9. FluidSynth trusts most of what it
/// reads: it indexes with it, and loops as long as it says. What it does not bear is left out or
/// held to its range, with a warning, or else the file is refused.
struct SoundFontFile {
  /// What FluidSynth is to read.
  let image: SoundFontImage
  /// The longest release of a volume envelope, in seconds; 0.001 if none is given.
  let longestReleaseSeconds: Double
  /// How many modulators of its own a voice has at most.
  let mostModulators: Int
  /// What was left out or changed, in words; at most a dozen lines.
  let warnings: [String]
  let size: SoundFontSize
  /// Presets without a zone that sounds.
  let silentPresets: Set<PresetNumber>

  /// Reads and checks a file.
  ///
  /// - Throws: `SoundFontError`.
  /// - Thread: [control]. - Complexity: O(records); of samples only the compressed ones are read.
  init(_ url: URL) throws(SoundFontError) {
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
    tree.boundPitches()
    longestReleaseSeconds = tree.longestReleaseSeconds
    mostModulators = tree.mostModulators
    warnings = tree.warnings.lines
    silentPresets = tree.silentPresets
    image = try layout.image(source, records: tree.bytes(leadFrames: layout.leadFrames))
  }
}
