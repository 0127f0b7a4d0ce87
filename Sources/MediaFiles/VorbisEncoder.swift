// Ogg Vorbis, by libvorbisenc.

import CVorbis

/// An encoder of Vorbis in an Ogg stream, with quality 6 of 10.
///
/// libsndfile fills whole pages, up to five seconds of quiet audio, and starts another stream if
/// asked for smaller ones. Here `refresh` ends a page.
final class VorbisEncoder: AudioEncoder {
  private let sink: AudioFileSink
  private let channelCount: Int
  private let info: UnsafeMutablePointer<vorbis_info>
  private let state: UnsafeMutablePointer<vorbis_dsp_state>
  private let block: UnsafeMutablePointer<vorbis_block>
  private let stream: UnsafeMutablePointer<ogg_stream_state>
  private var isOpen = true
  private var hasAudioPage = false

  /// - Parameter sink: has to outlive the encoder.
  /// - Returns: nil if Vorbis does not support the rate or channel count.
  init?(_ sink: AudioFileSink, sampleRate: Int32, channelCount: Int32) {
    self.sink = sink
    self.channelCount = Int(channelCount)
    info = .allocate(capacity: 1)
    state = .allocate(capacity: 1)
    block = .allocate(capacity: 1)
    stream = .allocate(capacity: 1)
    vorbis_info_init(info)
    guard (1...255).contains(channelCount),
      vorbis_encode_init_vbr(info, Int(channelCount), Int(sampleRate), 0.6) == 0
    else {
      vorbis_info_clear(info)
      isOpen = false
      return nil
    }
    vorbis_analysis_init(state, info)
    vorbis_block_init(state, block)
    // One stream a file; the same audio gives the same bytes.
    ogg_stream_init(stream, 1)
    writeHeader()
  }

  deinit {
    clear()
    info.deallocate()
    state.deallocate()
    block.deallocate()
    stream.deallocate()
  }

  private func writeHeader() {
    var comment = vorbis_comment()
    vorbis_comment_init(&comment)
    defer { vorbis_comment_clear(&comment) }
    var (first, second, third) = (ogg_packet(), ogg_packet(), ogg_packet())
    vorbis_analysis_headerout(state, &comment, &first, &second, &third)
    ogg_stream_packetin(stream, &first)
    ogg_stream_packetin(stream, &second)
    ogg_stream_packetin(stream, &third)
    // Audio begins on a new page.
    refresh()
  }

  func write(_ samples: SampleConverter, _ count: Int) -> String? {
    guard count > 0 else { return nil }
    let buffers = vorbis_analysis_buffer(state, Int32(count))!
    for channel in 0..<channelCount {
      let buffer = buffers[channel]!
      for frame in 0..<count {
        let sample = samples.floats[frame * channelCount + channel]
        buffer[frame] = sample.isNaN ? 0 : max(-1, min(1, sample))
      }
    }
    vorbis_analysis_wrote(state, Int32(count))
    encode()
    return nil
  }

  func refresh() {
    var page = ogg_page()
    while ogg_stream_flush(stream, &page) != 0 { write(page) }
  }

  func close() -> String? {
    vorbis_analysis_wrote(state, 0)
    encode()
    refresh()
    clear()
    return nil
  }

  private func encode() {
    while vorbis_analysis_blockout(state, block) == 1 {
      vorbis_analysis(block, nil)
      vorbis_bitrate_addblock(block)
      var packet = ogg_packet()
      while vorbis_bitrate_flushpacket(state, &packet) != 0 {
        ogg_stream_packetin(stream, &packet)
        // An end on the first page of audio is ambiguous: some readers cut the beginning.
        if !hasAudioPage, packet.granulepos > 0 {
          hasAudioPage = true
          refresh()
        }
        var page = ogg_page()
        while ogg_stream_pageout(stream, &page) != 0 { write(page) }
      }
    }
  }

  private func write(_ page: ogg_page) {
    _ = sink.write(page.header, page.header_len)
    _ = sink.write(page.body, page.body_len)
  }

  private func clear() {
    guard isOpen else { return }
    isOpen = false
    ogg_stream_clear(stream)
    vorbis_block_clear(block)
    vorbis_dsp_clear(state)
    vorbis_info_clear(info)
  }
}
