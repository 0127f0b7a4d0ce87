// Lengths of a bounce, known and expected.

/// The length of a bounce, in frames.
struct BounceLength {
  /// End of the MIDI file.
  let midiEnd: Int
  /// Frames to render after the end of MIDI file and input.
  let tail: Int
  /// End of the input; nil before it is read.
  var inputEnd: Int?
  /// The requested total length; nil if none.
  var wanted: Int?
  /// Expected end of the input; nil if unknown.
  var expectedInputEnd: Int?

  /// The total length; nil while it is not certain.
  var total: Int? { wanted ?? inputEnd.map { max($0, midiEnd) + tail } }

  var expectedTotal: Int? { total ?? expectedInputEnd.map { max($0, midiEnd) + tail } }

  /// Whether the input ends after the MIDI file.
  var isInputLonger: Bool { (inputEnd ?? expectedInputEnd ?? .max) > midiEnd }
}
