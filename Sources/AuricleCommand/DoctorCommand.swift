// auricle doctor

import ArgumentParser
import Tools

struct DoctorCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "doctor",
    abstract: "Check this machine for realtime audio, and say how to get what is missing.")

  @OptionGroup var jack: ServerOptions

  func run() throws {
    CommandLog.install(isVerbose: false)
    let findings = Doctor.examine(server: jack.server)
    for finding in findings {
      if let remedy = finding.remedy {
        try StandardOutput.write("lacking  \(finding.subject)\n         \(remedy)")
      } else {
        try StandardOutput.write("fine     \(finding.subject)")
      }
    }
    let lacking = findings.filter { $0.remedy != nil }.count
    if lacking > 0 {
      throw CommandFailure(message: "\(lacking) of \(findings.count) things are lacking", status: 1)
    }
  }
}
