// Locations of the executables under test.
import Foundation

/// URL of a product of this package in $AURICLE_PRODUCTS, by default in the build directory of the
/// running tests, and so of their configuration and sanitizer.
///
/// - Throws: `RigError.productMissing` if no executable exists there.
public func builtProduct(_ name: String) throws(RigError) -> URL {
  let bundle = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
  let directory =
    ProcessInfo.processInfo.environment["AURICLE_PRODUCTS"].map { URL(fileURLWithPath: $0) }
    ?? bundle.deletingLastPathComponent()
  let product = directory.appendingPathComponent(name)
  guard FileManager.default.isExecutableFile(atPath: product.path) else {
    throw .productMissing(path: product.path)
  }
  return product
}

/// Returns the URL of a program in PATH, or nil.
public func installedProgram(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
