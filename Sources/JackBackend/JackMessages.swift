// Messages of libjack.

import CJack
import Logging

/// Sends libjack's messages to our log instead of standard error, where they would mix with our
/// instructions for the user.
enum JackMessages {
  private static let logger = Logger(label: "auricle.jack.library")

  private static let installed: Void = {
    jack_set_error_function { message in
      if let message { JackMessages.logger.trace("\(String(cString: message))") }
    }
    jack_set_info_function { message in
      if let message { JackMessages.logger.trace("\(String(cString: message))") }
    }
  }()

  static func install() { _ = installed }
}
