// The program `auricle-web`.

import ArgumentParser
import Glibc
import Platform
import WebServer

@main
struct WebCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "auricle-web", abstract: "Show the running sessions in a browser.",
    discussion: """
      It prints an address that opens the page once, within five minutes, and serves until a signal. Only this machine \
      reaches it, unless --listen is given. Then it also prints a code of eight digits to type on a tablet.
      """,
    version: programVersion)

  @Flag(help: "Open the address in the browser.")
  var open = false

  @Flag(help: "Print another address of the server that is running, and end.")
  var link = false

  @Flag(help: "Print an address for guests too, who can change nothing.")
  var guests = false

  @Option(
    help: ArgumentHelp(
      "Listen to an address of this machine, for other machines. Default: one of loopback.",
      valueName: "address"))
  var listen: String?

  @Option(
    help: ArgumentHelp("Listen to a port, 1 to 65535. Default: a free one.", valueName: "number"))
  var port: Int?

  @Option(
    help: ArgumentHelp(
      "Accept a name of this machine, or of a proxy; can be repeated.", valueName: "name"))
  var host: [String] = []

  @Option(
    name: .customLong("oscquery"), defaultAsFlag: "free", parsing: .next,
    help: ArgumentHelp(
      """
      Show a session by OSCQuery too, at a port, 1 to 65535, or a free one. It has no password, and only reads \
      without --oscquery-write.
      """, valueName: "number"))
  var oscQuery: String?

  @Flag(
    name: .customLong("oscquery-write"),
    help: "Let everyone who reaches that port change the session.")
  var oscQueryWrite = false

  @Option(
    help: ArgumentHelp(
      "Name the session that OSCQuery shows. Default: the first one that runs.",
      valueName: "name"))
  var session: String?

  @Option(
    help: ArgumentHelp(
      "Serve for a session that started this program, until standard input ends.",
      visibility: .hidden))
  var forSession: String?

  func validate() throws {
    if let port, !(1...65_535).contains(port) { throw ValidationError("--port takes 1 to 65535") }
    if link && (open || listen != nil || port != nil || !host.isEmpty || oscQuery != nil) {
      throw ValidationError("--link asks the server that is running; accepted with it: --guests")
    }
    if let oscQuery, oscQuery != "free", !(1...65_535).contains(Int(oscQuery) ?? 0) {
      throw ValidationError("--oscquery takes 1 to 65535, or nothing for a free port")
    }
    if oscQuery == nil && (oscQueryWrite || session != nil) {
      throw ValidationError("--oscquery-write and --session need --oscquery")
    }
  }

  /// Runs the command line. Ends with status 0, 1 (failed) or 2 (bad usage).
  static func main() {
    signal(SIGPIPE, SIG_IGN)
    // Threads inherit the blocked signals: only the main one takes them.
    var signals = sigset_t()
    sigemptyset(&signals)
    for number in [SIGINT, SIGTERM] { sigaddset(&signals, number) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    do {
      let command = try parseAsRoot()
      guard let command = command as? WebCommand else {
        var other = command
        return try other.run()
      }
      try command.serve(until: &signals)
    } catch let error as WebServerError {
      write("auricle-web: \(error)", to: STDERR_FILENO)
      Glibc.exit(error.isBadUsage ? 2 : 1)
    } catch {
      let isHelp = exitCode(for: error) == .success
      write(fullMessage(for: error), to: isHelp ? STDOUT_FILENO : STDERR_FILENO)
      Glibc.exit(isHelp ? 0 : 2)
    }
  }

  private func serve(until signals: inout sigset_t) throws {
    if link {
      let access = guests ? Access.guest : .member
      Self.write(try WebServer.link(access), to: STDOUT_FILENO)
      return Self.write(try WebServer.pairingCode(access), access)
    }
    var options = WebOptions()
    (options.address, options.port, options.hosts) = (listen, port, host)
    if let oscQuery {
      var query = OSCQueryOptions()
      (query.port, query.session, query.mayWrite) = (Int(oscQuery), session, oscQueryWrite)
      query.report = { Self.write("auricle-web: \($0)", to: STDERR_FILENO) }
      options.oscQuery = query
    }
    let server: WebServer
    do throws(WebServerError) { server = try WebServer(options) } catch {
      // The user has a page already. It shows all sessions.
      guard forSession != nil, case .isRunning = error else { throw error }
      return Self.write(try WebServer.link() + fragment, to: STDOUT_FILENO)
    }
    if forSession != nil { Self.endWithInput() }
    let address = server.link() + fragment
    Self.write(address, to: STDOUT_FILENO)
    Self.write(server.pairingCode(), .member)
    if guests {
      Self.write("guests: \(server.link(.guest))", to: STDOUT_FILENO)
      Self.write(server.pairingCode(.guest), .guest)
    }
    if let address = server.oscQueryAddress {
      Self.write("OSCQuery: \(address)", to: STDOUT_FILENO)
    }
    if try options.folder.sessions().isEmpty {
      Self.write(
        "auricle-web: no session runs; the page shows one as soon as it starts: auricle run",
        to: STDERR_FILENO)
    }
    if open { Browser.open(address) }
    var number: Int32 = 0
    repeat { sigwait(&signals, &number) } while ![SIGINT, SIGTERM].contains(number)
    server.close()
  }

  /// The part of the address that makes the page begin with the session.
  private var fragment: String {
    guard let forSession else { return "" }
    return "#"
      + forSession.utf8.map { byte in
        let isPlain = isalnum(Int32(byte)) != 0 && byte < 128
        return isPlain
          ? String(UnicodeScalar(byte)) : (byte < 16 ? "%0" : "%") + String(byte, radix: 16)
      }.joined()
  }

  /// Ends this process as by SIGTERM when standard input ends.
  private static func endWithInput() {
    startThread("input") {
      var byte: UInt8 = 0
      while read(STDIN_FILENO, &byte, 1) > 0 {}
      kill(getpid(), SIGTERM)
    }
  }

  /// Writes a pairing code, and the address to type it at.
  private static func write(_ code: PairingCode?, _ access: Access) {
    guard let code else { return }
    let name = access == .guest ? "pairing code for guests" : "pairing code"
    write("\(name): \(code.digits), to type at \(code.address)", to: STDOUT_FILENO)
  }

  /// Writes a line; a reader that has gone is no failure.
  private static func write(_ line: String, to descriptor: Int32) {
    var rest = Array("\(line)\n".utf8)[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
