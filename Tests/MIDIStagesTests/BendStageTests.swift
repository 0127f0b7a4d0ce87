// The bend stage's scaling of bends, and its messages of the range to the receiver.

import Testing

@Suite struct BendStageTests {
  let rig = ChainRig([.bend])

  func message(_ bend: Int, channel: UInt8 = 0) -> [UInt8] {
    [0xE0 | channel, UInt8((bend + 8192) & 127), UInt8((bend + 8192) >> 7)]
  }

  func bend(of message: [UInt8]?) -> Int? {
    message.flatMap { $0[0] & 0xF0 == 0xE0 ? Int($0[2]) << 7 + Int($0[1]) - 8192 : nil }
  }

  func statement(_ semitones: UInt8, _ cents: UInt8 = 0, _ status: UInt8 = 0xB0) -> [[UInt8]] {
    [[status, 101, 0], [status, 100, 0], [status, 38, cents], [status, 6, semitones]]
  }

  static let none: [[UInt8]] = [[0xB0, 101, 127], [0xB0, 100, 127]]

  @Test func changesNothingByDefault() {
    for value in stride(from: -8192, through: 8191, by: 13) {
      #expect(rig.midi(message(value)) == [message(value)])
    }
    let others: [[UInt8]] = [
      [0x90, 60, 5], [0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 2], [0xB0, 38, 0], [0xD0, 3],
    ]
    #expect(rig.process(others.map { .midi($0, at: 0) }) == others.map { .midi($0, at: 0) })
  }

  @Test(arguments: [(2, 12), (12, 2), (1, 2), (48, 12), (7, 24), (2, 1)])
  func bendsAreScaledAfterTheRangeIsSent(sender: Int, receiver: Int) {
    rig.setNow("bend.sender", Float(sender))
    rig.setNow("bend.receiver", Float(receiver))
    var output = rig.midi(message(100))
    if receiver != 2 {
      #expect(Array(output.dropLast()) == statement(UInt8(receiver)) + Self.none)
      output = [output.last!]
    }
    #expect(output.count == 1)
    for value in [-8192, -4096, -1, 0, 1, 1000, 8191] {
      let exact = Double(value) * Double(sender) / Double(receiver)
      let expected = Int(min(max(exact.rounded(), -8192), 8191))
      #expect(rig.midi(message(value)).map { bend(of: $0) } == [expected])
    }
  }

