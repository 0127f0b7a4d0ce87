// The command's entry points for a program's `main`.

import CHeap
import Files
import Glibc
import Platform
import Tools
public import UnitModel

extension AuricleCommand {
  /// Runs the command line of this process with only the built-in components; otherwise as
  /// `main(adding:)`.
  ///
  /// - Thread: [control], the main thread, from the program's `main`, which is not `async`.
  public static func main() -> Never { main(adding: []) }

  /// Runs the command line of this process with additional components, which all commands and
  /// configurations can use. Ends the process with status 0, 1 (failed) or 2 (bad usage or
  /// configuration).
  ///
  /// The command runs on other threads; the calling one waits for signals.
  ///
  /// - Parameter components: additional components, registered in this order.
  /// - Thread: [control], the main thread, from the program's `main`, which is not `async`.
  public static func main(adding components: [Component]) -> Never {
    heapShareArena()
    // Before child programs get the environment, and while no other thread reads it.
    _ = ServiceNotification.current
    StandardStreams.prepare()
    if let problem = DescriptorLimit.problem {
      StandardError.write("auricle: \(problem)")
      Glibc.exit(1)
    }
    let wait = FileWait(notify: {
      StandardError.write("auricle: \(harmless($0, isOneLine: true))")
    })
    SignalWatch.run {
      await FileWait.$current.withValue(wait) {
        await HostComponents.$added.withValue(components) { await execute() }
      }
    }
  }
}
