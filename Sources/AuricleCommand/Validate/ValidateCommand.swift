// auricle validate

import ArgumentParser
import Foundation
import Session
import UnitModel
import UnitValidation

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check that units keep what units promise: their sound, their time, their state.",
    discussion: """
      Each unit is checked in a process of its own, so that one that crashes or hangs is told and the others are \
      checked all the same. Exits with 0 when no unit failed, with 1 when one did.
      """)

  @Argument(
    help: """
      Components by their short names (filter) or codes (aufx/lpas/Aurc, * for any), or all. Default: all.
      """)
  var units: [String] = []

  @Option(
    name: .customLong("check"),
    help: ArgumentHelp("Only this check; may be given several times.", valueName: "check"))
  var checks: [String] = []

  @Flag(help: "Have warnings fail, too.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "What a unit may take, 1 to 86400; one that takes longer hangs.", valueName: "seconds"))
  var timeLimit = 60.0

  @Option(
    name: .customLong("soundfont"),
    help: ArgumentHelp(
      "An SF2 or SF3 file for units that play one, also by its name in the usual SoundFont folders.",
      valueName: "file"))
  var soundFont: String?

  @Option(
    name: .customLong("key"),
    help: ArgumentHelp(
      """
      A key of the units, as a configuration has it: 'file = "take.wav"', 'bands = [ { kind = "peak" } ]'; may be \
      given several times.
      """, valueName: "key"))
  var keys: [String] = []

  @Flag(help: "Print a JSON object for each unit, on a line of its own.")
  var json = false

  @Flag(help: "Check in this process, for a debugger: a crash is one.")
  var inProcess = false

  /// The descriptor for the results, in the process of a unit.
  @Option(help: .hidden)
  var reportTo: Int32?

  /// The requested checks, in the order of `UnitCheck`.
  var chosenChecks: [UnitCheck] {
    checks.isEmpty ? UnitCheck.allCases : UnitCheck.allCases.filter { checks.contains($0.rawValue) }
  }

  func validate() throws {
    for name in checks where UnitCheck(rawValue: name) == nil {
      let known = UnitCheck.allCases.map(\.rawValue).joined(separator: ", ")
      throw ValidationError("there is no check '\(name)'; there is \(known)")
    }
    guard (1...86_400).contains(timeLimit) else {
      throw ValidationError("--time-limit takes 1 to 86400 seconds")
    }
  }

  func run() async throws {
    let registry = try HostComponents.makeRegistry()
    let components = try chosenComponents(registry)
    func worker(_ component: Component) -> ValidationWorker {
      ValidationWorker(component, of: registry, soundFont: soundFont, keys: keys)
    }
    if let reportTo { return await worker(components[0]).run(chosenChecks, reportTo: reportTo) }
    CommandLog.install(isVerbose: false)
    try checkSoundFont()
    let signals = SignalStream()
    let progress = ProgressLine("checking")
    var failed: [String] = []
    var count = 0
    for component in components {
      let validation = ComponentValidation(component, worker(component), command: self)
      let report: UnitReport
      if inProcess {
        report = await validation.runHere()
      } else {
        do {
          report = try await validation.runApart(signals, progress: progress.show)
        } catch is ValidationEnded {
          progress.clear()
          throw CommandFailure(
            message: "ended by a signal; \(components.count - count) units were not checked",
            status: 1)
        }
        progress.clear()
      }
      count += 1
      if report.hasFailed { failed.append(report.unit) }
      try json ? StandardOutput.writeData(report.json) : StandardOutput.write(report.text)
    }
    if !json && components.count > 1 {
      try StandardOutput.write(
        "\n\(count) units: \(count - failed.count) kept, \(failed.count) failed")
    }
    guard failed.isEmpty else {
      throw CommandFailure(
        message: "\(failed.count) of \(count) units failed: \(failed.joined(separator: ", "))",
        status: 1)
    }
  }

  private func chosenComponents(_ registry: ComponentRegistry) throws -> [Component] {
    var chosen: [Component] = []
    for name in units.isEmpty ? ["all"] : units {
      do throws(InstantiationError) {
        chosen += name == "all" ? registry.components : try find(name, registry)
      } catch {
        throw CommandFailure(message: harmless(error.description, isOneLine: true), status: 2)
      }
    }
    var seen: Set<String> = []
    return chosen.filter { seen.insert($0.shortName).inserted }
  }

  /// Returns the named component, or all that match a pattern.
  private func find(
    _ name: String, _ registry: ComponentRegistry
  ) throws(InstantiationError) -> [Component] {
    if let pattern = ComponentDescription(codes: name) {
      let found = registry.components(matching: pattern)
      if found.count > 1 { return found }
    }
    return [try registry.component(named: name)]
  }

  /// Checks the SoundFont before the units.
  private func checkSoundFont() throws {
    guard let soundFont else { return }
    do { _ = try ValidationWorker.file(ofSoundFont: soundFont) } catch {
      throw CommandFailure(message: harmless("\(error)", isOneLine: true), status: 2)
    }
  }
}
