// Taps of an engine's nodes.

public import RecorderUnit
public import UnitModel

extension Engine {
  /// Passes an output of a node to `handler`, in buffers of one exact size, until `removeTap`. A
  /// tap makes its chain active; an output may have several.
  ///
  /// - Parameters:
  ///   - bus: the output, from 0 on.
  ///   - bufferSize: 1 to 1,048,576 frames.
  ///   - handler: receives the buffers in order; see `TapHandler` for its thread.
  /// - Returns: the tap.
  /// - Throws: `notAttached`, `removed`, `noSuchBus`, `refused`.
  ///
  /// AUv3: `installTap(onBus:bufferSize:format:block:)`.
  /// - Thread: [control]
  @discardableResult
  public func installTap(
    on unit: AudioUnit, bus: Int = 0, bufferSize: Int, _ handler: @escaping TapHandler
  ) async throws(EngineError) -> TapUnit {
    let id = try id(of: unit)
    guard TapUnit.bufferSizes.contains(bufferSize) else {
      throw .refused(reason: "a tap's buffers have 1 to 1048576 frames, not \(bufferSize)")
    }
    let tap: TapUnit
    do { tap = try TapUnit(bufferFrames: bufferSize, handler) } catch {
      throw .refused(reason: "\(error)")
    }
    try attach(tap, id: freeTapID(id))
    do throws(EngineError) { try await connect(unit, bus: bus, adding: tap) } catch {
      try? await detach(tap)
      throw error
    }
    return tap
  }

  /// Removes a tap; its remaining frames are passed to the handler before this returns.
  ///
  /// - Throws: `notAttached`, `refused`.
  ///
  /// AUv3: `removeTap(onBus:)`.
  /// - Thread: [control]
  public func removeTap(_ tap: TapUnit) async throws(EngineError) { try await detach(tap) }

  private func freeTapID(_ id: String) -> String {
    let head = "\(id.prefix(52))-tap"
    return state.withLock { state in
      var name = head
      var number = 1
      while state.graph.node(name) != nil {
        number += 1
        name = "\(head)-\(number)"
      }
      return name
    }
  }
}
