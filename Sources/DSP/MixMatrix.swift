// The gains from a source to a mix with another number of channels.

/// The gains from each channel of a source to each channel of a mix.
///
/// Four channels are left, right, and both surround channels; six are left, right, centre, low
/// frequencies, and both surround channels.
///
/// - Mono goes to left and right by equal power, -3 dB each in the middle (`PanLaw`). Stereo goes
///   to left and right unchanged. Both follow the pan; others do not.
/// - Left and right go to mono at -3 dB each, so that centred mono returns unchanged. The centre
///   goes to mono whole, surround channels at -6 dB.
/// - Surround channels and the centre go to left and right at -3 dB; low frequencies are dropped,
///   as in ITU-R BS.775.
/// - A source with the mix's channel count goes there channel by channel.
///
/// - Thread: [any]
public enum MixMatrix {
  /// The most channels of a source, and of a mix.
  public static var mostChannels: Int { @_noLocks @_noAllocation get { 8 } }

  /// Whether there is a matrix for these channel counts.
  @_noLocks @_noAllocation
  public static func exists(from inputs: Int, to outputs: Int) -> Bool {
    if inputs < 1 || outputs < 1 || inputs > mostChannels || outputs > mostChannels { return false }
    return inputs <= 2 || inputs == outputs
      || isSurround(inputs) && (outputs <= 2 || isSurround(outputs))
  }

  @_noLocks @_noAllocation
  private static func isSurround(_ channels: Int) -> Bool { channels == 4 || channels == 6 }

  /// Writes the gains; those of one output are adjacent.
  ///
  /// - Parameters:
  ///   - gains: room for `inputs` · `outputs`; `exists` must be true for these.
  ///   - pan: −1 to 1.
  @_noLocks @_noAllocation
  public static func fill(
    _ gains: UnsafeMutablePointer<Double>, from inputs: Int, to outputs: Int, pan: Double
  ) {
    var place = 0
    while place < inputs &* outputs {
      gains[place] = 0
      place &+= 1
    }
    let right = gains + inputs
    if inputs == 1 {
      if outputs == 1 {
        gains[0] = 1
      } else {
        let law = PanLaw.mono(pan)
        gains[0] = law.left
        right[0] = law.right
      }
    } else if outputs == 1 {
      fillMono(gains, from: inputs)
    } else if inputs == 2 {
      let law = PanLaw.stereo(pan < 0 ? -pan : pan)
      gains[0] = pan > 0 ? law.stays : 1
      gains[1] = pan > 0 ? 0 : law.goesOver
      right[0] = pan > 0 ? law.goesOver : 0
      right[1] = pan > 0 ? 1 : law.stays
    } else if inputs == outputs {
      var channel = 0
      while channel < inputs {
        gains[channel &* inputs &+ channel] = 1
        channel &+= 1
      }
    } else {
      fillSurround(gains, from: inputs, to: outputs)
    }
  }

  private static var minus3: Double { @_noLocks @_noAllocation get { 0.707_106_781_186_547_5 } }

  @_noLocks @_noAllocation
  private static func fillMono(_ gains: UnsafeMutablePointer<Double>, from inputs: Int) {
    gains[0] = minus3
    gains[1] = minus3
    if inputs == 2 { return }
    if inputs == 6 { gains[2] = 1 }
    gains[inputs &- 2] = 0.5
    gains[inputs &- 1] = 0.5
  }

  /// Fills the gains from four or six channels to two, four or six.
  @_noLocks @_noAllocation
  private static func fillSurround(
    _ gains: UnsafeMutablePointer<Double>, from inputs: Int, to outputs: Int
  ) {
    let right = gains + inputs
    gains[0] = 1
    right[1] = 1
    if inputs == 6 {
      gains[2] = minus3
      right[2] = minus3
    }
    if outputs == 2 {
      gains[inputs &- 2] = minus3
      right[inputs &- 1] = minus3
    } else {
      gains[(outputs &- 2) &* inputs &+ inputs &- 2] = 1
      gains[(outputs &- 1) &* inputs &+ inputs &- 1] = 1
    }
  }
}
