// Levels as bars.

enum LevelBar {
  /// The level of an empty bar, in dBFS; it is full at 0.
  static let floor: Float = -60

  private static let eighths = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]

  /// - Parameters:
  ///   - level: in dBFS.
  ///   - cells: width of the whole bar, above 0.
  /// - Returns: a text of that width.
  static func text(_ level: Float, cells: Int, isUnicode: Bool) -> String {
    let part = max(0, min(1, (level - floor) / -floor))
    let steps = isUnicode ? 8 : 1
    let filled = Int((part * Float(cells * steps)).rounded())
    let bar =
      isUnicode
      ? String(repeating: "█", count: filled / 8) + eighths[filled % 8]
      : String(repeating: "#", count: filled)
    return bar
      + String(repeating: isUnicode ? "·" : ".", count: cells - (filled + steps - 1) / steps)
  }

  static func style(_ level: Float) -> TopStyle {
    if level >= 0 { return .bad }
    return level >= -9 ? .warning : .good
  }
}
