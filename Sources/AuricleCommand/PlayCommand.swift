// auricle play

import ArgumentParser
import JackBackend
import JackHost
import Logging
import Remotes
import Session
import SessionModel
import Tools

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play SoundFonts, MIDI files, audio files and folders, without a configuration.",
    discussion: """
      MIDI files, audio files and the files of folders are played once, one after the other, and the command ends \
      when the last one has rung out. Audio files follow each other without a gap. A SoundFont plays the MIDI files \
      and all MIDI devices of the machine; alone, until SIGINT, SIGTERM or SIGHUP. Without one, MIDI files are played \
      by the system's SoundFont. The sound goes to the machine's outputs.
      """)

  @Argument(
    help: "A SoundFont, also by its name in the usual folders; MIDI files, audio files, folders.",
    completion: .custom(completedPlayedFiles))
  var files: [String]

  @Flag(help: "Play the files again and again. A single file repeats without a gap.")
  var loop = false

  @Option(
    help: "An effect for all sound, by its short name or codes.",
    completion: .custom(completedEffects))
  var unit: String?

  @Option(
    help: ArgumentHelp(
      """
      A preset of the effect (auricle units) if there is one, otherwise of the SoundFont (auricle soundfont lists \
      them). Default: the SoundFont's first.
      """, valueName: "name|number"))
  var preset: String?

  @Option(help: "The bank of the SoundFont, 0 to 127, or 128 for percussion.")
  var bank: Int?

  @Option(help: "The program of the SoundFont, 0 to 127.")
  var program: Int?

  @Option(
    help: ArgumentHelp(
      """
      Time after the end of a file that no other joins, 0 to 3600. Default: until it has rung out, 5 at most.
      """, valueName: "seconds"))
  var tail: Double?

  @OptionGroup var client: ClientOptions

  @Flag(help: "Log more.")
  var verbose = false

  func validate() throws {
    if files.isEmpty { throw ValidationError("Missing expected argument '<files> ...'") }
    if let bank, !PlayOptions.banks.contains(bank) {
      throw ValidationError("--bank takes 0 to \(PlayOptions.banks.upperBound)")
    }
    if let program, !PlayOptions.programs.contains(program) {
      throw ValidationError("--program takes 0 to \(PlayOptions.programs.upperBound)")
    }
    if preset != nil, program != nil, unit == nil {
      throw ValidationError("--preset and --program both choose the sound; give one of them")
    }
    if let tail, !PlayOptions.tails.contains(tail) {
      throw ValidationError("--tail takes \(BounceOptions.acceptedTails)")
    }
  }

  func run() async throws {
    CommandLog.install(isVerbose: verbose)
    let log = Logger(label: "auricle")
    client.choosePipeWire(log)
    let signals = SignalStream()
    let played = try await load(log)
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    try await reportingFailures { try await play(played, until: signals, log) }
  }

  private func load(_ log: Logger) async throws -> PlayedSession {
    let options = PlayOptions(
      files: files, unit: unit, preset: preset, bank: bank, program: program, tailSeconds: tail,
      loops: loop)
    do {
      let played = try await SessionPlan.makeBuilder(log).build(options)
      for line in played.plan.warnings + played.warnings { log.warning("\(line)") }
      return played
    } catch PlayError.configuration(let error) {
      throw CommandFailure.badConfiguration(error)
    } catch let error as PlayError {
      throw CommandFailure.failed(error)
    }
  }

  private func play(
    _ played: PlayedSession, until signals: SignalStream, _ log: Logger
  ) async throws {
    let session = try JackSession(played.plan, client.options(), log: log)
    defer { session.stop() }
    let socket = SessionSocket.listening(as: session.clientName, log)
    defer { socket?.close() }
    try reportReady(session.readyLine, log)
    guard let list = played.list else {
      return try await session.run(until: signals, commandsFrom: socket)
    }
    let line = ProgressLine("playing")
    defer { line.clear() }
    let delay = session.playDelay
    let playing = Task {
      await list.play(afterSeconds: delay) {
        line.clear()
        log.notice("plays \($0.file)")
      } warn: {
        line.clear()
        log.warning("\($0)")
      }
    }
    var shown: String?
    try await session.run(until: signals, commandsFrom: socket) {
      let text = list.progress?.text
      if let text, text != shown { line.show(text) }
      shown = text
      return list.isDone
    }
    let isLeft = !list.isDone
    playing.cancel()
    if isLeft { await list.leave() }
    if !isLeft, list.progress == nil {
      throw SessionError.failed("none of the files could be played")
    }
    for line in list.losses { log.warning("\(line)") }
  }
}

extension PlayProgress {
  /// The file as text: "song.mid (03:10)".
  fileprivate var file: String { name + (durationSeconds.map { " (\(clock($0)))" } ?? "") }

  /// The progress as text: "song.mid, 00:42 of 03:10".
  fileprivate var text: String {
    "\(name), \(clock(positionSeconds))" + (durationSeconds.map { " of \(clock($0))" } ?? "")
  }
}
