// The render side's end of a ring of MIDI.

import CRealtime
import Realtime
import UnitRender

/// Captures the MIDI of takes, with the host's tempo and time signature.
struct MIDICapture: BitwiseCopyable {
  private let ring: CapturedMIDIRing
  /// Whether takes are of MIDI; otherwise it sends nothing.
  private let isOn: Bool
  /// FF 51 and the length of a quarter note in microseconds; 0 if not known.
  private var tempo: UInt64 = 0
  /// FF 58 with the time signature; 0 if not known.
  private var timeSignature: UInt64 = 0

  /// - Parameter ring: must outlive the capture.
  /// - Thread: [control]
  init(_ ring: CapturedMIDIRing, isOn: Bool) { (self.ring, self.isOn) = (ring, isOn) }

  /// Notes the host's tempo, from 3.6 to 10,000 quarter notes a minute, and its time signature.
  ///
  /// - Returns: whether one of them has changed.
  @_noLocks @_noAllocation
  mutating func look(_ context: MusicalContext) -> Bool {
    if !isOn { return false }
    let former = (tempo, timeSignature)
    if context.valid & UInt32(kMusicalContextTempo) != 0, context.tempo > 0 {
      let length = Self.rounded(min(max(6e7 / context.tempo, 6000), 16_777_215))
      let (high, middle, low) = (length >> 16, length >> 8 & 0xFF, length & 0xFF)
      tempo = 0x0351FF | high << 24 | middle << 32 | low << 40
    }
    let beats = context.timeSignatureNumerator
    let unit = context.timeSignatureDenominator
    if context.valid & UInt32(kMusicalContextTimeSignature) != 0, beats >= 1, beats <= 255, unit > 0
    {
      let power = UInt64(truncatingIfNeeded: unit.trailingZeroBitCount)
      timeSignature = 0x0818_0000_0458FF | Self.rounded(beats) << 24 | power << 32
    }
    return former.0 != tempo || former.1 != timeSignature
  }

  /// Returns a number from 0 to 2⁴⁸ as a whole one. A conversion would check its range.
  @_noLocks @_noAllocation
  private static func rounded(_ number: Double) -> UInt64 {
    (number + 0x1p52).bitPattern & 0xFFFF_FFFF_FFFF
  }

  /// Sends tempo and time signature, as far as they are known.
  ///
  /// - Parameter offset: the frame within the take.
  @_noLocks @_noAllocation
  func sendTime(take: Int, offset: Int) {
    if tempo != 0 {
      ring.send(CapturedMIDI(word: tempo, count: 6, take: take, offset: offset))
    }
    if timeSignature != 0 {
      ring.send(CapturedMIDI(word: timeSignature, count: 7, take: take, offset: offset))
    }
  }

  /// Sends a channel message. Others, such as a clock, have no place in a file.
  @_noLocks @_noAllocation
  func send(_ event: UnsafeMutablePointer<RenderEvent>, take: Int, offset: Int) {
    let message = ShortMessage(of: event)
    if !isOn || message.status < 0x80 || message.status >= 0xF0 { return }
    let count = MIDIMessage.length(ofStatus: message.status)
    ring.send(
      CapturedMIDI(word: UInt64(message.word), count: count, take: take, offset: offset))
  }

  /// Sends a System Exclusive message.
  @_noLocks @_noAllocation
  func sendSystemExclusive(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, take: Int, offset: Int
  ) {
    if !isOn { return }
    ring.send(
      list.systemExclusiveBytes(of: event), count: Int(event.pointee.length), take: take,
      offset: offset)
  }
}
