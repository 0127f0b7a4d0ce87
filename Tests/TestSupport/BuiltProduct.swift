// Finds the executables that were built together with the running tests.
import Foundation

/// The address of a product of this package, in the build directory (and so of the configuration and
/// sanitizer) that the running tests come from.
///
/// - Throws: `RigError.productMissing` if it is not there.
public func builtProduct(_ name: String) throws(RigError) -> URL {
  let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  let product = bundle.deletingLastPathComponent().appendingPathComponent(name)
  guard FileManager.default.isExecutableFile(atPath: product.path) else {
    throw .productMissing(path: product.path)
  }
  return product
}

/// The address of a program in PATH, or nil.
public func installedProgram(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
