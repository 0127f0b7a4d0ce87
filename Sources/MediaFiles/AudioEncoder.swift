// Writers of one kind of file each.

import CSndFile

/// Puts converted samples into a file. The sink remembers the errors of writing.
protocol AudioEncoder: AnyObject {
  /// Appends frames from the beginning of a converter's samples.
  ///
  /// - Returns: why that failed, as far as the sink does not know; nil if all were taken.
  func write(_ samples: SampleConverter, _ count: Int) -> String?

  /// Brings the file to a state in which others read all but some thousand frames of it. Called at
  /// least once for each second of sound, and as many frames may follow without it.
  func refresh()

  /// Completes the file. Once, and last.
  ///
  /// - Returns: why that failed, as far as the sink does not know; nil if it did not.
  func close() -> String?
}

/// All formats but Ogg Vorbis, by libsndfile.
final class SndFileEncoder: AudioEncoder {
  private let handle: OpaquePointer
  private let format: AudioFileFormat
  private let sink: AudioFileSink
  /// The bytes of a second.
  private let bytesAhead: Int

  /// - Parameter sink: which outlives it.
  /// - Returns: nil if the format does not have the rate or the channels, or by the sink's error.
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
    // An ordinary WAV header where that suffices. RF64 has no PEAK chunk, which holds the time of
    // writing: the same audio gives the same bytes. (Asked to leave it out, libsndfile 1.2 adds
    // it.)
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
    // A FLAC header has no length until the end; its blocks are written as they are full.
    if format.container == .flac { return }
    // Readers of W64 take what lies behind its samples for more chunks, and refuse the file. They
    // bear a header that claims more than there is.
    if format.container == .w64 { sink.claimedBytes = bytesAhead }
    sf_command(handle, Int32(SFC_UPDATE_HEADER_NOW), nil, 0)
    sink.claimedBytes = 0
  }

  func close() -> String? {
    let status = sf_close(handle)
    // Some formats close with a number that libsndfile has no text for, and says so on standard
    // output.
    if status == 0 { return nil }
    return status > 0 ? String(cString: sf_error_number(status)) : "it cannot be closed"
  }
}
