// Building the session of a project, or of a new project.

import Configuration
import Files
import FoundationEssentials
import Logging
import Session
import SessionModel
import UnitModel

/// An error in opening a project, for the session manager and for the user.
struct NSMProjectError: Error {
  let failure: NSMFailure
  let cause: any Error
}

/// Builds the session of a project, or starts a new project.
struct NSMProjectBuilder: Sendable {
  let making: NSMClient.Making
  let link: NSMLink
  let log: Logger

  init(_ making: NSMClient.Making, _ link: NSMLink, _ log: Logger) {
    (self.making, self.link, self.log) = (making, link, log)
  }

  /// - Throws: `NSMProjectError`
  /// - Thread: [control]
  func build(_ project: NSMProject, _ choice: RecoveryOption) async throws -> NSMOpening {
    let recovery = making.makeRecovery()
    let folder = project.folder
    let plan: SessionPlan
    if FileManager.default.fileExists(atPath: folder.file.path) {
      plan = try await wrapping(.badProject) {
        let builder = try makeBuilder(of: folder.file)
        let plan = try await recovery.build(folder.file, by: builder, choice)
        if !plan.isRecovered, recovery.hasNone(of: folder.file) { tidy(folder, plan) }
        return plan
      }
    } else {
      plan = try await wrapping(.createFailed) { try await begin(folder) }
    }
    for line in plan.warnings { log.warning("\(line)") }
    return NSMOpening(project, plan, recovery, link)
  }

  /// Creates a project with the configuration of new projects.
  private func begin(_ folder: SessionFolder) async throws -> SessionPlan {
    let file = try making.beginning()
    // Nothing is written next to files of other programs.
    if let foreign = folder.foreignName {
      throw SessionCommandError(
        "\(printable(folder.url.path, 4096)) has files of others, '\(printable(foreign, 100))' for one; "
          + "accepted: an empty folder, a new one, or one with a session.toml")
    }
    do throws(SystemError) { try FileAccess.makeFolder(folder.url.path) } catch {
      throw SessionCommandError("cannot make \(printable(folder.url.path, 4096)): \(error)")
    }
    var plan = try await makeBuilder(of: file).build(contentsOf: file)
    let store = SessionStore(plan.origin, in: folder)
    _ = try store.save(store.document(units: plan.units), to: folder.file.path)
    plan.origin = store.origin
    return plan
  }

  /// Makes the builder for a session's file, which reports its progress to the server.
  private func makeBuilder(of file: URL) throws -> SessionBuilder {
    let plain = try making.makeBuilder { _, _ in }
    let files = (try? plain.read(file)).map { plain.origin(of: $0, file).files } ?? []
    let progress = NSMProgress(of: Set(files.map(\.file.url.path)).count)
    return try making.makeBuilder { [link] file, part in
      if let all = progress.take(file, part) { link.send(.progress(all)) }
    }
  }

  /// Removes links that neither the session nor the copy of its former file needs. While a session
  /// runs they stay: undo may need them again.
  private func tidy(_ folder: SessionFolder, _ plan: SessionPlan) {
    let texts = ["", "~"].map {
      FileAccess.text(
        folder.file.path + $0, maximumBytes: SessionConfiguration.maximumBytes)
    }
    folder.removeLinks(
      but: Set(plan.origin.files.map(\.file.url.path)), namedIn: texts.joined())
  }

  private func wrapping<Result>(
    _ code: NSMFailure.Code, _ body: () async throws -> Result
  ) async throws -> Result {
    do { return try await body() } catch {
      throw NSMProjectError(failure: NSMFailure(code, "\(error)"), cause: error)
    }
  }
}
