// Five small programs with an engine. Without a JACK server they start their own.

import Auricle
import AuricleHost
import Foundation

@main
struct Program {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    let engine = try Engine(name: "engine-tour", .jack(JackSession.Options(start: .dummy)))
    switch (arguments.first, arguments.dropFirst().first) {
    case ("siren", nil): try await siren(engine)
    case ("players", let file?): try await players(engine, recordingTo: url(file))
    case ("karaoke", let file): try await karaoke(engine, backing: file.map(url))
    case ("stream", let file?): try await stream(engine, from: url(file))
    case ("balls", let count): try await balls(engine, count: count.flatMap { Int($0) } ?? 100)
    default:
      print(
        """
        usage: EngineTour siren
               EngineTour players RECORDING.wav
               EngineTour karaoke [BACKING.flac]
               EngineTour stream SOUND.flac
               EngineTour balls [COUNT]
        """)
      exit(2)
    }
    await engine.stop()
  }

  private static func url(_ file: String) -> URL { URL(fileURLWithPath: file) }
}

/// Prints a line at once, even if a program reads the output.
func say(_ line: String) { FileHandle.standardOutput.write(Data("\(line)\n".utf8)) }
