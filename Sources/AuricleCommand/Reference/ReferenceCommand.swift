// auricle reference

import ArgumentParser
import Foundation

/// Renews the parts of Markdown files that are made of the program itself, for `make reference`.
struct ReferenceCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reference",
    abstract: "Renew the tables of Markdown files that are made from the program.",
    shouldDisplay: false)

  @Argument(help: "Markdown files with <!-- reference: … --> in them.", completion: .file())
  var files: [String]

  func run() throws {
    for file in files {
      let url = URL(fileURLWithPath: file)
      do {
        let old = try String(contentsOf: url, encoding: .utf8)
        let new = try Reference.renew(old, file: file)
        if new != old { try Data(new.utf8).write(to: url, options: .atomic) }
      } catch let failure as CommandFailure {
        throw failure
      } catch {
        throw CommandFailure(message: "\(file): \(error.localizedDescription)", status: 1)
      }
    }
  }
}
