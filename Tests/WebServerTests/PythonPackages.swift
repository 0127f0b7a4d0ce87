// Packages of PyPI that tests use.

import Foundation
import TestSupport

/// Packages that are fetched once into the folder of the build.
struct PythonPackages {
  /// Names with their versions, as pip takes them.
  let names: [String]
  let folder: URL

  /// - Parameter folder: a name in the folder of the build.
  init(_ names: [String], in folder: String) {
    self.names = names
    self.folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
      .deletingLastPathComponent().appendingPathComponent(folder)
  }

  /// Runs Python with the packages.
  func run(_ arguments: [String]) async throws -> (isDone: Bool, output: String) {
    let child = try ChildProcess(
      URL(fileURLWithPath: "/usr/bin/env"), ["python3"] + arguments,
      environment: ["PYTHONPATH": folder.path, "PYTHONDONTWRITEBYTECODE": "1"])
    let status = try await child.wait(within: .seconds(180))
    return (status == .exited(0), child.standardOutput + child.standardError)
  }

  /// Whether a check passes, at once or after the packages are fetched.
  func areThere(_ check: () async -> Bool) async -> Bool {
    if await check() { return true }
    let fetch =
      [
        "-m", "pip", "install", "--quiet", "--no-deps", "--only-binary", ":all:", "--timeout", "15",
        "--retries", "1", "--upgrade", "--target", folder.path,
      ] + names
    _ = try? await run(fetch)
    return await check()
  }
}
