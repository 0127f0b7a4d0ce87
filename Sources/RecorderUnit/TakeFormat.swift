// Formats of takes.

package import MediaFiles

/// The format of a recorder's files, chosen by the extension of their name.
///
/// - Thread: [any]
package enum TakeFormat: Sendable, Hashable {
  case audio(AudioFileFormat)
  /// A Standard MIDI File of format 0.
  case midi

  /// Chooses the format by a file's name.
  ///
  /// - Parameter encoding: the encoding of samples; nil for the default of the format.
  /// - Throws: `AudioFileError` if the name implies no format, or the format lacks the encoding.
  package init(
    fileName: String, encoding: AudioFileFormat.Encoding? = nil
  ) throws(AudioFileError) {
    let name = fileName.lowercased()
    guard !Self.midiEndings.contains(where: { name.hasSuffix(".\($0)") }) else {
      guard encoding == nil else {
        throw .invalid(file: fileName, reason: "a MIDI file has no sample format; leave it out")
      }
      self = .midi
      return
    }
    do throws(AudioFileError) {
      self = .audio(try AudioFileFormat(fileName: fileName, encoding: encoding))
    } catch {
      guard case .unknownFormat(let file, let known) = error else { throw error }
      throw .unknownFormat(file: file, known: (known + Self.midiEndings).sorted())
    }
  }

  private static let midiEndings = ["mid", "midi"]
}
