// Serialises a SoundFont into the RIFF chunks of the SoundFont 2.01 specification.
import Foundation

extension SoundFontMaker {
  /// The file's bytes.
  public func bytes() -> [UInt8] { bytes(streams: nil) }

  /// - Parameter streams: the compressed samples in the order of `uniqueSamples`; nil stores plain
  ///   samples.
  func bytes(streams: [[UInt8]]?) -> [UInt8] {
    var info = ByteWriter()
    info.append(chunk("ifil", streams == nil ? [2, 0, 1, 0] : [3, 0, 1, 0]))
    info.append(chunk("isng", zeroTerminated("EMU8000")))
    info.append(chunk("INAM", zeroTerminated(name)))

    let samples = uniqueSamples()
    var file = ByteWriter()
    file.text("sfbk", count: 4)
    file.append(chunk("LIST", Array("INFO".utf8) + info.bytes))
    let data = streams?.flatMap(\.self) ?? sampleData(samples)
    file.append(chunk("LIST", Array("sdta".utf8) + chunk("smpl", data)))
    let headers = streams.map { sampleHeaders(samples, $0) } ?? sampleHeaders(samples)
    file.append(chunk("LIST", Array("pdta".utf8) + records(samples, headers)))
    return chunk("RIFF", file.bytes)
  }

  /// The file's bytes with `lists` in place of its own records, except those of its samples.
  func bytes(records lists: [(name: String, records: [UInt8])]) -> [UInt8] {
    let samples = uniqueSamples()
    var file = ByteWriter()
    file.text("sfbk", count: 4)
    file.append(chunk("LIST", Array("INFO".utf8) + chunk("ifil", [2, 0, 1, 0])))
    file.append(chunk("LIST", Array("sdta".utf8) + chunk("smpl", sampleData(samples))))
    let records = lists.flatMap { chunk($0.name, $0.records) }
    let headers = chunk("shdr", sampleHeaders(samples))
    file.append(chunk("LIST", Array("pdta".utf8) + records + headers))
    return chunk("RIFF", file.bytes)
  }

  /// Zeros after each sample, required by the specification.
  private static let gapFrames = 46

  func uniqueSamples() -> [Sample] {
    var seen: Set<Sample> = []
    return presets.flatMap(\.zones).map(\.sample).filter { seen.insert($0).inserted }
  }

  private func sampleData(_ samples: [Sample]) -> [UInt8] {
    var data = ByteWriter()
    for sample in samples {
      for frame in sample.frames {
        data.little(Int16((max(-1, min(1, frame)) * 32_767).rounded()))
      }
      data.append([UInt8](repeating: 0, count: 2 * Self.gapFrames))
    }
    return data.bytes
  }

  /// The nine record chunks; each list ends with a terminal record.
  private func records(_ samples: [Sample], _ headers: [UInt8]) -> [UInt8] {
    var phdr = ByteWriter()
    var inst = ByteWriter()
    var ibag = ByteWriter()
    var igen = ByteWriter()
    var pbag = ByteWriter()
    var pgen = ByteWriter()
    var pmod = ByteWriter()
    var imod = ByteWriter()
    var (generatorCount, modulatorCount, zoneCount) = (UInt16(0), UInt16(0), UInt16(0))
    var (presetGeneratorCount, presetModulatorCount) = (UInt16(0), UInt16(0))
    for (index, preset) in presets.enumerated() {
      header(&phdr, preset, bag: UInt16(index))
      pbag.little(presetGeneratorCount)
      pbag.little(presetModulatorCount)
      for generator in preset.generators + [(Generator.instrument, UInt16(index))] {
        pgen.little(generator.number)
        pgen.little(generator.amount)
        presetGeneratorCount += 1
      }
      for modulator in preset.modulators {
        put(modulator, &pmod)
        presetModulatorCount += 1
      }
      inst.text(String(preset.name.prefix(19)), count: 20)
      inst.little(zoneCount)
      for zone in preset.zones {
        ibag.little(generatorCount)
        ibag.little(modulatorCount)
        let generators = zone.generators(sampleIndex: samples.firstIndex(of: zone.sample) ?? 0)
        for generator in generators {
          igen.little(generator.number)
          igen.little(generator.amount)
        }
        for modulator in zone.modulators { put(modulator, &imod) }
        generatorCount += UInt16(generators.count)
        modulatorCount += UInt16(zone.modulators.count)
        zoneCount += 1
      }
    }
    header(&phdr, Preset(name: "EOP", zones: []), bag: UInt16(presets.count))
    pbag.little(presetGeneratorCount)
    pbag.little(presetModulatorCount)
    pgen.little(UInt32(0))
    inst.text("EOI", count: 20)
    inst.little(zoneCount)
    ibag.little(generatorCount)
    ibag.little(modulatorCount)
    igen.little(UInt32(0))
    let last = Modulator(source: 0, destination: 0, amount: 0)
    put(last, &pmod)
    put(last, &imod)
    return chunk("phdr", phdr.bytes) + chunk("pbag", pbag.bytes) + chunk("pmod", pmod.bytes)
      + chunk("pgen", pgen.bytes) + chunk("inst", inst.bytes) + chunk("ibag", ibag.bytes)
      + chunk("imod", imod.bytes) + chunk("igen", igen.bytes)
      + chunk("shdr", headers)
  }

