// auricle reference

import ArgumentParser
import Files
import FoundationEssentials
import UnitModel

/// The command that regenerates the generated parts of Markdown files, and the schema of
/// configurations, for `make reference`.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Renew the generated parts of Markdown files, and the JSON schema of configurations.",
    shouldDisplay: false)

  @Argument(
    help: "Markdown files with <!-- reference: … --> in them, and files .schema.json.",
    completion: .file())
  var files: [String]

  func run() throws {
    for file in files {
      do {
        if file.hasSuffix(".schema.json") {
          try FileAccess.write(ConfigurationSchema.make(HostComponents.makeRegistry()), to: file)
          continue
        }
        let bytes = try OpenFile(file).contents(upTo: 1 << 24)
        let old = String(decoding: bytes ?? [], as: UTF8.self)
        let new = try Reference.renew(old, file: file)
        if new != old { try FileAccess.write(Data(new.utf8), to: file) }
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw CommandFailure(message: "\(file): \(error)", status: 1)
      }
    }
  }
}
