// auricle play

import ArgumentParser
import JackBackend
import JackHost
import Logging
import PlayerUnit
import Remotes
import Session
import SessionModel
import Tools

struct PlayCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "play",
    abstract: "Play a SoundFont, a MIDI file, or audio through an effect, without a configuration.",
    discussion: """
      All MIDI devices of the machine play a SoundFont, until SIGINT, SIGTERM or SIGHUP. With SONG, the MIDI file plays \
      it once, and the command ends when the last notes have rung out. With --unit, FILE is audio that is played once \
      through the effect. The sound goes to the machine's outputs.
      """)

  @Argument(
    help: "A SoundFont, also by its name in the usual folders; with --unit, an audio file.",
    completion: .file(extensions: ["sf2", "sf3", "wav", "flac", "ogg", "aiff", "aif", "caf"]))
  var file: String

  @Argument(
    help: "A MIDI file that plays the SoundFont once.",
    completion: .file(extensions: ["mid", "midi", "rmi"]))
  var song: String?

  @Option(
    help: "An effect, by its short name or codes.", completion: .custom(completedEffects))
  var unit: String?

  @Option(
    help: ArgumentHelp(
      """
      A preset of the SoundFont (auricle soundfont lists them) or of the effect (auricle units). Default: the \
      SoundFont's first.
      """, valueName: "name|number"))
  var preset: String?

  @Option(help: "The bank of the SoundFont, 0 to 127, or 128 for percussion.")
  var bank: Int?

  @Option(help: "The program of the SoundFont, 0 to 127.")
  var program: Int?

  @Option(
    help: ArgumentHelp(
      "Time after the end of the file, 0 to 3600. Default: until it has rung out, 5 at most.",
      valueName: "seconds"))
  var tail: Double?

  @OptionGroup var client: ClientOptions

  @Flag(help: "Log more.")
  var verbose = false

  func validate() throws {
    if let bank, !PlayOptions.banks.contains(bank) {
      throw ValidationError("--bank takes 0 to \(PlayOptions.banks.upperBound)")
    }
    if let program, !PlayOptions.programs.contains(program) {
      throw ValidationError("--program takes 0 to \(PlayOptions.programs.upperBound)")
    }
    if preset != nil, program != nil {
      throw ValidationError("--preset and --program both choose the sound; give one of them")
    }
    if let tail, !PlayOptions.tails.contains(tail) {
      throw ValidationError("--tail takes \(BounceOptions.acceptedTails)")
    }
    if tail != nil, song == nil, unit == nil {
      throw ValidationError("--tail is for a file that is played; give SONG too")
    }
    guard unit != nil else { return }
    if song != nil { throw ValidationError("--unit takes one audio file, and no MIDI file") }
    if bank != nil || program != nil {
      throw ValidationError("--bank and --program are for SoundFonts; --unit takes --preset")
    }
  }

  func run() async throws {
    CommandLog.install(isVerbose: verbose)
    let signals = SignalStream()
    let log = Logger(label: "auricle")
    let played = try await load(log)
    for remedy in RealtimeLimits.current.remedies { log.warning("\(remedy)") }
    try await reportingFailures {
      do {
        try await play(played, until: signals, log)
      } catch SessionError.graph(.unitFailed(id: PlayedSession.playerID, let reason)) {
        // The id is internal and means nothing to the user.
        throw SessionError.failed(reason)
      }
    }
  }

  private func load(_ log: Logger) async throws -> PlayedSession {
    let options = PlayOptions(
      file: file, song: song, unit: unit, preset: preset, bank: bank, program: program,
      tailSeconds: tail)
    do {
      let played = try await SessionPlan.makeBuilder(log).build(options)
      for line in played.plan.warnings + (played.file?.warnings ?? []) { log.warning("\(line)") }
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
    try StandardOutput.write(session.readyLine, mayLoseReader: true)
    guard let file = played.file else {
      return try await session.run(until: signals, commandsFrom: socket)
    }
    session.play(file)
    let progress = ProgressLine("playing")
    defer { progress.clear() }
    var shown = ""
    try await session.run(until: signals, commandsFrom: socket) {
      let text = file.player.progress
      if text != shown { progress.show(text) }
      shown = text
      return file.isDone
    }
    if !file.isDone { await file.leave() }
    for line in file.losses { log.warning("\(line)") }
  }
}

extension PlayerUnit {
  /// The progress as text: "00:42 of 03:10".
  fileprivate var progress: String {
    "\(clock(min(max(0, positionSeconds), durationSeconds))) of \(clock(durationSeconds))"
  }
}
