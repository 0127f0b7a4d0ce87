// Files read as a whole: any bytes give a value or an error.

import Configuration
import Foundation
import MediaFiles
import PropertyLists
import SamplerUnit
import UnitModel

@Sendable func fuzzConfiguration(_ bytes: UnsafeRawBufferPointer) {
  do throws(ConfigurationError) {
    _ = try SessionConfiguration(
      bytes: Array(bytes), file: "fuzz.toml", kinds: [SamplerUnit.component])
  } catch {
    precondition(!error.description.isEmpty)
  }
}

@Sendable func fuzzMIDIFile(_ bytes: UnsafeRawBufferPointer) {
  do throws(MIDIFileError) {
    let file = try MIDIFile(bytes: Array(bytes), file: "fuzz.mid")
    precondition(file.durationSeconds <= MIDIFile.maximumSeconds)
    for event in file.events { precondition(!file.bytes(of: event).isEmpty) }
  } catch {
    precondition(!error.description.isEmpty)
  }
}

@Sendable func fuzzPropertyList(_ bytes: UnsafeRawBufferPointer) {
  guard let list = try? PropertyList.dictionary(xml: Data(bytes)) else { return }
  // An encoded list decodes to the same list.
  let again = try? PropertyList.dictionary(xml: PropertyList.xml(list))
  precondition(again == list)
}
