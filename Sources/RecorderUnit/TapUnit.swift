// Listening to what goes through a graph.

import Foundation
public import Realtime
import Synchronization
public import UnitModel
import UnitRender

/// Frames of a bus, as a tap hands them over.
public struct TapBuffer: Sendable, Hashable {
  /// As many samples for each channel.
  public let channels: [[Float]]
  /// The frame time of the first frame.
  public let frame: FrameTime
  /// How many of its frames are silence, because nobody took those before for seconds, or because
  /// the server skipped them.
  public let lostFrames: Int
}

/// Receives the buffers of a tap, in order, on a thread of the tap's own, or on the one that ends
/// the tap or renders without a clock. No lock is held meanwhile, so it may ask the engine
/// anything.
public typealias TapHandler = @Sendable (TapBuffer) -> Void

/// Hands over what is connected to it, in buffers of exactly one size: a unit at the end of a
/// chain, without output.
///
/// What is heard goes on as it is. A handler that takes long delays the next buffers and nothing
/// else; more than ten seconds are lost, which is told, and the frames of the next are right.
///
/// AUv3: `installTap(onBus:bufferSize:format:block:)`.
public final class TapUnit: AudioUnit, @unchecked Sendable {
  public static let description = ComponentDescription(
    type: .effect, subtype: "tapb", manufacturer: "Aurc")

  /// The sizes that a buffer may have, in frames.
  public static let bufferSizes = 1...1_048_576

  private let worker: TapWorker

  /// - Parameters:
  ///   - bufferFrames: the frames of each buffer, 1 to 1,048,576.
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
  /// Hands over what makes whole buffers by now, without waiting for the tap's thread.
  ///
  /// - Thread: [control]
  public func handOver() { worker.drain() }

  /// Hands over all that has come. The last buffer has what is left, and may be shorter than the
  /// others.
  ///
  /// - Thread: [control]
  public func finish() { worker.finish() }
}
