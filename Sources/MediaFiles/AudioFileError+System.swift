// Errors of the system, for users of audio and MIDI files.

import Files
import Glibc

extension AudioFileError {
  /// The error of a file that cannot be created.
  init(creating file: String, _ error: SystemError) {
    if error.number == EEXIST {
      self = .exists(file: file)
    } else if error.isFullDisk {
      self = .diskFull(file: file)
    } else {
      self = .cannotCreate(file: file, reason: error.description)
    }
  }

  /// The error of a file that cannot be written.
  ///
  /// - Parameter reason: the reason if the system has reported no error.
  init(writing file: String, _ error: SystemError, _ reason: String = "") {
    if error.isFullDisk {
      self = .diskFull(file: file)
    } else if error.number == EEXIST {
      self = .exists(file: file)
    } else {
      self = .cannotWrite(file: file, reason: error.number == 0 ? reason : error.description)
    }
  }
}
