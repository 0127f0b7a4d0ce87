// Input of a unit.

import Platform
import Realtime
import UnitModel

/// A MIDI message on a frame.
struct TrialMIDI: Hashable {
  var frame: Int
  var cable: UInt8 = 0
  var bytes: [UInt8]
}

/// A change of a parameter on a frame; `rampFrames` 0 sets the value.
struct TimedChange {
  var frame: Int
  var address: ParameterAddress
  var value: Float
  var rampFrames = 0

  /// Returns sets and ramps of schedulable parameters at random frames, some of them on the same
  /// frame.
  static func random(
    _ count: Int, of unit: AudioUnit, frames: Int, seed: UInt64
  ) -> [TimedChange] {
    var random = SplitMix(seed: seed)
    let parameters = unit.schedulableParameters
    var changes: [TimedChange] = []
    guard !parameters.isEmpty else { return [] }
    for _ in 0..<count {
      let parameter = parameters.randomElement(using: &random)!
      let frame = Int.random(in: 0..<frames, using: &random)
      var lengths = [0]
      if parameter.flags.contains(.canRamp) {
        lengths += [1, Int.random(in: 2...3000, using: &random)]
      }
      let isTogether = Int.random(in: 0..<8, using: &random) == 0
      changes.append(
        TimedChange(
          frame: isTogether ? changes.last?.frame ?? frame : frame, address: parameter.address,
          value: parameter.value(using: &random), rampFrames: lengths.randomElement(using: &random)!
        ))
    }
    return changes
  }
}

/// Samples by bus and channel, and MIDI, for `frames` frames.
struct Stimulus {
  var frames: Int
  var audio: [[[Float]]] = []
  /// Messages in order of their frames.
  var midi: [TrialMIDI] = []
  var changes: [TimedChange] = []

  /// Makes silence.
  init(frames: Int) { self.frames = frames }

  /// Makes noise on all inputs, different on each channel, with silence from the middle to three
  /// quarters. A unit with MIDI input also gets notes.
  init(_ unit: AudioUnit, frames: Int, seed: UInt64, hasGap: Bool = true) {
    self.frames = frames
    audio = unit.inputBusses.busses.enumerated().map { bus, it in
      (0..<it.format.channelCount).map { channel in
        var samples = Sample.noise(frames, seed: seed &* 1000 &+ UInt64(bus * 64 + channel))
        if hasGap {
          for frame in frames / 2..<frames / 4 * 3 { samples[frame] = 0 }
        }
        return samples
      }
    }
    if unit.virtualMIDICableCount > 0 { midi = Self.notes(frames: frames, seed: seed) }
  }

  /// Makes the same signal on all channels of the first bus, and silence on the other busses.
  init(_ unit: AudioUnit, first samples: [Float]) {
    frames = samples.count
    audio = unit.inputBusses.busses.enumerated().map { bus, it in
      [[Float]](
        repeating: bus == 0 ? samples : Sample.silence(samples.count),
        count: it.format.channelCount)
    }
  }

  /// Returns notes with controllers and bends between them, none on the first frame of a usual
  /// period. The last key is released before the end.
  private static func notes(frames: Int, seed: UInt64) -> [TrialMIDI] {
    var random = SplitMix(seed: seed)
    var messages: [TrialMIDI] = []
    var frame = 37
    while frame + 701 < frames {
      let key = UInt8.random(in: 48...72, using: &random)
      let velocity = UInt8.random(in: 60...127, using: &random)
      messages.append(TrialMIDI(frame: frame, bytes: [0x90, key, velocity]))
      let value = UInt8.random(in: 0...127, using: &random)
      let other: [[UInt8]] = [[0xB0, 1, value], [0xE0, value, 64], [0xB0, 11, max(value, 40)]]
      messages.append(TrialMIDI(frame: frame + 150, bytes: other.randomElement(using: &random)!))
      messages.append(TrialMIDI(frame: frame + 701, bytes: [0x80, key, 64]))
      frame += 997
    }
    return messages.sorted { $0.frame < $1.frame }
  }

  /// Releases all keys, in all ways.
  static func allOff(frames: Int) -> Stimulus {
    var stimulus = Stimulus(frames: frames)
    for channel: UInt8 in 0..<16 {
      for bytes: [UInt8] in [
        [0xB0 | channel, 64, 0], [0xB0 | channel, 66, 0], [0xB0 | channel, 69, 0],
        [0xB0 | channel, 123, 0],
      ] {
        stimulus.midi.append(TrialMIDI(frame: 0, bytes: bytes))
      }
    }
    return stimulus
  }
}