  @Test func aSendersOwnStatementIsItsRangeAndTheReceiverHearsItsOwn() {
    rig.setNow("bend.receiver", 24)
    #expect(rig.midi(message(0)).count == 7)
    #expect(
      rig.midi([0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 12], [0xB0, 38, 0])
        == [[0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 24], [0xB0, 38, 0]])
    #expect(rig.midi(message(4000)) == [message(2000)])
    #expect(rig.midi([0xB0, 96, 0], [0xB0, 97, 0]) == [])
    #expect(rig.midi([0xB0, 38, 50], message(4800)) == [[0xB0, 38, 0], message(2500)])
  }

  @Test func aSendersStatementCountsAlsoWhereTheRangesWereTheSame() {
    #expect(rig.midi(message(4000)) == [message(4000)])
    let range: [[UInt8]] = [[0xB0, 101, 0], [0xB0, 100, 0], [0xB0, 6, 1]]
    #expect(rig.midi(range[0], range[1], range[2]).last == [0xB0, 6, 2])
    #expect(rig.midi(message(4000)) == [message(2000)])
    #expect(rig.midi(message(4000, channel: 1)) == [message(4000, channel: 1)])
    // A reset clears the sender's range; so does a sender that states the receiver's range.
    #expect(rig.midi([0xFF], message(4000)) == [[0xFF], message(4000)])
    #expect(rig.midi(range[0], range[1], range[2], message(4000)).last == message(2000))
    #expect(rig.midi([0xB0, 6, 2], message(4000)) == [[0xB0, 6, 2], message(4000)])
  }

  @Test func aChangedRangeIsSentAgain() {
    rig.setNow("bend.receiver", 4)
    #expect(rig.midi(message(8000)).last == message(4000))
    rig.setNow("bend.receiver", 2)
    #expect(rig.midi(message(8000)) == statement(2) + Self.none + [message(8000)])
    #expect(rig.midi(message(8000)) == [message(8000)])
    rig.setNow("bend.receiver", 4)
    rig.setNow("bend.bypass", 1)
    #expect(rig.midi(message(8000)) == [message(8000)])
    rig.setNow("bend.bypass", 0)
    #expect(rig.midi(message(8000)).last == message(4000))
  }

  @Test func theParameterSelectedForDataEntryIsRestored() {
    #expect(rig.midi([0xB0, 99, 1], [0xB0, 98, 8]).count == 2)
    rig.setNow("bend.receiver", 12)
    #expect(
      rig.midi(message(6000))
        == statement(12) + [[0xB0, 99, 1], [0xB0, 98, 8], message(1000)])
    #expect(rig.midi([0xB0, 6, 77], message(0)) == [[0xB0, 6, 77], message(0)])
  }

  @Test func channelsAreTheirOwnAndCanBeLeftOut() {
    rig.setNow("bend.receiver", 4)
    rig.setNow("bend.channels.2", 0)
    #expect(rig.midi(message(8000, channel: 1)) == [message(8000, channel: 1)])
    #expect(rig.midi(message(8000, channel: 2)).last == message(4000, channel: 2))
    rig.setNow("bend.channels.3", 0)
    #expect(
      rig.midi(message(8000, channel: 2)).dropFirst(2).first == [0xB2, 38, 0])
    #expect(rig.midi(message(8000, channel: 2)) == [message(8000, channel: 2)])
  }

  @Test func theRangeIsSentAgainAfterAReset() {
    rig.setNow("bend.receiver", 4)
    #expect(rig.midi(message(8000)).count == 7)
    #expect(rig.midi([0xFF], message(8000)).count == 8)
    _ = rig.process([.sysex([0xF0, 0x7E, 0x7F, 9, 1, 0xF7], at: 0)])
    #expect(rig.midi(message(8000)).count == 7)
    rig.chain.reset()
    #expect(rig.midi(message(8000)).last == message(4000))
  }

  @Test func anEqualRangeIsSentOnAllChannelsAfterAReset() {
    rig.setNow("bend.sender", 12)
    rig.setNow("bend.receiver", 12)
    let resets = [
      { _ = rig.process([.sysex([0xF0, 0x7E, 0x7F, 9, 1, 0xF7], at: 0)]) },
      { rig.chain.reset() }, { _ = rig.midi([0xFF]) }, {},
    ]
    for reset in resets {
      for channel in 0..<16 as Range<UInt8> {
        #expect(rig.midi(message(80, channel: channel)).count == 7)
        #expect(rig.midi(message(90, channel: channel)) == [message(90, channel: channel)])
      }
      reset()
    }
    rig.setNow("bend.bypass", 1)
    #expect(rig.midi(message(90, channel: 9)).count == 7)
  }

  @Test func aRangeSetBetweenTwoBendsOfOneFrameIsSentBetweenThem() {
    let output = rig.process([
      .midi(message(6000), at: 7), rig.set("bend.receiver", 12, at: 7),
      .midi(message(6000), at: 7), .midi([0x90, 60, 1], at: 7),
    ])
    let told = (statement(12) + Self.none).map { TestEvent.midi($0, at: 7) }
    #expect(
      output == [.midi(message(6000), at: 7), rig.set("bend.receiver", 12, at: 7)] + told
        + [.midi(message(1000), at: 7), .midi([0x90, 60, 1], at: 7)])
  }

  @Test func withoutRoomForAStatementTheReceiversOwnRangeHolds() {
    let rig = ChainRig([.bend], capacity: 6)
    rig.setNow("bend.sender", 1)
    rig.setNow("bend.receiver", 12)
    #expect(rig.midi(message(8000)) == [message(4000)])
    rig.setNow("bend.receiver", 0)
    #expect(rig.midi(message(8000)) == [message(4000)])
  }
}
