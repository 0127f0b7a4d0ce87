// The tap's kernel.

import UnitRender

/// Captures all of its input.
struct TapKernel: RenderKernel, ~Copyable {
  private var writer: CaptureWriter

  /// - Parameter line: must outlive the kernel.
  /// - Thread: [control]
  init(_ line: CaptureRing) { writer = CaptureWriter(line) }

  @_noLocks @_noAllocation
  static func handlesBypass() -> Bool { true }

  @_noLocks @_noAllocation
  mutating func begin(_ call: RenderCallView) {
    if !writer.isCapturing { writer.begin(at: call.call.pointee.frame) }
  }

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) { writer.capture(slice) }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func tapRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(TapKernel.self, context, call)
}

@_noLocks @_noAllocation
func tapReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(TapKernel.self, context)
}
