// The announcement in the local network.

import FoundationEssentials
import Glibc
import Platform

/// Announces OSCQuery, and the OSC of its session, by `avahi-publish` if that is installed. Its
/// processes end with this one, even if this one is killed. Used on the event loop only.
final class Announcement {
  /// The name of this machine in the local network: `stage.local`.
  static var hostName: String? {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return nil }
    let first = String(
      decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self
    )
    .prefix { $0 != "." }
    return ListeningAddress.isName(String(first)) ? "\(first).local" : nil
  }

  /// A service, as `avahi-publish` takes it.
  private struct Service: Equatable {
    let name: String
    let type: String
    let port: Int
  }

  private let port: Int
  private let report: (String) -> Void
  private let program: URL?
  private var services: [Service] = []
  private var publishers: [Publisher] = []

  /// - Parameters:
  ///   - port: the port of OSCQuery.
  ///   - program: the file of `avahi-publish`; nil if it is not installed.
  ///   - report: receives lines for the user.
  init(
    port: Int, program: URL? = programInPath("avahi-publish"), report: @escaping (String) -> Void
  ) {
    (self.port, self.program, self.report) = (port, program, report)
    if program == nil { report("OSCQuery is not announced: avahi-publish is not installed") }
  }

  /// Announces a session in place of the former one.
  ///
  /// - Parameters:
  ///   - session: the session's name; nil to announce none.
  ///   - udp: the port of its OSC; nil for none that others can reach.
  func announce(_ session: String?, udp: Int?) {
    var new: [Service] = []
    if let session {
      new.append(Service(name: session, type: "_oscjson._tcp", port: port))
      if let udp { new.append(Service(name: session, type: "_osc._udp", port: udp)) }
    }
    if new == services { return }
    end()
    services = new
    guard let program else { return }
    for service in new {
      let words = ["-s", service.name, service.type, "\(service.port)"]
      do throws(ChildProcessError) {
        publishers.append(try Publisher(program.path, words))
      } catch { report("OSCQuery is not announced: \(program.path) does not start: \(error)") }
    }
  }

  /// Ends what is announced.
  func end() {
    for publisher in publishers { publisher.end() }
    (publishers, services) = ([], [])
  }
}

/// A program that ends with its standard input: a shell waits for that beside it.
private final class Publisher {
  private let child: ChildProcess
  private let input: Int32

  init(_ program: String, _ arguments: [String]) throws(ChildProcessError) {
    let (inputEnd, ownEnd) = try openPipe()
    defer { close(inputEnd) }
    do throws(ChildProcessError) {
      child = try ChildProcess(
        "/bin/sh",
        arguments: ["sh", "-c", #""$@" & read -r line; kill $!; wait"#, "sh", program] + arguments,
        environment: ProcessInfo.processInfo.environment,
        descriptors: [0: inputEnd, 1: STDERR_FILENO, 2: STDERR_FILENO])
    } catch {
      close(ownEnd)
      throw error
    }
    input = ownEnd
  }

  /// Ends the program, and waits a short time for that.
  func end() {
    close(input)
    child.send(SIGTERM, toGroup: true)
    if child.waitForEnd(until: .now + .milliseconds(500)) == nil {
      child.send(SIGKILL, toGroup: true)
      _ = child.waitForEnd(until: .now + .milliseconds(500))
    }
  }
}
