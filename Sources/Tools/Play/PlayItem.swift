// A file to play.

import Configuration
import FoundationEssentials
import MediaFiles
import SessionModel

/// A MIDI file or audio that is played.
struct PlayItem: Sendable {
  enum Content: Sendable {
    case song
    case audio
    /// Audio that was read whole, because a pipe cannot be read again.
    case clip(AudioClip)
  }

  let url: URL
  let content: Content
  /// 1 for MIDI files.
  let channelCount: Int
  /// nil if the file does not tell.
  let durationSeconds: Double?
  /// Remarks on the file's content, a line each.
  let warnings: [String]

  /// The file's name, to be shown.
  var name: String { printable(url.lastPathComponent, 60) }

  var isSong: Bool { if case .song = content { true } else { false } }

  /// Reads a MIDI file.
  init(song url: URL) throws(PlayError) {
    self.url = url
    let file = try wrap(PlayError.midi) { () throws(MIDIFileError) in
      try MIDIFile(contentsOf: url)
    }
    content = .song
    channelCount = 1
    durationSeconds = file.durationSeconds
    let remarks = file.remarks.map { "\(url.relativePath): \($0)" }
    warnings = file.hasNotes ? remarks : remarks + ["\(url.relativePath) has no notes"]
  }

  /// Reads the header of an audio file, or a pipe whole.
  init(audio url: URL) throws(PlayError) {
    self.url = url
    warnings = []
    let reader = try wrap(PlayError.audio) { () throws(AudioFileError) in
      try AudioFileReader(contentsOf: url)
    }
    channelCount = reader.channelCount
    if reader.isRegular {
      content = .audio
      durationSeconds = reader.frameCount.map { Double($0) / reader.sampleRate }
      return
    }
    let clip = try wrap(PlayError.clip) { () throws(AudioClipError) in
      try AudioClip(
        reader, name: url.relativePath, frames: nil, maximumBytes: AudioClip.maximumBytes)
    }
    content = .clip(clip)
    durationSeconds = Double(clip.frameCount) / clip.sampleRate
  }
}
