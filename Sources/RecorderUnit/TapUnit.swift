// Taps of signals in a graph.

public import Realtime
import Synchronization
public import UnitModel
import UnitRender

/// Frames of a bus, as delivered by a tap.
public struct TapBuffer: Sendable, Hashable {
  /// Samples by channel, the same count for each.
  public let channels: [[Float]]
  /// The frame time of the first frame.
  public let frame: FrameTime
  /// Count of its frames that are silence, because the handler was seconds late or the server
  /// skipped them.
  public let lostFrames: Int
}

/// Receives the buffers of a tap, in order. Called on the tap's own thread, or on the thread that
/// ends the tap or renders without a clock. No lock is held during the call, so it may call the
/// engine.
public typealias TapHandler = @Sendable (TapBuffer) -> Void

/// Delivers its input in buffers of a fixed size: a unit at the end of a chain, without output.
///
/// The tapped signal is unchanged. A slow handler delays the next buffers and nothing else. If it
/// is more than ten seconds late, frames are lost and counted; frame times of later buffers are
/// right.
///
/// AUv3: `installTap(onBus:bufferSize:format:block:)`.
public final class TapUnit: AudioUnit, @unchecked Sendable {
  public static let description = ComponentDescription(
    type: .effect, subtype: "tapb", manufacturer: "Aurc")

  /// Range of buffer sizes, in frames.
  public static let bufferSizes = 1...1_048_576

  private let worker: TapWorker

  /// - Parameters:
  ///   - bufferFrames: frame count of each buffer, 1 to 1,048,576.
  /// - Throws: `AudioUnitError.failed` for another number of frames.
  /// - Thread: [control]
  public init(bufferFrames: Int, _ handler: @escaping TapHandler) throws {
    guard Self.bufferSizes.contains(bufferFrames) else {
      throw AudioUnitError.failed(
        "a tap hands over buffers of 1 to 1048576 frames, not of \(bufferFrames)")
    }
    worker = TapWorker(bufferFrames: bufferFrames, handler)
    try super.init(
      componentDescription: Self.description,
      inputBusses: BusArray(.input, [Bus(.input, name: "Input")]),
      parameterTree: ParameterTree(children: []))
  }

  deinit { worker.close() }

  public override var channelCapabilities: [ChannelCapability]? { [.any] }

  public override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    let bus = inputBusses[0].format
    let line = try CaptureRing(
      channelCount: bus.channelCount,
      frames: max(Int(RecorderUnit.bufferSeconds * bus.sampleRate), 2 * worker.bufferFrames))
    worker.begin(line)
    return RenderResources(TapKernel(line), for: self, render: tapRender, reset: tapReset)
  }
}

extension TapUnit: Finishing {
  /// Delivers the complete buffers, without waiting for the tap's thread.
  ///
  /// - Thread: [control]
  public func handOver() { worker.drain() }

  /// Delivers all captured frames. The last buffer may be shorter than the others.
  ///
  /// - Thread: [control]
  public func finish() { worker.finish() }
}
