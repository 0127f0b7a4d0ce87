// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "OwnUnit",
  dependencies: [
    // Elsewhere: .package(url: "…", branch: "main"), and the package's name is the repository's.
    .package(name: "auricle", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "OwnUnit",
      dependencies: [
        .product(name: "Auricle", package: "auricle"),
        .product(name: "AuricleHost", package: "auricle"),
      ],
      resources: [.embedInCode("View")]),
    .testTarget(name: "OwnUnitTests", dependencies: ["OwnUnit"]),
  ],
  swiftLanguageModes: [.v6]
)
