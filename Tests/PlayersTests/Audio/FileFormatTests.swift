// Formats of files and clips, for connections.

import MediaFiles
import Players
import TestSupport
import Testing
import UnitModel

@Suite struct FileFormatTests {
  @Test(arguments: [(44_100.0, 1), (96_000.0, 6)])
  func aFileAndItsClipHaveTheFormatOfABus(rate: Double, channels: Int) throws {
    let directory = try TemporaryDirectory()
    let url = directory.url.appendingPathComponent("a.wav")
    let writer = try AudioFileWriter(url: url, sampleRate: rate, channelCount: channels)
    try writer.finish()
    let expected = try AudioFormat(sampleRate: rate, channelCount: channels)
    #expect(try AudioFileReader(contentsOf: url).processingFormat == expected)
    let clip = try AudioClip(
      Array(repeating: [0, 0, 0], count: channels), sampleRate: rate)
    #expect(try clip.format == expected)
  }

  @Test func aRateThatNoBusHasIsRefused() throws {
    let clip = try AudioClip([[0]], sampleRate: 100)
    #expect(throws: BusError.sampleRateOutOfRange(100)) { try clip.format }
  }
}
