// Levels and spectra as JSON.

import SessionModel

extension NoticeText {
  init(_ reading: MeterReading) {
    add("{\"meters\":{\"frame\":\(reading.frame),\"frames\":\(reading.frames),\"units\":{")
    add(reading.units) { notice, unit in
      // Ids have letters, digits, hyphens and underscores only.
      notice.add("\"\(unit.key)\":{\"inputs\":")
      notice.add(unit.value.inputs)
      notice.add(",\"latency\":\(unit.value.latency),\"outputs\":")
      notice.add(unit.value.outputs)
      if let reduction = unit.value.reduction {
        notice.add(",\"reduction\":")
        notice.add(reduction)
      }
      notice.add("}")
    }
    add("}}}")
  }

  init(_ reading: SpectrumReading) {
    add("{\"spectra\":{\"frame\":\(reading.frame),\"units\":{")
    add(reading.units) { notice, unit in
      notice.add("\"\(unit.key)\":{\"levels\":")
      notice.add(unit.value.levels)
      notice.add(",\"loudness\":{\"integrated\":")
      notice.add(unit.value.loudness.integrated)
      notice.add(",\"momentary\":")
      notice.add(unit.value.loudness.momentary)
      notice.add(",\"shortTerm\":")
      notice.add(unit.value.loudness.shortTerm)
      notice.add("},\"rms\":")
      notice.add(unit.value.rms)
      if let wave = unit.value.wave { notice.add(wave) }
      notice.add("}")
    }
    add("}}}")
  }

  private mutating func add(_ wave: SpectrumReading.Wave) {
    add(",\"wave\":{\"left\":[")
    add(wave.left) { $0.add("\($1)") }
    add("],\"peak\":")
    add(wave.peak)
    add(",\"right\":[")
    add(wave.right) { $0.add("\($1)") }
    add("],\"sampleRate\":")
    add(wave.sampleRate)
    add("}")
  }

  private mutating func add(_ levels: [[Float]]) {
    add("[")
    add(levels) { $0.add($1) }
    add("]")
  }
}
