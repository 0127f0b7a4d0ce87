// Writing of a SoundFont's records.

extension SoundFontTree {
  /// Returns the nine lists of records.
  ///
  /// - Parameter lead: count of frames put before all samples.
  /// - Throws: `SoundFontError.tooLarge`.
  func bytes(leadFrames lead: Int) throws(SoundFontError) -> [UInt8] {
    let samples = self.samples.flatMap { $0.bytes(leadFrames: lead) }
    return try lists(presets, .phdr, (.pbag, .pgen, .pmod), GeneratorNumber.instrument)
      + lists(instruments, .inst, (.ibag, .igen, .imod), GeneratorNumber.sample)
      + chunk(.shdr, samples + [UInt8](repeating: 0, count: 46))
  }

  private func lists(
    _ owners: [Owner], _ list: SoundFontRecords.List, _ lists: SoundFontRecords.ZoneLists,
    _ target: UInt16
  ) throws(SoundFontError) -> [UInt8] {
    var (heads, bags, generators, modulators) = ([UInt8](), [UInt8](), [UInt8](), [UInt8]())
    func put(_ values: [UInt16], _ bytes: inout [UInt8]) {
      for value in values {
        bytes.append(UInt8(truncatingIfNeeded: value))
        bytes.append(UInt8(truncatingIfNeeded: value >> 8))
      }
    }
    func number(_ bytes: [UInt8], _ size: Int) throws(SoundFontError) -> UInt16 {
      guard let number = UInt16(exactly: bytes.count / size) else {
        throw .tooLarge(
          path: path, reason: "more than \(UInt16.max) generators, modulators or zones")
      }
      return number
    }
    for owner in owners {
      heads += owner.head
      try put([number(bags, 4)], &heads)
      heads += owner.rest
      for zone in owner.zones {
        try put([number(generators, 4), number(modulators, 10)], &bags)
        for generator in zone.generators { put([generator.number, generator.amount], &generators) }
        if let index = zone.target { put([target, UInt16(index)], &generators) }
        for modulator in zone.modulators { put(modulator.words, &modulators) }
      }
    }
    let headSize = list.size
    let last = [UInt8](repeating: 0, count: headSize)
    let place = owners.first?.head.count ?? (list == .phdr ? 24 : 20)
    heads += last.prefix(place)
    try put([number(bags, 4)], &heads)
    heads += last.prefix(headSize - place - 2)
    try put([number(generators, 4), number(modulators, 10)], &bags)
    put([0, 0], &generators)
    put([0, 0, 0, 0, 0], &modulators)
    let (first, second) = (
      chunk(list, heads), chunk(lists.bags, bags)
    )
    return first + second + chunk(lists.modulators, modulators)
      + chunk(lists.generators, generators)
  }
}

private func chunk(_ list: SoundFontRecords.List, _ content: [UInt8]) -> [UInt8] {
  SoundFontLayout.chunk(list.rawValue, content)
}

extension SoundFontZone.Modulator {
  fileprivate var words: [UInt16] {
    [source, destination, UInt16(bitPattern: amount), amountSource, transform]
  }
}

extension SoundFontTree.Sample {
  /// The record with its positions moved; a sample that is not to be played is marked as in ROM.
  fileprivate func bytes(leadFrames lead: Int) -> [UInt8] {
    var moved = bytes
    if !isPlayable { moved[45] |= 0x80 }
    if lead == 0 { return moved }
    for (place, value) in [(20, start), (24, end), (28, loopStart), (32, loopEnd)] {
      let value = min(value + lead, Int(UInt32.max))
      for byte in 0..<4 { moved[place + byte] = UInt8(value >> (8 * byte) & 0xFF) }
    }
    return moved
  }
}
