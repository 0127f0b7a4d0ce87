// A live set for sessions of tests.

import Foundation
import TestSupport

extension TemporaryDirectory {
  /// Writes a SoundFont whose notes never end.
  ///
  /// - Returns: the configuration of a sampler `keys` with two entries of it.
  public func writeLiveSet() throws -> String {
    try SoundFontMaker.endless(releaseSeconds: 60).write(to: file("font.sf2"))
    return """
      [[unit]]
      id = "keys"
      component = "sampler"
      soundfont = "font.sf2"
      [[unit.entry]]
      number = 3
      name = "Soft"
      parameters = { gain = -12.0 }
      [[unit.entry]]
      number = 4
      name = "Loud"
      parameters = { gain = 6.0 }

      """
  }
}
