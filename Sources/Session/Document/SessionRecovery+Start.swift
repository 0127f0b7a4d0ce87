// Abandoned recoveries, at the start of another run.

import Configuration
import Files
import FoundationEssentials
import Platform
import SessionModel

/// Treatment of a file's recoveries at the start of its session.
package enum RecoveryOption: Sendable {
  /// Logs them, and starts the session with the file.
  case report
  /// Starts the session with the newest usable one.
  case take
  /// Removes them.
  case discard
}

extension SessionRecovery {
  /// Builds the session of a file, or of a recovery of it.
  ///
  /// - Throws: the mistakes in the file. Mistakes in recoveries are only logged.
  /// - Thread: [control]
  package func build(
    _ file: URL, by builder: SessionBuilder, _ choice: RecoveryOption
  ) async throws(ConfigurationError) -> SessionPlan {
    let name = printable(file.relativePath, 4096)
    var found: [Recovery] = []
    if let root {
      let place = RecoveryFolder(of: file, in: root)
      do throws(SystemError) {
        found = choice == .discard ? try place.discard() : try place.leftBehind()
      } catch {
        log.warning("cannot look for recoveries in \(printable(place.folder.path, 4096)): \(error)")
      }
      if choice == .take, let plan = await build(found, of: file, place, by: builder) {
        return plan
      }
    }
    switch (choice, found.first) {
    case (.report, let newest?): report(newest, older: found.count - 1, of: file)
    case (.report, nil): break
    case (.discard, let newest?):
      let others = found.count > 1 ? ", and \(found.count - 1) older" : ""
      log.notice("threw the recovery of \(name) from \(text(newest.date)) away\(others)")
    case (_, nil): log.notice("there is no recovery of \(name)")
    case (.take, _?): log.warning("nothing was recovered; this is \(name) as it stands")
    }
    return try await builder.build(contentsOf: file)
  }

  /// Whether no earlier run has left a recovery of a file.
  ///
  /// - Thread: [control]
  package func hasNone(of file: URL) -> Bool {
    guard let root else { return true }
    return (try? RecoveryFolder(of: file, in: root).leftBehind().isEmpty) ?? false
  }

  private func report(_ newest: Recovery, older: Int, of file: URL) {
    let name = printable(file.relativePath, 4096)
    let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
    let written = attributes?[.modificationDate] as? Date
    let isOutdated = written.map { $0 > newest.date } ?? false
    log.notice(
      """
      there is a recovery of \(name) from \(text(newest.date)), with changes that were not saved\
      \(isOutdated ? " (the file was written since)" : "")\
      \(older > 0 ? ", and \(older) older" : ""); \(RecoveryHint(file))
      """)
  }

  /// Returns the session of the newest usable recovery; nil if there is none.
  private func build(
    _ found: [Recovery], of file: URL, _ place: RecoveryFolder, by builder: SessionBuilder
  ) async -> SessionPlan? {
    for recovery in found {
      let claim: RecoveryClaim
      do throws(SystemError) { claim = try place.claim(recovery) } catch {
        log.warning(
          "the recovery \(printable(recovery.file.path, 4096)) cannot be taken: \(error)")
        continue
      }
      do throws(ConfigurationError) {
        let plan = try await builder.build(recovery, of: file)
        adopt(claim)
        log.notice(
          """
          this is \(printable(file.relativePath, 4096)) with the changes of \(text(recovery.date)), which are not \
          saved; auricle ctl save saves them
          """)
        return plan
      } catch {
        for problem in error.problems { log.warning("the recovery cannot be used: \(problem)") }
      }
    }
    return nil
  }

  private func text(_ date: Date) -> String {
    localTime(date.timeIntervalSince1970, format: "%Y-%m-%d %H:%M:%S")
  }
}

extension SessionBuilder {
  /// Builds the session of a file with the content of a recovery.
  func build(
    _ recovery: Recovery, of file: URL
  ) async throws(ConfigurationError) -> SessionPlan {
    var configuration = try read(recovery.file)
    let folder = recovery.file.deletingLastPathComponent()
    configuration.mapStates { folder.appendingPathComponent($0).path }
    var plan = try await build(configuration, file: file)
    plan.isRecovered = true
    // The states are restored, and no followed file names them.
    plan.origin.configuration.mapStates { _ in nil }
    // The baseline for later edits of the file is its present content.
    plan.base = try? plan.origin.read(file)
    return plan
  }
}

extension SessionConfiguration {
  fileprivate mutating func mapStates(_ body: (String) -> String?) {
    for index in units.indices {
      guard let state = units[index].state else { continue }
      units[index].state = body(state.value).map { Located($0, at: state.location) }
    }
  }
}
