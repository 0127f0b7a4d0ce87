// Marks of a take, in a file next to it.

import Configuration
import Files
import FoundationEssentials
import Platform

/// A text file next to a take, created with its first mark. Each mark is a line with its begin and
/// end in seconds and its text, the format of Audacity's labels.
///
/// Used by one thread at a time.
final class TakeMarks {
  /// The take's file, and the file of its marks.
  let take: URL
  let url: URL
  private let sampleRate: Double
  private var file: GrowingFile?

  /// - Parameter take: the take's file.
  init(of take: URL, sampleRate: Double) {
    self.take = take
    url = URL(fileURLWithPath: take.path + ".marks.txt")
    self.sampleRate = sampleRate
  }

  /// Whether no mark has been written.
  var isEmpty: Bool { file == nil }

  func add(_ text: String, at frame: Int, count: Int = 0) throws(SystemError) {
    let file: GrowingFile
    if let own = self.file { file = own } else { file = try GrowingFile(path: url.path) }
    self.file = file
    let seconds = [frame, frame + count].map { (Double($0) / sampleRate).text(decimals: 6) }
    // Port names of other programs may contain any characters.
    try file.append("\(seconds[0])\t\(seconds[1])\t\(printable(text, 1000))\n")
  }
}
