// Writes SF3: SoundFonts with Ogg Vorbis samples.
import CSndFile
import Foundation

extension SoundFontMaker {
  /// Writes the file as SF3, and returns its address for convenience.
  @discardableResult
  public func writeCompressed(to url: URL) throws -> URL {
    let directory = try TemporaryDirectory()
    let streams = try uniqueSamples().map { try Self.vorbis($0, in: directory) }
    try Data(bytes(streams: streams)).write(to: url)
    return url
  }

  /// A sample as an Ogg Vorbis stream.
  private static func vorbis(_ sample: Sample, in directory: TemporaryDirectory) throws -> [UInt8] {
    let url = directory.file("sample.ogg")
    var info = SF_INFO()
    info.samplerate = Int32(sample.sampleRate)
    info.channels = 1
    info.format = Int32(SF_FORMAT_OGG | SF_FORMAT_VORBIS)
    guard let file = sf_open(url.path, Int32(SFM_WRITE), &info) else {
      throw RigError.cannotCompress(sample.name)
    }
    // The encoder keeps all frames of one call on its stack.
    for start in stride(from: 0, to: sample.frames.count, by: 4096) {
      let frames = Array(sample.frames[start..<min(start + 4096, sample.frames.count)])
      guard sf_writef_float(file, frames, Int64(frames.count)) == Int64(frames.count) else {
        throw RigError.cannotCompress(sample.name)
      }
    }
    sf_close(file)
    return Array(try Data(contentsOf: url))
  }
}
