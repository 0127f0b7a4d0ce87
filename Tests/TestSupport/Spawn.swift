// Starts processes from Swift values, and collects their output.
import CTestSupport
import Foundation
import Synchronization

/// The two ends of a pipe, which children do not inherit by accident.
struct ClosedPipe {
  let readEnd: Int32
  let writeEnd: Int32

  init() {
    var ends: [Int32] = [-1, -1]
    let result = rigPipe(&ends)
    precondition(result == 0, "no more pipes: error \(result)")
    readEnd = ends[0]
    writeEnd = ends[1]
  }
}

/// Starts a process. `input`, `output` and `error` become its standard streams; nil is /dev/null.
func spawn(
  _ path: String, _ arguments: [String], environment: [String: String],
  directory: String? = nil, input: Int32? = nil, output: Int32? = nil, error: Int32? = nil
) throws(RigError) -> pid_t {
  var argumentPointers = ([path] + arguments).map { strdup($0) } + [nil]
  var variablePointers = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for pointer in argumentPointers + variablePointers { free(pointer) } }
  let streams = [input ?? -1, output ?? -1, error ?? -1]
  var identifier: pid_t = 0
  let result = rigSpawn(
    path, &argumentPointers, &variablePointers, directory, streams, &identifier)
  guard result == 0 else { throw .cannotStart(path: path, errno: result) }
  return identifier
}

/// The content of a stream so far.
final class CollectedOutput: Sendable {
  private let content = Mutex<(bytes: [UInt8], isComplete: Bool)>(([], false))

  /// Reads on a separate thread until the stream's end, then closes it.
  ///
  /// With `keepsReports`, a sanitizer's report is also written to a file whose name begins with
  /// $AURICLE_SANITIZER_REPORTS, for the run that sets this variable.
  init(reading descriptor: Int32, keepsReports: Bool = false) {
    Thread.detachNewThread { [self] in
      var buffer = [UInt8](repeating: 0, count: 65_536)
      while true {
        let count = read(descriptor, &buffer, buffer.count)
        if count > 0 {
          content.withLock { $0.bytes.append(contentsOf: buffer[..<count]) }
        } else if count == 0 || errno != EINTR {
          break
        }
      }
      close(descriptor)
      if keepsReports { keepReport() }
      content.withLock { $0.isComplete = true }
    }
  }

  var text: String {
    String(decoding: content.withLock { $0.bytes }, as: UTF8.self)
  }

  private func keepReport() {
    guard let path = ProcessInfo.processInfo.environment["AURICLE_SANITIZER_REPORTS"] else {
      return
    }
    let text = text
    guard text.contains("ERROR: ") || text.contains("WARNING: "), text.contains("Sanitizer: ")
    else {
      return
    }
    try? Data(text.utf8).write(to: URL(fileURLWithPath: "\(path).\(UUID().uuidString)"))
  }

  var isComplete: Bool {
    content.withLock { $0.isComplete }
  }
}
