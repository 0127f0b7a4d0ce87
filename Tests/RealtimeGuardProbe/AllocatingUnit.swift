// A unit that breaks a rule on the render thread, hidden from the compiler's checks.

import CTestSupport
import Foundation
import Realtime
import UnitModel
import UnitRender

/// Calls that no kernel may make, vouched to the compiler by a false promise.
enum FalselyVouched {
  @_semantics("no_performance_analysis") @inline(never)
  static func allocate(_ bytes: Int) {
    rigAllocate(bytes)
  }

  @_semantics("no_performance_analysis") @inline(never)
  static func makeSystemCall() { rigMakeSystemCall() }

  @_semantics("no_performance_analysis") @inline(never)
  static func restrictThread() { if rigRestrictThread() != 0 { abort() } }
}

/// The unit's behaviour.
struct Conduct {
  /// The number of bytes allocated in each call.
  var bytes = 0
  var makesSystemCalls = false
  /// Whether the system ends the process at the thread's first system call that JACK does not need.
  var restrictsThread = false
}

struct AllocatingKernel: RenderKernel, ~Copyable {
  var conduct: Conduct

  @_noLocks @_noAllocation
  mutating func handle(
    _ event: UnsafeMutablePointer<RenderEvent>, in list: RenderEventList, _ call: RenderCallView
  ) {}

  @_noLocks @_noAllocation
  mutating func render(_ slice: RenderSlice) {
    if conduct.restrictsThread {
      conduct.restrictsThread = false
      FalselyVouched.restrictThread()
    }
    if conduct.bytes > 0 { FalselyVouched.allocate(conduct.bytes) }
    if conduct.makesSystemCalls { FalselyVouched.makeSystemCall() }
    Samples.clear(slice.output(channel: 0), count: slice.frameCount)
  }

  @_noLocks @_noAllocation
  mutating func reset() {}
}

@_noLocks @_noAllocation
func allocatingRender(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  driveKernel(AllocatingKernel.self, context, call)
}

@_noLocks @_noAllocation
func allocatingReset(_ context: UnsafeMutableRawPointer) {
  resetKernel(AllocatingKernel.self, context)
}

final class AllocatingUnit: AudioUnit, @unchecked Sendable {
  private let conduct: Conduct

  init(_ conduct: Conduct) throws {
    self.conduct = conduct
    super.init(
      componentDescription: ComponentDescription(
        type: .generator, subtype: "allo", manufacturer: "Test"),
      outputBusses: BusArray(.output, [try Bus(.output)]),
      parameterTree: try ParameterTree(children: []))
  }

  override func makeRenderResources() throws(AudioUnitError) -> RenderResources {
    RenderResources(
      AllocatingKernel(conduct: conduct), for: self, render: allocatingRender,
      reset: allocatingReset)
  }
}
