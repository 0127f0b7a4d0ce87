// A MIDI stream through a chain of stages: nothing traps, and every note sent ends.

import MIDIEffectUnit
import MIDIStages
import UnitHost
import UnitModel

/// The bytes define the stages, their settings and the stream, in this order.
@Sendable func fuzzMIDIStream(_ bytes: UnsafeRawBufferPointer) {
  var reader = ByteReader(bytes)
  let kinds = (0..<Int(reader.next() % 5)).map { _ in
    MIDIStageKind.allCases[Int(reader.next()) % MIDIStageKind.allCases.count]
  }
  guard let unit = try? MIDIEffectUnit(midiStages: kinds) else { return }
  let parameters = unit.parameterTree.allParameters.filter { $0.flags.contains(.writable) }
  for _ in 0..<Int(reader.next() % 16) where !parameters.isEmpty {
    let parameter = parameters[(Int(reader.next()) << 8 + Int(reader.next())) % parameters.count]
    let place = Float(reader.next()) / 255
    try? parameter.setValue(
      parameter.minValue + place * (parameter.maxValue - parameter.minValue))
  }
  try! unit.setMaximumFramesToRender(512)
  try! unit.allocateRenderResources()
  let host = try! DirectHost(unit)
  var sounding = [Int](repeating: 0, count: 16 * 128)
  func render(_ frames: Int, _ midi: [DirectHost.MIDI]) {
    _ = try! host.render(frames, midi: midi)
    for message in host.midiOutput { count(message.bytes, in: &sounding) }
  }
  var held = Set<[UInt8]>()
  while !reader.isAtEnd {
    let frames = 1 + Int(reader.next()) * 2
    let midi = (0..<Int(reader.next() % 8)).map { _ in
      DirectHost.MIDI(offset: min(Int(reader.next()), frames - 1), reader.message())
    }.sorted { $0.offset < $1.offset }
    for message in midi { follow(message.bytes, in: &held) }
    render(frames, midi)
  }
  for key in held.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
    render(16, [.init([0x80 | key[0], key[1], 0])])
  }
  for channel: UInt8 in 0..<16 {
    render(
      512,
      [
        .init([0xB0 | channel, 64, 0]), .init([0xB0 | channel, 66, 0]),
        .init([0xB0 | channel, 123, 0]),
      ])
  }
  // Notes that stages play later end in these calls.
  var calls = 0
  while calls < 20_000 && sounding.contains(where: { $0 > 0 }) {
    render(512, [])
    calls += 1
  }
  precondition(!sounding.contains { $0 > 0 }, "a note is left")
}

/// Tracks the keys held at the input, as channel and key.
private func follow(_ message: [UInt8], in held: inout Set<[UInt8]>) {
  guard message.count == 3 else { return }
  let key = [message[0] & 15, message[1]]
  switch message[0] & 0xF0 {
  case 0x90 where message[2] > 0: held.insert(key)
  case 0x80, 0x90: held.remove(key)
  default: break
  }
}

/// Tracks the notes sounding after the chain. Note-offs, mode messages and a reset end them.
private func count(_ message: [UInt8], in sounding: inout [Int]) {
  if message.count == 1 && message[0] == 0xFF {
    for place in sounding.indices { sounding[place] = 0 }
  }
  guard message.count == 3 else { return }
  let channel = Int(message[0] & 15) * 128
  switch message[0] & 0xF0 {
  case 0x90 where message[2] > 0: sounding[channel + Int(message[1])] = 1
  case 0x80, 0x90: sounding[channel + Int(message[1])] = 0
  case 0xB0 where message[1] == 120 || message[1] >= 123:
    for key in 0..<128 { sounding[channel + key] = 0 }
  default: break
  }
}

/// Reads the fuzzer's bytes; zeros after their end.
private struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var place = 0

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  var isAtEnd: Bool { place >= bytes.count }

  mutating func next() -> UInt8 {
    guard !isAtEnd else { return 0 }
    defer { place += 1 }
    return bytes[place]
  }

  /// Reads a whole message: a channel message, or a realtime byte.
  mutating func message() -> [UInt8] {
    let status = next()
    switch status {
    case 0xF8, 0xFA, 0xFB, 0xFC, 0xFE, 0xFF: return [status]
    default: break
    }
    let channelStatus = 0x80 | status & 0x7F
    switch channelStatus & 0xF0 {
    case 0xC0, 0xD0: return [channelStatus, next() & 127]
    case 0xF0: return [0xF1, next() & 127]
    default: return [channelStatus, next() & 127, next() & 127]
    }
  }
}
