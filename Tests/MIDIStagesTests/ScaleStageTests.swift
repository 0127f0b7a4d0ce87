// The scale stage's changes of keys; each note-off gets the key of its note-on.

import Testing

@Suite struct ScaleStageTests {
  let rig = ChainRig([.scale])

  /// The output key of a note's note-on and note-off; nil if the note is not sent.
  func key(_ key: UInt8, channel: UInt8 = 0) -> UInt8? {
    let output = rig.midi([0x90 | channel, key, 9], [0x80 | channel, key, 5])
    if output.isEmpty { return nil }
    let sent = output[0][1]
    #expect(output == [[0x90 | channel, sent, 9], [0x80 | channel, sent, 5]])
    return sent
  }

  @Test func changesNothingByDefault() {
    for note in UInt8(0)...127 { #expect(key(note) == note) }
  }

  static let steps: [[Int]] = [
    Array(0..<12), [0, 2, 4, 5, 7, 9, 11], [0, 2, 3, 5, 7, 8, 10], [0, 2, 3, 5, 7, 8, 11],
    [0, 2, 3, 5, 7, 9, 11], [0, 2, 3, 5, 7, 9, 10], [0, 1, 3, 5, 7, 8, 10], [0, 2, 4, 6, 7, 9, 11],
    [0, 2, 4, 5, 7, 9, 10], [0, 1, 3, 5, 6, 8, 10], [0, 2, 4, 7, 9], [0, 3, 5, 7, 10],
    [0, 3, 5, 6, 7, 10], [0, 2, 4, 6, 8, 10],
  ]

  @Test(arguments: steps.indices, [0, 1, 7, 11])
  func notesOutsideAScaleAreDroppedOnEveryRoot(scale: Int, root: Int) {
    rig.setNow("scale.mode", 3)
    rig.setNow("scale.scale", Float(scale))
    rig.setNow("scale.root", Float(root))
    for note in UInt8(0)...127 {
      let isInside = Self.steps[scale].contains((Int(note) + 12 - root) % 12)
      #expect(key(note) == (isInside ? note : nil))
    }
  }

  @Test func snapsToTheNearestKeyTheLowerOfTwo() {
    rig.setNow("scale.scale", 1)
    #expect(
      (60...72).map { key(UInt8($0)) } == [60, 60, 62, 62, 64, 65, 65, 67, 67, 69, 69, 71, 72])
    rig.setNow("scale.mode", 1)
    #expect(
      (60...72).map { key(UInt8($0)) } == [60, 62, 62, 64, 64, 65, 67, 67, 69, 69, 71, 71, 72])
    rig.setNow("scale.mode", 2)
    #expect(
      (60...72).map { key(UInt8($0)) } == [60, 60, 62, 62, 64, 65, 65, 67, 67, 69, 69, 71, 72])
  }

  @Test func aScaleOfOnesOwnAndItsEnds() {
    rig.setNow("scale.scale", 14)
    for degree in 2...12 { rig.setNow("scale.degrees.\(degree)", 0) }
    rig.setNow("scale.root", 9)
    #expect([0, 3, 69, 74, 75, 76, 127].map { key($0) } == [9, 9, 69, 69, 69, 81, 117])
    rig.setNow("scale.mode", 1)
    #expect([0, 117, 118].map { key($0) } == [9, 117, nil])
    rig.setNow("scale.mode", 2)
    #expect([8, 9, 127].map { key($0) } == [nil, 9, 117])
    rig.setNow("scale.degrees.1", 0)
    for mode in 0...3 {
      rig.setNow("scale.mode", Float(mode))
      #expect(key(69) == nil)
    }
  }

  @Test func notesKeepTheirKeysIfSettingsChange() {
    rig.setNow("scale.scale", 1)
    #expect(rig.midi([0x90, 61, 1], [0xA0, 61, 3]) == [[0x90, 60, 1], [0xA0, 60, 3]])
    rig.setNow("scale.root", 1)
    #expect(rig.midi([0xA0, 61, 3], [0x90, 61, 1]) == [[0xA0, 60, 3], [0x90, 61, 1]])
    rig.setNow("scale.mode", 3)
    #expect(rig.midi([0x80, 61, 1], [0x80, 61, 1]) == [[0x80, 61, 1], [0x80, 60, 1]])
    #expect(rig.midi([0x90, 62, 1]) == [])
    rig.setNow("scale.scale", 0)
    #expect(rig.midi([0xA0, 62, 1], [0x80, 62, 1]) == [])
  }

  @Test func otherChannelsAndMessagesPass() {
    rig.setNow("scale.scale", 1)
    rig.setNow("scale.channels.3", 0)
    #expect(key(61, channel: 2) == 61 && key(61, channel: 3) == 60)
    let others: [[UInt8]] = [[0xB0, 61, 5], [0xC0, 61], [0xE0, 61, 5], [0xF8]]
    #expect(rig.process(others.map { .midi($0, at: 0) }) == others.map { .midi($0, at: 0) })
  }
}