  private func put(_ modulator: Modulator, _ list: inout ByteWriter) {
    list.little(modulator.source)
    list.little(modulator.destination)
    list.little(UInt16(bitPattern: modulator.amount))
    list.little(modulator.amountSource)
    list.little(modulator.transform)
  }

  private func header(_ phdr: inout ByteWriter, _ preset: Preset, bag: UInt16) {
    phdr.text(String(preset.name.prefix(19)), count: 20)
    phdr.little(preset.program)
    phdr.little(preset.bank)
    phdr.little(bag)
    phdr.append([UInt8](repeating: 0, count: 12))  // library, genre, morphology: reserved
  }

  private func sampleHeaders(_ samples: [Sample]) -> [UInt8] {
    var shdr = ByteWriter()
    var start = 0
    for sample in samples {
      let end = start + sample.frames.count
      header(&shdr, sample, start..<end, loopFrom: start, type: Self.mono)
      start = end + Self.gapFrames
    }
    return shdr.bytes + Self.lastSampleHeader
  }

  /// Headers of compressed samples: positions count bytes, loops from a sample's first frame.
  private func sampleHeaders(_ samples: [Sample], _ streams: [[UInt8]]) -> [UInt8] {
    var shdr = ByteWriter()
    var start = 0
    for (sample, stream) in zip(samples, streams) {
      let end = start + stream.count
      header(&shdr, sample, start..<end, loopFrom: 0, type: Self.mono | Self.vorbis)
      start = end
    }
    return shdr.bytes + Self.lastSampleHeader
  }

  private static let mono: UInt16 = 1
  private static let vorbis: UInt16 = 16

  private static var lastSampleHeader: [UInt8] {
    var shdr = ByteWriter()
    shdr.text("EOS", count: 20)
    return shdr.bytes + [UInt8](repeating: 0, count: 26)
  }

  private func header(
    _ shdr: inout ByteWriter, _ sample: Sample, _ place: Range<Int>, loopFrom start: Int,
    type: UInt16
  ) {
    let loop = sample.loop ?? 0..<sample.frames.count
    shdr.text(String(sample.name.prefix(19)), count: 20)
    shdr.little(UInt32(place.lowerBound))
    shdr.little(UInt32(place.upperBound))
    shdr.little(UInt32(start + loop.lowerBound))
    shdr.little(UInt32(start + loop.upperBound))
    shdr.little(sample.sampleRate)
    shdr.append([sample.rootKey, UInt8(bitPattern: sample.correctionCents)])
    shdr.little(UInt16(0))  // no linked sample
    shdr.little(type)
  }

  private func chunk(_ identifier: String, _ content: [UInt8]) -> [UInt8] {
    var chunk = ByteWriter()
    chunk.text(identifier, count: 4)
    chunk.little(UInt32(content.count))
    chunk.append(content)
    if content.count % 2 == 1 { chunk.append([0]) }
    return chunk.bytes
  }

  /// Text with one or two zeros at its end, so that the length is even.
  private func zeroTerminated(_ text: String) -> [UInt8] {
    let bytes = Array(text.utf8)
    return bytes + [UInt8](repeating: 0, count: 2 - bytes.count % 2)
  }
}
