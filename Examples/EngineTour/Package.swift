// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "EngineTour",
  dependencies: [
    // Elsewhere: .package(url: "…", branch: "main"), and the package's name is the repository's.
    .package(name: "auricle", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "EngineTour",
      dependencies: [
        .product(name: "Auricle", package: "auricle"),
        .product(name: "AuricleHost", package: "auricle"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
