// The process that writes a session's metadata.

import FoundationEssentials
import Glibc
import Logging
import Platform

/// Hands the labels of a session's ports to a process of this program that writes them into JACK's
/// metadata.
///
/// jackd keeps metadata in a Berkeley DB that it shares with its clients. A client that waits for
/// a lock there may wait for ever, and a damaged file ends it with a bus error. In another process
/// neither holds up the session. If this process is killed, the other one ends by itself, so that
/// no lock stays behind.
///
/// Used by one control thread at a time.
final class MetadataProcess {
  private static let logger = Logger(label: "auricle.jack")
  /// The longest time that a change waits for the process, in seconds.
  private static let patience = 0.5

  private let process: ChildProcess
  private let input: Int32
  private let answers: Int32
  /// The labels sent last.
  private var sent: [String: PortLabel] = [:]
  /// Bytes that did not fit into the pipe.
  private var pending: [UInt8] = []
  private var unanswered = 0
  private var isLost = false

  /// Starts the process. Returns nil, and logs a warning, if that fails.
  ///
  /// - Parameters:
  ///   - program: the path of this program's file.
  ///   - session: the name of the session's client.
  ///   - server: the server's name; nil for the default one.
  /// - Thread: [control]
  static func started(_ program: String, session: String, server: String?) -> MetadataProcess? {
    do throws(ChildProcessError) {
      return try MetadataProcess(program, session: session, server: server)
    } catch {
      logger.warning("JACK's metadata is not written: \(error)")
      return nil
    }
  }

  private init(_ program: String, session: String, server: String?) throws(ChildProcessError) {
    let (inputEnd, input) = try openPipe()
    defer { close(inputEnd) }
    let answers: Int32
    let answersEnd: Int32
    do throws(ChildProcessError) { (answers, answersEnd) = try openPipe() } catch {
      close(input)
      throw error
    }
    defer { close(answersEnd) }
    for descriptor in [input, answers] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
    do throws(ChildProcessError) {
      process = try ChildProcess(
        program,
        arguments: ["auricle", "write-metadata", session]
          + (server.map { ["--server", $0] } ?? []),
        environment: ProcessInfo.processInfo.environment,
        descriptors: [
          STDIN_FILENO: inputEnd, STDOUT_FILENO: answersEnd, STDERR_FILENO: STDERR_FILENO,
        ])
    } catch {
      close(input)
      close(answers)
      throw error
    }
    (self.input, self.answers) = (input, answers)
  }

  /// Ends the process. One that is blocked is left alone: killing it would block others.
  deinit {
    close(input)
    _ = process.waitForEnd(until: .now + .milliseconds(Int(Self.patience * 1000)))
    close(answers)
  }

  /// Sends the labels that have changed. Never waits.
  /// - Thread: [control]
  func send(_ labels: [String: PortLabel]) {
    if isLost { return }
    let change = LabelChange(
      labels: labels.filter { sent[$0.key] != $0.value },
      removed: sent.keys.filter { labels[$0] == nil })
    if change != LabelChange(), let line = try? JSONEncoder().encode(change) {
      pending += line + [UInt8(ascii: "\n")]
      unanswered += 1
    }
    sent = labels
    flush()
  }

  /// Waits, for half a second at most, until all labels are written. If that takes longer, nothing
  /// more is written, and a warning says so.
  ///
  /// jackd deletes the properties of a port that is removed. Another process must not write at
  /// that time, because both may then wait for each other for ever (libdb 5.3).
  /// - Thread: [control]
  func finishWriting() {
    let deadline = Date(timeIntervalSinceNow: Self.patience)
    while !isLost {
      flush()
      if unanswered == 0 { return }
      if Date() > deadline { lose("does not answer") }
      usleep(500)
    }
  }

  private func flush() {
    while !pending.isEmpty {
      let count = write(input, pending, pending.count)
      if count < 0, errno == EINTR { continue }
      if count < 0, errno != EAGAIN { return lose("has ended") }
      guard count > 0 else { break }
      pending.removeFirst(count)
    }
    var bytes = [UInt8](repeating: 0, count: 256)
    while unanswered > 0 {
      let count = read(answers, &bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 { return lose("has ended") }
      guard count > 0 else { break }
      unanswered -= count
    }
  }

  private func lose(_ reason: String) {
    if isLost { return }
    isLost = true
    Self.logger.warning(
      "JACK's metadata is not written any more: the process that writes it \(reason)")
  }
}
