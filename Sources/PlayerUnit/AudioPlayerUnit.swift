// An audio file as a unit.

public import Foundation
import MediaFiles
public import UnitModel
import UnitRender

/// Plays an audio file on an output bus with its channels: its samples as they are, or converted to
/// the host's sample rate.
///
/// Ended early, it fades out within 20 ms.
public final class AudioPlayerUnit: PlayerUnit, @unchecked Sendable {
  private let clip: AudioClip
  private let maximumBytes: Int
  /// The clip at the host's sample rate, as long as there is a kernel.
  private var played: AudioClip

  /// Reads a file whole.
  ///
  /// - Parameter maximumBytes: how much memory its samples may take, at the host's sample rate too.
  /// - Thread: [control]
  public init(
    contentsOf url: URL, maximumBytes: Int = AudioClip.maximumBytes
  ) throws(PlayerError) {
    do throws(AudioClipError) {
      clip = try AudioClip(contentsOf: url, maximumBytes: maximumBytes)
    } catch { throw .clip(error) }
    played = clip
    self.maximumBytes = maximumBytes
    let name = url.relativePath
    do {
      let channels = clip.channelCount
      let bus = try Bus(
        .output, format: AudioFormat(sampleRate: clip.sampleRate, channelCount: channels),
        name: "Output", supportedChannelCounts: [channels], maximumChannelCount: channels)
      try super.init(
        description: ComponentDescription(type: .generator, subtype: "aply", manufacturer: "Aurc"),
        outputBusses: BusArray(.output, [bus]), file: name,
        durationSeconds: Double(clip.frameCount) / clip.sampleRate)
    } catch { throw .failed("\(name): \(error)") }
  }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let sampleRate = sampleRate
    do throws(AudioClipError) {
      played = try clip.converted(
        to: sampleRate, name: file, maximumBytes: maximumBytes)
    } catch { throw .failed(error.description) }
    _ = resume(at: sampleRate)
    return RenderResources(
      AudioPlayerKernel(played, words, values: parameterValues, sampleRate: sampleRate),
      for: self, render: audioPlayerRender, reset: audioPlayerReset)
  }
}

extension AudioPlayerUnit: MemoryHolding {
  /// The file, at its own sample rate and at the host's.
  public var heldMemory: [HeldMemory] {
    [HeldMemory(.sounds, byteCount: [clip, played].byteCount)]
  }
}
