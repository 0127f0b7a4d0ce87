// The description of a configuration, for lists.

import Configuration
import UnitModel

/// Returns the comment that begins a configuration, without its full stop; nil without one.
func configurationTitle(_ file: String) -> String? {
  let text = FileAccess.text(file, maximumBytes: SessionConfiguration.maximumBytes)
  let first = text.prefix { $0 != "\n" }
  let line = first.drop { $0 == "#" || $0 == " " }
  guard first.hasPrefix("#"), !line.isEmpty else { return nil }
  return String(line.hasSuffix(".") ? line.dropLast() : line)
}
