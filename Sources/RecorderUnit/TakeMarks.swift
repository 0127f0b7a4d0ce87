// Marks of a take, in a file beside it.

import Configuration
import Files
import Foundation

/// A text file beside a take, made with its first mark: a line for each, with its begin and end in
/// seconds and its text, as Audacity reads them as labels.
///
/// Used by one thread at a time.
final class TakeMarks {
  /// The take's file, and this one.
  let take: URL
  let url: URL
  private let sampleRate: Double
  private var file: GrowingFile?

  /// - Parameter take: that file.
  init(of take: URL, sampleRate: Double) {
    self.take = take
    url = URL(fileURLWithPath: take.path + ".marks.txt")
    self.sampleRate = sampleRate
  }

  /// Whether no mark has been made.
  var isEmpty: Bool { file == nil }

  func add(_ text: String, at frame: Int, count: Int = 0) throws(SystemError) {
    let file: GrowingFile
    if let own = self.file { file = own } else { file = try GrowingFile(path: url.path) }
    self.file = file
    let seconds = [frame, frame + count].map { String(format: "%.6f", Double($0) / sampleRate) }
    // Names of other programs' ports may have anything in them.
    try file.append("\(seconds[0])\t\(seconds[1])\t\(printable(text, 1000))\n")
  }
}
