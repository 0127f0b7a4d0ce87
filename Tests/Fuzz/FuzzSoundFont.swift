// A SoundFont is refused, or loads and plays without a fault.

import Foundation
import SamplerUnit
import UnitHost
import UnitModel

/// The path of the file of each input, in memory if /dev/shm exists.
private let path: String = {
  let folder = FileManager.default.fileExists(atPath: "/dev/shm") ? "/dev/shm" : "/tmp"
  return "\(folder)/auricle-fuzz-\(ProcessInfo.processInfo.processIdentifier).sf2"
}()

@Sendable func fuzzSoundFont(_ bytes: UnsafeRawBufferPointer) {
  try! Data(bytes).write(to: URL(fileURLWithPath: path))
  defer { unlink(path) }
  let unit = try! SamplerUnit()
  try! unit.parameterTree.parameter(keyPath: "synths")?.setValue(2)
  try! unit.parameterTree.parameter(keyPath: "polyphony")?.setValue(32)
  guard load(unit) else { return }
  try! unit.setMaximumFramesToRender(256)
  try! unit.allocateRenderResources()
  let host = try! DirectHost(unit)
  for (program, key): (UInt8, UInt8) in [(0, 60), (1, 0), (2, 127)] {
    let output = try? host.render(
      256,
      midi: [
        .init([0xC0, program]), .init([0xB0, 1, 127]), .init([0xE0, 127, 127]),
        .init([0xD0, 127]), .init([0x90, key, 127]), .init(offset: 9, [0x99, key, 1]),
        .init(offset: 200, [0x80, key, 0]),
      ])
    precondition(output?.joined().joined().allSatisfy(\.isFinite) ?? true)
  }
}

private func load(_ unit: SamplerUnit) -> Bool {
  let result = LoadResult()
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    result.isLoaded = (try? await unit.load(soundFont: URL(fileURLWithPath: path))) != nil
    done.signal()
  }
  done.wait()
  return result.isLoaded
}

/// The result of loading, written before the semaphore is signalled and read after that.
private final class LoadResult: @unchecked Sendable {
  var isLoaded = false
}
