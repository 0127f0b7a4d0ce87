// Checks of a unit, in the process that hosts it.

import Configuration
import Dispatch
import FoundationEssentials
import Glibc
import Graph
import Platform
import RecorderUnit
import SamplerUnit
import SessionModel
import Synchronization
import UnitModel
import UnitValidation

/// A line from the process of a unit.
struct ValidationMessage: Codable {
  var check: UnitCheck?
  /// The next activity.
  var activity: String?
  var result: CheckResult?
}

/// The runner of a component's checks in this process.
struct ValidationWorker: Sendable {
  private let component: Component
  private let registry: ComponentRegistry
  private let soundFont: String?
  /// Lines for the `[[unit]]` of a configuration.
  var keys: [String]

  /// - Parameters:
  ///   - soundFont: for a unit that plays one.
  ///   - keys: lines for the `[[unit]]` of a configuration.
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

  /// Runs checks one after another, on a separate thread, because units may block.
  ///
  /// - Parameter notify: receives messages, on that thread.
  func run(_ checks: [UnitCheck], notify: @escaping @Sendable (ValidationMessage) -> Void) async {
    await withCheckedContinuation { (done: CheckedContinuation<Void, Never>) in
      startThread("checks", stackBytes: 8 << 20) {
        let validator = UnitValidator { try make() }
        notify(ValidationMessage(activity: "making the unit"))
        let reason = missingKeys()
        for check in checks {
          if let reason {
            notify(ValidationMessage(check: check, result: CheckResult(check, notChecked: reason)))
            continue
          }
          notify(ValidationMessage(check: check, activity: "beginning"))
          let result = validator.run(check) { activity in
            notify(ValidationMessage(activity: activity))
          }
          notify(ValidationMessage(check: check, result: result))
        }
        done.resume()
      }
    }
  }

  /// Runs checks of one unit as the whole work of this process, with lines of JSON to a descriptor.
  /// The end of standard input means that the parent process has ended, and ends this process too.
  func run(_ checks: [UnitCheck], reportTo descriptor: Int32) async {
    startThread("leash") {
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
        let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
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

  /// Makes a unit from the configuration keys.
  private func configured() throws -> AudioUnit {
    let unit = Mutex<AudioUnit?>(nil)
    try waiting {
      let configuration = try configuration()
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

  private func configuration() throws -> SessionConfiguration {
    try SessionConfiguration(
      toml: tomlText(ofUnit: "unit", component: component.shortName, keys), file: "--key",
      kinds: registry.configurableUnits)
  }

  /// Whether the unit is a recorder and its keys, which can be read, name no file.
  var lacksTakeFile: Bool {
    guard component.unitType is RecorderUnit.Type, let configuration = try? configuration()
    else { return false }
    return configuration.units.first?.keys["file"] == nil
  }

  /// Returns the reason why a unit cannot be allocated without further keys; nil if it can.
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

/// The state of asynchronous work that a thread waits for.
private final class Work: Sendable {
  let isDone = DispatchSemaphore(value: 0)
  let failure = Mutex<(any Error)?>(nil)
}
