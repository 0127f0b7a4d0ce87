// How long a bounce is, as far as that is known.

/// The length of a bounce, in frames.
struct BounceLength {
  /// When the MIDI file ends.
  let midiEnd: Int
  /// Rendered after the end of both.
  let tail: Int
  /// When the input ends; nil as long as nobody has read so far.
  var inputEnd: Int?
  /// The frames of the whole where somebody has said them.
  var wanted: Int?
  /// When it will end, as far as can be said beforehand.
  var expectedInputEnd: Int?

  /// The frames of the whole, once they are known for sure.
  var total: Int? { wanted ?? inputEnd.map { max($0, midiEnd) + tail } }

  var expectedTotal: Int? { total ?? expectedInputEnd.map { max($0, midiEnd) + tail } }

  /// Whether the input is what makes it long.
  var isInputLonger: Bool { (inputEnd ?? expectedInputEnd ?? .max) > midiEnd }
}
