// All checks of one component, in a separate process.

import Glibc
import Platform
import Session
import Synchronization
import UnitModel
import UnitValidation

/// The error that ends a validation after a signal.
struct ValidationEnded: Error {}

/// The validation of one component.
struct ComponentValidation {
  /// After this many crashes the remaining checks are skipped.
  private static let mostCrashes = 3

  private let component: Component
  private let worker: ValidationWorker
  private let command: ValidateCommand

  /// - Parameter worker: runs checks in this process.
  init(_ component: Component, _ worker: ValidationWorker, command: ValidateCommand) {
    self.component = component
    self.worker = worker
    self.command = command
  }

  /// Runs the checks in this process.
  func runHere() async -> UnitReport {
    let start = ContinuousClock.now
    let results = Mutex<[CheckResult]>([])
    await worker.run(command.chosenChecks) { line in
      if let result = line.result { results.withLock { $0.append(result) } }
    }
    return report(results.withLock { $0 }, since: start)
  }

  /// Runs the checks in separate processes. If one ends early, the next one continues after the
  /// check that was running.
  ///
  /// - Throws: `ValidationEnded`.
  func runApart(
    _ signals: SignalStream, progress: (String) -> Void
  ) async throws -> UnitReport {
    let start = ContinuousClock.now
    let deadline = start + .seconds(command.timeLimit)
    var open = command.chosenChecks
    var results: [CheckResult] = []
    var crashes = 0
    while !open.isEmpty {
      let child = try ValidationChild(arguments(for: open))
      // A signal ends the child, which also ends the wait for its lines.
      let ending = Task.detached { for await case .end in signals.requests { child.kill() } }
      defer { ending.cancel() }
      var current = open[0]
      var activity = "starting"
      while let line = child.nextLine(until: deadline) {
        if let check = line.check { current = check }
        if let reported = line.activity { activity = reported }
        // Fits a terminal's line.
        progress(String("\(component.shortName): \(current.rawValue): \(activity)".prefix(68)))
        guard let result = line.result else { continue }
        results.append(result)
        open.removeAll { $0 == result.check }
      }
      let end = child.finish(deadline: deadline)
      if signals.hasArrived { throw ValidationEnded() }
      guard !open.isEmpty else { break }
      let message =
        switch end {
        case .exited(let status)?: "ended the process with status \(status) while: \(activity)"
        case .signalled(let number)?: "crashed with signal \(signalName(number)) while: \(activity)"
        case nil:
          "was not done after \(command.timeLimit.plainText) seconds, while: \(activity)"
        }
      results.append(CheckResult(current, findings: [Finding(.failure, message)]))
      open.removeAll { $0 == current }
      crashes += 1
      if end == nil || crashes == Self.mostCrashes {
        let reason = end == nil ? "the time was over" : "the unit has crashed too often"
        results += open.map { CheckResult($0, notChecked: reason) }
        open = []
      }
    }
    return report(results, since: start)
  }

  private func arguments(for checks: [UnitCheck]) -> [String] {
    var words = ["validate", component.shortName]
    for check in checks { words += ["--check", check.rawValue] }
    for key in worker.keys { words += ["--key", key] }
    if let font = command.soundFont { words += ["--soundfont", font] }
    return words + ["--report-to", "\(ValidationChild.reportDescriptor)"]
  }

  private func report(
    _ results: [CheckResult], since start: ContinuousClock.Instant
  ) -> UnitReport {
    UnitReport(
      unit: component.shortName, codes: component.description.codes, name: component.name,
      checks: results, seconds: (ContinuousClock.now - start) / .seconds(1),
      isStrict: command.strict)
  }
}

private func signalName(_ number: Int32) -> String {
  let names = [
    SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGABRT: "SIGABRT", SIGBUS: "SIGBUS", SIGFPE: "SIGFPE",
    SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV", SIGPIPE: "SIGPIPE", SIGTERM: "SIGTERM",
    SIGINT: "SIGINT", SIGHUP: "SIGHUP", SIGXCPU: "SIGXCPU",
  ]
  return names[number] ?? "\(number)"
}
