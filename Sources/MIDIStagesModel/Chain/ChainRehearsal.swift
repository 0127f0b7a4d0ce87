// A rehearsal of a chain on the control side, before the render thread runs it.

import MIDIStages
import Realtime
import UnitModel
import UnitRender

/// Sends messages of all kinds through a temporary chain of the same stages and settings. Code that
/// the render thread runs first is then in memory, and functions of other libraries are bound.
enum ChainRehearsal {
  private static let frameCount = 256

  /// - Thread: [control]
  static func run(_ layout: MIDIChainLayout, settings tree: ParameterTree, sampleRate: Double) {
    if layout.stages.isEmpty { return }
    let chain = UnsafeMutablePointer<MIDIChain>.allocate(capacity: 1)
    chain.initialize(to: layout.makeChain(settings: tree, sampleRate: sampleRate))
    let mailbox = PublishedPointer()
    let values = ParameterValues(count: tree.allParameters.count + layout.stages.count)
    let counters = DeferredEventCounters()
    let player = MIDIChainPlayer.allocate(
      chain, mailbox: mailbox, values: values, capacity: 64, counters: counters)
    let list = RenderEventList.allocate(events: 4096, payload: 16)
    let calls = [notesOn, controls, notesOff, controls, notesOn, ends]
    for (index, messages) in calls.enumerated() {
      let start = FrameTime(index * frameCount)
      list.removeAll()
      for message in messages {
        _ = message.withUnsafeBufferPointer { bytes in
          bytes.baseAddress.map { list.insertMIDI($0, count: bytes.count, at: start) }
        }
      }
      player.process(
        list, during: MIDIChainCall(start: start, frameCount: frameCount, sampleRate: sampleRate))
      player.publishReadings()
    }
    player.setBypassed(true)
    player.setBypassed(false)
    player.reset()
    list.removeAll()
    player.process(
      list,
      during: MIDIChainCall(
        start: FrameTime(calls.count * frameCount), frameCount: frameCount, sampleRate: sampleRate))
    for chain in player.deallocate() {
      chain.pointee.deallocate()
      chain.deallocate()
    }
    counters.deallocate()
    mailbox.deallocate()
    values.deallocate()
    list.deallocate()
  }

  /// Note-ons on the first and the last channel, for every seventh key from 0 to 126.
  private static let notesOn: [[UInt8]] = notes { [0x90 | $0, $1, 1 + $1 % 127] }
  private static let notesOff: [[UInt8]] = notes { [0x80 | $0, $1, 64] }

  private static func notes(_ message: (UInt8, UInt8) -> [UInt8]) -> [[UInt8]] {
    [0, 15].flatMap { channel in
      stride(from: 0 as UInt8, through: 126, by: 7).map { message(channel, $0) }
    }
  }

  private static let controls: [[UInt8]] = [0, 15].flatMap { channel -> [[UInt8]] in
    (0..<120).map { [0xB0 | channel, $0, 100] }
      + [
        [0xA0 | channel, 60, 50], [0xC0 | channel, 0], [0xD0 | channel, 50],
        [0xE0 | channel, 1, 70],
        [0xB0 | channel, 64, 0],
      ]
  }

  private static let ends: [[UInt8]] =
    [
      [0xF8], [0xFA], [0xF1, 0], [0xF0, 0x7E, 0x7F, 9, 1, 0xF7], [0xB0, 121, 0], [0xB0, 123, 0],
      [0xFF],
    ]
}
