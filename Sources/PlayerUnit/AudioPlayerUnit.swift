// An audio file as a unit.

public import Foundation
import MediaFiles
public import UnitModel
import UnitRender

/// Plays an audio file: its samples as they are, on an output bus with its channels.
///
/// It plays at the file's sample rate alone. Ended early, it fades out within 20 ms.
public final class AudioPlayerUnit: PlayerUnit, @unchecked Sendable {
  /// The most memory that the samples of a file may take: 46 minutes of stereo at 48 kHz.
  public static let maximumBytes = 1 << 30

  private let samples: PlayedSamples
  /// In hertz.
  private let fileRate: Double

  /// Reads a file whole.
  ///
  /// - Thread: [control]
  public init(
    contentsOf url: URL, maximumBytes: Int = AudioPlayerUnit.maximumBytes
  ) throws(PlayerError) {
    let name = url.relativePath
    let reader: AudioFileReader
    do throws(AudioFileError) { reader = try AudioFileReader(contentsOf: url) } catch {
      throw .audio(error)
    }
    samples = try PlayedSamples(reader, name, maximumBytes: maximumBytes)
    fileRate = reader.sampleRate
    do {
      let channels = samples.channelCount
      let bus = try Bus(
        .output, format: AudioFormat(sampleRate: fileRate, channelCount: channels), name: "Output",
        supportedChannelCounts: [channels], maximumChannelCount: channels)
      try super.init(
        description: ComponentDescription(type: .generator, subtype: "aply", manufacturer: "Aurc"),
        outputBusses: BusArray(.output, [bus]), file: name,
        durationSeconds: Double(samples.frameCount) / fileRate)
    } catch {
      samples.deallocate()
      throw .failed("\(name): \(error)")
    }
  }

  deinit { samples.deallocate() }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let sampleRate = sampleRate
    guard sampleRate == fileRate else {
      let (has, wanted) = (Int(fileRate), Int(sampleRate))
      throw .failed(
        "\(file) has \(has) Hz, the JACK server \(wanted) Hz: start the server at \(has) Hz, or"
          + " resample the file (sox \(file) -r \(wanted) resampled.wav)")
    }
    _ = resume(at: sampleRate)
    return RenderResources(
      AudioPlayerKernel(samples, words, values: parameterValues, sampleRate: sampleRate),
      for: self, render: audioPlayerRender, reset: audioPlayerReset)
  }
}
