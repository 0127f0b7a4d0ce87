// auricle monitor

import ArgumentParser
import Configuration
import FoundationEssentials
import JackHost
import Logging
import Session
import Tools

extension MonitoredMessage.Kind: ExpressibleByArgument {}

struct MonitorCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "monitor",
    abstract: "Show MIDI as it arrives, in words and with its exact frame, until a signal.",
    discussion: """
      Each line has the time in seconds and in frames since the start, the PORT if there are several, the channel, and \
      the message. Missing ports are connected when they appear. With --json each line is an object.

      With --unit it shows the events that units of a running session receive and send, on the session's frames, and \
      makes no client of its own.
      """)

  @Argument(
    help: ArgumentHelp(
      """
      The MIDI outputs to monitor, as in a configuration's from; also those of a session. Default: physical:midi.
      """, valueName: "port"))
  var ports: [String] = []

  @Option(
    name: .customLong("unit"),
    help: ArgumentHelp(
      "A unit of the running session, * for all, instead of ports; can be repeated.",
      valueName: "unit"),
    completion: .custom(completedUnits))
  var units: [String] = []

  @Option(
    name: .customLong("client"),
    help: ArgumentHelp(
      "The JACK client name of the units' session, if several run.", valueName: "name"),
    completion: .custom(completedSessions))
  var session: String?

  @Option(
    name: .customLong("only"),
    help: ArgumentHelp(
      "Show one kind of message; can be repeated.",
      valueName: MonitoredMessage.Kind.allCases.map(\.rawValue).joined(separator: "|")))
  var kinds: [MonitoredMessage.Kind] = []

  @Option(
    help: ArgumentHelp(
      "Show one MIDI channel, 1 to 16, and no messages without a channel.", valueName: "number"))
  var channel: Int?

  @Flag(help: "Show clock and active sensing too.")
  var all = false

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @OptionGroup var client: ClientOptions

  @Flag(help: "Log more.")
  var verbose = false

  func validate() throws {
    if let channel, !(1...16).contains(channel) {
      throw ValidationError("--channel takes 1 to 16")
    }
    if !units.isEmpty && !ports.isEmpty {
      throw ValidationError("give PORT or --unit, not both")
    }
    if session != nil && units.isEmpty { throw ValidationError("--client needs --unit") }
    if ports.count > MonitoredSession.mostPorts {
      throw ValidationError("PORT can be given \(MonitoredSession.mostPorts) times at most")
    }
  }

  func run() async throws {
    CommandLog.install(isVerbose: verbose)
    let filter = MonitorFilter(kinds: kinds, channel: channel, showsContinual: all)
    if !units.isEmpty { return try monitorUnits(filter) }
    let log = Logger(label: "auricle")
    client.choosePipeWire(log)
    let signals = SignalStream()
    let monitored: MonitoredSession
    do throws(ConfigurationError) {
      monitored = try await MonitoredSession(
        ports.isEmpty ? [PhysicalPorts.midi.text] : ports)
    } catch { throw CommandFailure.badConfiguration(error) }
    try await reportingFailures {
      let session = try JackSession(monitored.plan, client.options(), log: log)
      defer { session.stop() }
      var output = MonitorOutput(monitored, filter, json: json)
      var failure: CommandFailure?
      do {
        try await session.run(until: signals, remotes: []) {
          do throws(CommandFailure) {
            monitored.followSources(of: session)
            try output.look()
          } catch { failure = error }
          return failure != nil
        }
      } catch {
        try output.end(log)
        throw error
      }
      if let failure { throw failure }
      try output.end(log)
    }
  }
}

/// Prints events. While the reader stops reading, events wait in their ring, which counts those
/// without room.
private struct MonitorOutput {
  private let monitored: MonitoredSession
  private let filter: MonitorFilter
  private let format: MonitorFormat
  /// Text that the output has not accepted yet.
  private var pending: ArraySlice<UInt8> = []

  init(_ monitored: MonitoredSession, _ filter: MonitorFilter, json: Bool) {
    (self.monitored, self.filter, format) = (monitored, filter, MonitorFormat(json: json))
  }

  /// Prints the events since the last call, unless earlier ones still wait for the output.
  mutating func look() throws(CommandFailure) {
    try StandardOutput.write(&pending, within: 0)
    guard pending.isEmpty else { return }
    takeEvents()
    try StandardOutput.write(&pending, within: 0)
  }

  /// Prints the last events, and logs how many lines the output has not accepted.
  mutating func end(_ log: Logger) throws(CommandFailure) {
    takeEvents()
    try StandardOutput.write(&pending, within: 250)
    let lost = pending.count { $0 == UInt8(ascii: "\n") }
    if lost > 0 { log.warning("\(lost) lines found no reader") }
  }

  private mutating func takeEvents() {
    let width = monitored.ports.count > 1 ? monitored.ports.map(\.count).max() : nil
    for event in monitored.take() where filter.shows(event.message) {
      pending += format.text(event, sourceWidth: width).utf8
      pending.append(UInt8(ascii: "\n"))
    }
  }
}
