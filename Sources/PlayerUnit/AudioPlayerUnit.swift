// An audio file as a unit.

public import FoundationEssentials
import MediaFiles
public import UnitModel
import UnitRender

/// Plays an audio file on an output bus with the file's channel count. Samples are unchanged, or
/// converted to the host's sample rate.
///
/// `end` fades it out within 20 ms.
public final class AudioPlayerUnit: PlayerUnit, @unchecked Sendable {
  private let clip: AudioClip
  private let maximumBytes: Int
  /// The clip at the host's sample rate, while a kernel exists.
  private var played: AudioClip

  /// Reads the whole file.
  ///
  /// - Parameter maximumBytes: limit for the samples' memory, also after conversion to the host's
  ///   sample rate.
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
  /// Memory of the file's samples, at its own sample rate and at the host's.
  public var heldMemory: [HeldMemory] {
    [HeldMemory(.sounds, byteCount: [clip, played].byteCount)]
  }
}
