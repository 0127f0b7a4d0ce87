// Encoders, each for some file formats.

import CSndFile

/// An encoder that writes converted samples to a file. The sink keeps errors of writing.
protocol AudioEncoder: AnyObject {
  /// Appends `count` frames from the start of a converter's samples.
  ///
  /// - Returns: the reason of a failure that the sink does not have; nil if all frames were
  ///   written.
  func write(_ samples: SampleConverter, _ count: Int) -> String?

  /// Makes all but the last few thousand frames readable by others. Called in recordings only, at
  /// least once for each second of sound.
  func refresh()

  /// Completes the file. Called once, as the last call.
  ///
  /// - Returns: the reason of a failure that the sink does not have; nil on success.
  func close() -> String?
}

/// An encoder for all formats except Ogg Vorbis, by libsndfile.
final class SndFileEncoder: AudioEncoder {
  private let handle: OpaquePointer
  private let format: AudioFileFormat
  private let sink: AudioFileSink
  /// The bytes of one second.
  private let bytesAhead: Int

  /// - Parameter sink: has to outlive the encoder.
  /// - Returns: nil if the format lacks the rate or channel count, or if the sink fails.
  init?(_ sink: AudioFileSink, _ format: AudioFileFormat, sampleRate: Int32, channelCount: Int32) {
    var info = SF_INFO()
    info.samplerate = sampleRate
    info.channels = channelCount
    info.format = format.number
    guard sf_format_check(&info) != 0, let handle = sink.open(&info) else { return nil }
    self.handle = handle
    self.format = format
    self.sink = sink
    bytesAhead = Int(sampleRate) * Int(channelCount) * (format.bytesPerSample ?? 0)
    // An ordinary WAV header if the size allows it. RF64 has no PEAK chunk, which holds the time of
    // writing, so the same audio gives the same bytes. (Told to omit it, libsndfile 1.2 adds it.)
    sf_command(handle, Int32(SFC_RF64_AUTO_DOWNGRADE), nil, 1)
    if format.container == .aiff || format.container == .caf {
      sf_command(handle, Int32(SFC_SET_ADD_PEAK_CHUNK), nil, 0)
    }
  }

  func write(_ samples: SampleConverter, _ count: Int) -> String? {
    let written =
      format.integerBits == nil
      ? sf_writef_float(handle, samples.floats, sf_count_t(count))
      : sf_writef_int(handle, samples.integers, sf_count_t(count))
    return written == count ? nil : String(cString: sf_strerror(handle))
  }

  func refresh() {
    // A FLAC header has no length until the end; its blocks are written when full.
    if format.container == .flac { return }
    // Readers of W64 take bytes after its samples for more chunks, and refuse the file. They accept
    // a header that claims more bytes than the file has.
    if format.container == .w64 { sink.claimedBytes = bytesAhead }
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    sink.claimedBytes = 0
  }

  func close() -> String? {
    let status = sf_close(handle)
    // libsndfile has no text for the numbers of some formats, and reports that on standard output.
    if status == 0 { return nil }
    return status > 0 ? String(cString: sf_error_number(status)) : "it cannot be closed"
  }
}
