// The side of a validation that has the unit.

import Configuration
import Foundation
import Graph
import SamplerUnit
import SessionModel
import Synchronization
import UnitModel
import UnitValidation

/// A line from the process of a unit.
struct ValidationMessage: Codable {
  var check: UnitCheck?
  /// What is done next.
  var activity: String?
  var result: CheckResult?
}

/// Runs checks of a component in this process.
struct ValidationWorker: Sendable {
  private let component: Component
  private let registry: ComponentRegistry
  private let soundFont: String?
  private let keys: [String]

  /// - Parameters:
  ///   - soundFont: for a unit that plays one.
  ///   - keys: lines of a configuration's `[[unit]]`.
  init(
    _ component: Component, of registry: ComponentRegistry, soundFont: String?, keys: [String]
  ) {
    self.component = component
    self.registry = registry
    self.soundFont = soundFont
    self.keys = keys
  }

  static func file(ofSoundFont name: String) throws -> URL {
    let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
    return try SoundFontLocator().locate(name, beside: here.appendingPathComponent("auricle"))
  }

  /// Runs checks one after another, on a thread of its own, where units may wait.
  ///
  /// - Parameter tell: told what happens, on that thread.
  func run(_ checks: [UnitCheck], tell: @escaping @Sendable (ValidationMessage) -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      let thread = Thread {
        let validator = UnitValidator { try make() }
        tell(ValidationMessage(activity: "making the unit"))
        let reason = missingKeys()
        for check in checks {
          if let reason {
            tell(ValidationMessage(check: check, result: CheckResult(check, notChecked: reason)))
            continue
          }
          tell(ValidationMessage(check: check, activity: "beginning"))
          let result = validator.run(check) { activity in
            tell(ValidationMessage(activity: activity))
          }
          tell(ValidationMessage(check: check, result: result))
        }
        done.resume()
      }
      thread.stackSize = 8 << 20
      thread.start()
    }
  }

  /// The whole of a process that checks one unit: lines of JSON go to a descriptor. It ends when
  /// whoever started it has gone, of which the end of standard input tells.
  func run(_ checks: [UnitCheck], reportTo descriptor: Int32) async {
    Thread.detachNewThread {
      var byte: UInt8 = 0
      while true {
        let count = read(STDIN_FILENO, &byte, 1)
        if count == 0 || count < 0 && errno != EINTR { _exit(1) }
      }
    }
    let encoder = JSONEncoder()
    await run(checks) { line in
      guard let data = try? encoder.encode(line) else { return }
      var rest = Array(data + Data("\n".utf8))[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Foundation.write(descriptor, $0.baseAddress, $0.count) }
        if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { _exit(1) }
      }
    }
  }

  private func make() throws -> AudioUnit {
    let unit = try keys.isEmpty ? registry.makeUnit(of: component) : configured()
    guard let soundFont, let player = unit as? any SoundFontHolding else { return unit }
    let file = try Self.file(ofSoundFont: soundFont)
    try waiting { try await player.loadSoundFont(file, bank: 0, program: 0) }
    return unit
  }

  /// A unit as a configuration makes it.
  private func configured() throws -> AudioUnit {
    let unit = Mutex<AudioUnit?>(nil)
    try waiting { [component, keys, registry] in
      let configuration = try SessionConfiguration(
        toml: "[[unit]]\nid = \"unit\"\ncomponent = \"\(component.shortName)\"\n"
          + keys.joined(separator: "\n"),
        file: "--key", kinds: registry.configurableUnits)
      let here = URL(fileURLWithPath: FileManager.default.currentDirectoryPath)
      let plan = try await SessionBuilder(registry: registry)
        .build(configuration, file: here.appendingPathComponent("auricle"))
      unit.withLock { $0 = plan.graph.nodes.first?.unit }
    }
    guard let unit = unit.withLock({ $0 }) else {
      throw CommandFailure(message: "the keys make no unit", status: 2)
    }
    return unit
  }

  /// Why a unit that is made by keys cannot be allocated without those that it was not given.
  private func missingKeys() -> String? {
    guard component.unitType is any ConfigurableUnit.Type else { return nil }
    do {
      try make().allocateRenderResources()
      return nil
    } catch AudioUnitError.failed(let reason) {
      return "\(reason) (--key)"
    } catch {
      return nil
    }
  }

  private func waiting(_ body: @escaping @Sendable () async throws -> Void) throws {
    let work = Work()
    Task.detached {
      do { try await body() } catch { work.failure.withLock { $0 = error } }
      work.isDone.signal()
    }
    work.isDone.wait()
    if let error = work.failure.withLock({ $0 }) { throw error }
  }
}

/// What a thread waits for.
private final class Work: Sendable {
  let isDone = DispatchSemaphore(value: 0)
  let failure = Mutex<(any Error)?>(nil)
}
