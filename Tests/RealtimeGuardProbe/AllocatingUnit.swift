// A unit that allocates on the render thread, past the compiler's checks.

import Foundation
import Realtime
import UnitModel
import UnitRender

/// What no kernel may do: a false promise to the compiler.
enum FalselyVouched {
  @_semantics("no_performance_analysis") @inline(never)
  static func allocate(_ bytes: Int) {
    free(malloc(bytes))
  }
}

struct AllocatingKernel: RenderKernel, ~Copyable {
  let bytes: Int

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    if bytes > 0 { FalselyVouched.allocate(bytes) }
    Samples.clear(slice.output(channel: 0), count: slice.frameCount)
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func allocatingRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>,
  _ host: UnsafePointer<RenderHost>
) -> Int32 {
  driveKernel(AllocatingKernel.self, context, call, host)
}

@_noLocks @_noAllocation
func allocatingReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(AllocatingKernel.self, context)
}

final class AllocatingUnit: AudioUnit, @unchecked Sendable {
  private let bytes: Int

  init(isBehaved: Bool) throws {
    bytes = isBehaved ? 0 : 64
    super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "allo", manufacturer: "Test"),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      AllocatingKernel(bytes: bytes), for: self, render: allocatingRender, reset: allocatingReset)
  }
}
