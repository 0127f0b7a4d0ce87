// State of the running sessions, collected by one thread each.

import ControlSocket
import FoundationEssentials
import Glibc
import Platform
import Remotes
import SessionModel
import Synchronization

/// The status of a user's sessions, or one of them. Each is polled on a separate thread, so that
/// none blocks the others or the view if it hangs.
final class TopModel: Sendable {
  private struct Watched {
    var session: TopSession
    /// The time of its last answer, or when it was first seen.
    var lastAnswer = ContinuousClock.now
    var lastLevels: ContinuousClock.Instant?
    var hasThread = false
  }

  private struct Known {
    var watched: [String: Watched] = [:]
    var news: [String] = []
    /// Whether the folder has been read.
    var isComplete = false
    var folderProblem: ControlError?
  }

  /// The time for which levels are shown without newer ones.
  private static let levelsHold = Duration.seconds(1)
  /// The decibels by which shown levels fall from one reading to the next, twenty times a second.
  private static let levelFall: Float = 1

  private let folder: ControlFolder
  private let wanted: String?
  private let interval: TimeInterval
  private let known = Mutex(Known())
  private let start = ContinuousClock.now

  /// Starts polling.
  /// - Parameters:
  ///   - wanted: the session's name; nil for all.
  ///   - interval: the time between two requests, in seconds.
  init(_ folder: ControlFolder, wanted: String?, interval: TimeInterval) {
    self.folder = folder
    self.wanted = wanted
    self.interval = interval
    Self.begin("sessions") { [weak self] in self?.lookOutOnce() ?? false }
  }

  /// Runs a step repeatedly until it returns false.
  private static func begin(_ name: StaticString, _ step: @escaping @Sendable () -> Bool) {
    startThread(name) { while step() {} }
  }

  /// - Thread: [any]
  func state(now: ContinuousClock.Instant = .now) -> TopState {
    let limit = Duration.seconds(max(2, 3 * interval))
    return known.withLock { known in
      TopState(
        sessions: known.watched.values.map { watched in
          var session = watched.session
          let silence = watched.lastAnswer.duration(to: now)
          session.silentSeconds = silence > limit ? Int(silence.components.seconds) : nil
          if watched.lastLevels.map({ $0.duration(to: now) > Self.levelsHold }) ?? true {
            session.levels = [:]
          }
          return session
        }.sorted { $0.name < $1.name }, wanted: wanted, news: known.news,
        clock: localTime(Date().timeIntervalSince1970, format: "%H:%M:%S"))
    }
  }

  /// The error of the sessions' folder; nil if it can be read.
  /// - Thread: [any]
  var folderProblem: ControlError? { known.withLock { $0.folderProblem } }

  /// Whether every session has sent its measured status or an error, or the time is over.
  /// - Thread: [any]
  func isComplete(patience: Duration) -> Bool {
    if start.duration(to: .now) > patience { return true }
    return known.withLock { known in
      known.isComplete
        && known.watched.values.allSatisfy { watched in
          watched.session.problem != nil
            || watched.session.status.map { !$0.lacksMeasurement } ?? false
        }
    }
  }

  // MARK: Discovery

  private func lookOutOnce() -> Bool {
    do throws(ControlError) {
      let names = try folder.sessions().filter { wanted == nil || $0 == wanted }
      let new = known.withLock { known in
        known.folderProblem = nil
        for name in known.watched.keys.filter({ !names.contains($0) }).sorted() {
          Self.remove(name, from: &known)
        }
        for name in names where known.watched[name] == nil {
          known.watched[name] = Watched(session: TopSession(name: name))
          if known.isComplete { Self.report("\(name) has come", to: &known) }
        }
        known.isComplete = true
        let idle = known.watched.filter { !$0.value.hasThread }.map(\.key)
        for name in idle { known.watched[name]?.hasThread = true }
        return idle
      }
      for name in new { watch(name) }
    } catch {
      known.withLock {
        $0.folderProblem = error
        $0.isComplete = true
      }
    }
    usleep(useconds_t(min(1, interval) * 1e6))
    return true
  }

  private static func remove(_ name: String, from known: inout Known) {
    guard known.watched.removeValue(forKey: name) != nil else { return }
    report("\(name) has ended", to: &known)
  }

  private static func report(_ news: String, to known: inout Known) {
    known.news = (known.news + [news]).suffix(5)
  }

  // MARK: Polling

  private func watch(_ name: String) {
    let (folder, interval) = (folder, interval)
    startThread("watch") { [weak self] in
      do throws(ControlError) {
        let client = try ControlClient(session: name, in: folder)
        self?.watchLevels(of: name)
        while let self {
          try client.send(SessionWire.encode(.status))
          self.take(try client.nextLine(isPatient: true), from: name)
          usleep(useconds_t(interval * 1e6))
        }
      } catch {
        self?.lose(name, error)
      }
    }
  }

  /// Takes the levels that a session sends, until it ends.
  private func watchLevels(of name: String) {
    let folder = folder
    startThread("levels") { [weak self] in
      guard let client = try? ControlClient(session: name, in: folder) else { return }
      let watch = SessionCommand.watch(paths: [], meters: [SessionCommand.allUnits])
      guard (try? client.send(SessionWire.encode(watch))) != nil else { return }
      while let line = try? client.nextLine(isPatient: true), let self {
        // A session that has no levels answers with an error.
        guard let notice = try? SessionWire.notice(line) else { continue }
        if case .meters(let reading) = notice { take(reading, from: name) }
      }
    }
  }

  private func take(_ reading: MeterReading, from name: String) {
    known.withLock { known in
      let former = known.watched[name]?.session.levels ?? [:]
      known.watched[name]?.lastLevels = .now
      known.watched[name]?.session.levels = reading.units.merging(former) { new, former in
        new.held(former, fall: Self.levelFall)
      }.filter { reading.units[$0.key] != nil }
    }
  }

  private func take(_ line: [UInt8], from name: String) {
    let answer = Result { () throws(SessionCommandError) in try SessionWire.answer(line) }
    known.withLock { known in
      known.watched[name]?.lastAnswer = .now
      switch answer {
      case .success(.status(let status)):
        known.watched[name]?.session.status = status
        known.watched[name]?.session.problem = nil
      case .success: known.watched[name]?.session.problem = "answers something else"
      case .failure(let error): known.watched[name]?.session.problem = "\(error)"
      }
    }
  }

  /// Ends the polling of a session; the discovery thread restarts it if the session still exists.
  private func lose(_ name: String, _ error: ControlError) {
    known.withLock { known in
      switch error {
      case .foreignSession: known.watched[name]?.session.problem = "\(error)"
      default: known.watched[name]?.hasThread = false
      }
    }
  }
}
