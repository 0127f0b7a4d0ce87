// auricle validate

import ArgumentParser
import Session
import UnitModel
import UnitValidation

struct ValidateCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Check the promises of units: sound, time, state.",
    discussion: """
      Each unit is checked in a separate process: a crash or a hang is reported, and the other units are still checked. \
      The status is 0 if no unit failed and at least one was checked, otherwise 1.
      """)

  @Argument(
    help: """
      Components by their short names (filter) or codes (aufx/lpas/Aurc, * for any), or all. Default: all.
      """)
  var units: [String] = []

  @Option(
    name: .customLong("check"),
    help: ArgumentHelp("Only this check; can be repeated.", valueName: "check"))
  var checks: [String] = []

  @Flag(help: "Count warnings as failures.")
  var strict = false

  @Option(
    help: ArgumentHelp(
      "Time limit of a unit, 1 to 86400. A unit that takes longer counts as hanging.",
      valueName: "seconds"))
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
      A key of the units as in a configuration: 'file = "take.wav"', 'bands = [ { kind = "peak" } ]'; can be repeated.
      """, valueName: "key"))
  var keys: [String] = []

  @Flag(help: "Print a line with a JSON object for each unit.")
  var json = false

  @Flag(help: "Check in this process, for a debugger. A crash ends the process.")
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
    var unchecked: [String] = []
    var count = 0
    for component in components {
      var worker = worker(component)
      let takes = try worker.lacksTakeFile ? TakesFolder() : nil
      defer { takes?.remove() }
      if let takes { worker.keys.append(takes.key) }
      let validation = ComponentValidation(component, worker, command: self)
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
      if report.status == .notChecked { unchecked.append(report.unit) }
      try json ? StandardOutput.writeData(report.json) : StandardOutput.write(report.text)
    }
    if !json && components.count > 1 {
      let kept = count - failed.count - unchecked.count
      try StandardOutput.write(
        "\n\(count) units: \(kept) kept, \(failed.count) failed"
          + (unchecked.isEmpty ? "" : ", \(unchecked.count) not checked"))
    }
    guard failed.isEmpty else {
      throw CommandFailure(
        message: "\(failed.count) of \(count) units failed: \(failed.joined(separator: ", "))",
        status: 1)
    }
    guard unchecked.count < count else {
      throw CommandFailure(
        message: "nothing was checked: \(unchecked.joined(separator: ", "))", status: 1)
    }
  }

  private func chosenComponents(_ registry: ComponentRegistry) throws -> [Component] {
    var chosen: [Component] = []
    for name in units.isEmpty ? ["all"] : units {
      do throws(InstantiationError) {
        chosen += name == "all" ? registry.components : try registry.components(named: name)
      } catch {
        throw CommandFailure(message: harmless(error.description, isOneLine: true), status: 2)
      }
    }
    var seen: Set<String> = []
    return chosen.filter { seen.insert($0.shortName).inserted }
  }

  /// Checks the SoundFont before the units.
  private func checkSoundFont() throws {
    guard let soundFont else { return }
    do { _ = try ValidationWorker.file(ofSoundFont: soundFont) } catch {
      throw CommandFailure(message: harmless("\(error)", isOneLine: true), status: 2)
    }
  }
}
