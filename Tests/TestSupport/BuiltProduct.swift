// Finds the executables that are tested.
import Foundation

/// The address of a product of this package, in the build directory (and so of the configuration
/// and sanitizer) that the running tests come from, or in that of $AURICLE_PRODUCTS.
///
/// - Throws: `RigError.productMissing` if it is not there.
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

/// The address of a program in PATH, or nil.
public func installedProgram(_ name: String) -> URL? {
  let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/local/bin:/usr/bin:/bin"
  return path.split(separator: ":")
    .map { URL(fileURLWithPath: String($0)).appendingPathComponent(name) }
    .first { FileManager.default.isExecutableFile(atPath: $0.path) }
}
