// Failures of the rig itself, as opposed to those of the tested code.

/// A failure of the test rig, or a wait that timed out.
public enum RigError: Error, CustomStringConvertible {
  case productMissing(path: String)
  case programMissing(String)
  case cannotStart(path: String, errno: Int32)
  case cannotMakePipe(path: String, errno: Int32)
  case cannotBind(address: String, errno: Int32)
  case timedOut(waitingFor: String, output: String)
  case endedEarly(waitingFor: String, status: ChildProcess.ExitStatus, output: String)
  case serverNotReady(name: String, log: String)
  case serverRefused(operation: String)
  case portMissing(String)
  case scriptTooLong(frames: Int, capacity: Int)
  case serverGone(reason: String)
  case cannotCompress(String)

  public var description: String {
    switch self {
    case .productMissing(let path):
      "\(path) is not built: run `swift build --build-tests` with the same options first"
    case .programMissing(let name):
      "\(name) is not installed: run scripts/install-dependencies.sh --tests"
    case .cannotStart(let path, let errno): "cannot start \(path): error \(errno)"
    case .cannotMakePipe(let path, let errno): "cannot make the pipe \(path): error \(errno)"
    case .cannotBind(let address, let errno): "cannot bind a socket to \(address): error \(errno)"
    case .timedOut(let awaited, let output):
      "no \(awaited) within the time limit; so far:\n\(output)"
    case .endedEarly(let awaited, let status, let output):
      "the process ended (\(status)) before \(awaited); its output:\n\(output)"
    case .serverNotReady(let name, let log): "JACK server \(name) did not become ready:\n\(log)"
    case .serverRefused(let operation): "the JACK server refused: \(operation)"
    case .portMissing(let name): "there is no JACK port \(name)"
    case .scriptTooLong(let frames, let capacity):
      "a script of \(frames) frames is longer than the client's capacity of \(capacity)"
    case .cannotCompress(let name): "libsndfile does not compress the sample \(name)"
    case .serverGone(let reason): "the JACK server ended: \(reason)"
    }
  }
}
