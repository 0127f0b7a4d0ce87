// Nine small programs with an engine. All but one play on a JACK server, or start their own.

import Auricle
import AuricleHost
import Foundation

@main
struct Program {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let mode = Engine.Mode.jack(JackSession.Options(start: .dummy))
    let engine = try Engine(name: "engine-tour", mode)
    switch (arguments.first, arguments.dropFirst().first) {
    case ("siren", nil): try await siren(engine)
    case ("players", let file?): try await players(engine, recordingTo: url(file))
    case ("karaoke", let file): try await karaoke(engine, backing: file.map(url))
    case ("stream", let file?): try await stream(engine, from: url(file))
    case ("balls", let count): try await balls(engine, count: count.flatMap { Int($0) } ?? 100)
    case ("hum", nil): try await hum(engine)
    case ("notes", let font?): try await notes(engine, from: url(font))
    case ("memo", let file?): try await memo(url(file), mode)
    case ("bounce", let source?) where arguments.count == 3:
      try await bounce(url(source), to: url(arguments[2]))
    default:
      print(
        """
        usage: EngineTour siren
               EngineTour players RECORDING.wav
               EngineTour karaoke [BACKING.flac]
               EngineTour stream SOUND.flac
               EngineTour balls [COUNT]
               EngineTour hum
               EngineTour notes FONT.sf2
               EngineTour memo RECORDING.wav
               EngineTour bounce SOUND.flac RESULT.wav
        """)
      exit(2)
    }
    await engine.stop()
  }

  private static func url(_ file: String) -> URL { URL(fileURLWithPath: file) }
}

/// Prints a line at once, even if a program reads the output.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
