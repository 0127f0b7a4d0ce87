// auricle record

import ArgumentParser
import Configuration
import Glibc
import JackBackend
import JackHost
import Logging
import MediaFiles
import Remotes
import Session
import SessionModel
import Tools

extension RecordOptions.Start: ExpressibleByArgument {}

struct RecordCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Record the machine's inputs, or other ports, to a file of sound or MIDI.",
    discussion: """
      The file's extension selects the format: .wav (32-bit float), .w64, .flac (24 bits), .ogg (Vorbis), .aiff or \
      .caf; or .mid for MIDI, with the tempo of JACK's transport. An existing file is never replaced: the next take is FILE-2. A take begins when each --from has a port, and \
      ends with --seconds, SIGINT, SIGTERM or SIGHUP. A terminal shows the file, its length, its level or count of \
      notes, and the free disk space; a log has them once a minute.
      """)

  @Argument(
    help: "The file to record to: .wav, .w64, .flac, .ogg, .aiff, .caf or .mid.",
    completion: .file(extensions: ["wav", "w64", "flac", "ogg", "aiff", "caf", "mid"]))
  var file: String

  @Option(
    help: ArgumentHelp(
      """
      The ports to record, as in a configuration's from; can be repeated. Default: physical:inputs, or physical:midi for \
      a MIDI file.
      """, valueName: "ports"))
  var from: [String] = []

  @Option(
    help: ArgumentHelp(
      "Length, exact to the frame. Default: until a signal.", valueName: "seconds"))
  var seconds: Double?

  @Option(
    help: ArgumentHelp(
      "Start of a take: now, with the first note from a MIDI device, or with JACK's transport.",
      valueName: "now|note|transport"))
  var start = RecordOptions.Start.now

  @Flag(help: "End with status 1 if a --from has no port, instead of waiting for one.")
  var noWait = false

  @OptionGroup var encoding: EncodingOptions

  @OptionGroup var client: ClientOptions

  @Flag(help: "Log more.")
  var verbose = false

  func validate() throws {
    if let seconds {
      guard RecordOptions.lengths.contains(seconds) else {
        throw ValidationError("--seconds takes 0.001 to 1000000 seconds")
      }
      guard start == .now else {
        throw ValidationError("--seconds is for a take that begins now; leave out --start")
      }
    }
    _ = try options()
  }

  func run() async throws {
    CommandLog.install(isVerbose: verbose)
    let log = Logger(label: "auricle")
    client.choosePipeWire(log)
    let signals = SignalStream()
    let recorded = try await build(log)
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    try await reportingFailures {
      let session = try JackSession(recorded.plan, client.options(), log: log)
      defer { session.stop() }
      let socket = SessionSocket.listening(as: session.clientName, log)
      defer { socket?.close() }
      try reportReady(session.readyLine, log)
      let recording = try Recording(recorded, session, waits: !noWait)
      let progress = RecordProgress(log)
      defer { progress.clear() }
      var failure: SessionError?
      try await session.run(until: signals, commandsFrom: socket) {
        do throws(SessionError) {
          let isDone = try recording.look()
          progress.show(recording)
          return isDone
        } catch {
          failure = error
          return true
        }
      }
      if let failure { throw failure }
      try recording.end()
    }
  }

  private func options() throws -> RecordOptions {
    do throws(AudioFileError) {
      return try RecordOptions(
        file: file, encoding: encoding.format, sources: from, start: start, seconds: seconds)
    } catch { throw EncodingOptions.refusal(error) }
  }

  private func build(_ log: Logger) async throws -> RecordedSession {
    let options = try options()
    let builder = try SessionPlan.makeBuilder(log)
    do throws(ConfigurationError) {
      let recorded = try await builder.build(options)
      for line in recorded.plan.warnings { log.warning("\(line)") }
      return recorded
    } catch { throw CommandFailure.badConfiguration(error) }
  }
}
