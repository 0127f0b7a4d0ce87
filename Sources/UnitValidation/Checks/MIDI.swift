// Check with invalid MIDI.

import Platform
import UnitModel
import UnitRender

func checkMIDI(_ trial: Trial) throws {
  let unit = try trial.make()
  guard unit.virtualMIDICableCount > 0 else { throw NotChecked(reason: "it takes no MIDI") }
  for seed: UInt64 in 1..<5 {
    trial.doing("sending MIDI garbage of seed \(seed)")
    let unit = try trial.allocated()
    let host = try trial.host(unit)
    var stimulus = Stimulus(unit, frames: 8192, seed: seed)
    stimulus.midi = garbage(frames: 8192, seed: seed)
    let response = try host.run(stimulus, .random(upTo: 300, seed: seed))
    trial.expectSound(host, while: "given MIDI garbage")
    if !response.peak().isFinite { trial.fail("MIDI garbage makes it NaN or infinite") }
    checkMessages(response, trial)
    try checkSilence(host, seed, trial)
  }
}

/// Returns messages of all kinds, complete and truncated, often several a frame, and SysEx.
private func garbage(frames: Int, seed: UInt64) -> [TrialMIDI] {
  var random = SplitMix(seed: seed)
  func byte(_ range: ClosedRange<UInt8> = 0...255) -> UInt8 { .random(in: range, using: &random) }
  var messages: [TrialMIDI] = []
  for _ in 0..<600 {
    var bytes: [UInt8]
    switch Int.random(in: 0..<10, using: &random) {
    case 0: bytes = (0..<Int.random(in: 0...6, using: &random)).map { _ in byte() }
    case 1:
      bytes = [0xF0] + (0..<Int.random(in: 0...40, using: &random)).map { _ in byte(0...127) }
      bytes.append(0xF7)
    case 2: bytes = [byte(0xF1...0xFF)]
    case 3: bytes = [byte(0xC0...0xDF), byte(0...127)]
    default: bytes = [byte(0x80...0xEF), byte(0...127), byte(0...127)]
    }
    let isTogether = Int.random(in: 0..<3, using: &random) == 0
    let frame = isTogether ? messages.last?.frame ?? 0 : Int.random(in: 0..<frames, using: &random)
    messages.append(
      TrialMIDI(frame: frame, cable: byte(0...20) == 0 ? byte() : 0, bytes: bytes))
  }
  return messages.sorted { $0.frame < $1.frame }
}

/// Fails if the unit sends malformed messages.
private func checkMessages(_ response: Response, _ trial: Trial) {
  for message in response.midi {
    let isWhole = message.bytes.withUnsafeBufferPointer {
      guard let start = $0.baseAddress else { return false }
      return MIDIMessage.form(of: start, count: $0.count) != .malformed
    }
    if !isWhole {
      trial.fail("it sends bytes that are no MIDI message: \(message.bytes)", frame: message.frame)
    }
  }
}

/// Fails if the unit sounds after its tail, once all keys are released and all sound is ended.
private func checkSilence(_ host: TrialHost, _ seed: UInt64, _ trial: Trial) throws {
  guard host.unit.inputBusses.count == 0, host.unit.tailTime < 30 else { return }
  var end = Stimulus(frames: 1)
  for channel: UInt8 in 0..<16 {
    for controller: UInt8 in [121, 123, 120] {
      end.midi.append(TrialMIDI(frame: 0, bytes: [0xB0 | channel, controller, 0]))
    }
    for key: UInt8 in 0..<128 {
      end.midi.append(TrialMIDI(frame: 0, bytes: [0x80 | channel, key, 0]))
    }
  }
  _ = try host.run(end)
  let frames = Int(host.unit.tailTime * host.unit.sampleRate) + 4800
  _ = try host.run(Stimulus(frames: frames), .fixed(Trial.maximumFrames))
  let rest = try host.run(Stimulus(frames: 1000))
  if Sample.decibels(rest.peak()) > -94 {
    trial.fail(
      "after MIDI garbage of seed \(seed) a note goes on when all were let go",
      expected: "silence")
  }
}
