// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

let package = Package(
  name: "auricle-benchmarks",
  dependencies: [.package(name: "auricle", path: "../..")],
  targets: [
    // The baselines of the figures, as plain C.
    .target(
      name: "CBaseline", cSettings: [.unsafeFlags(["-O3"])],
      linkerSettings: [.linkedLibrary("fluidsynth"), .linkedLibrary("m")]),
    .executableTarget(
      name: "bench",
      dependencies: [
        "CBaseline", .product(name: "AuricleInternals", package: "auricle"),
        .product(name: "Auricle", package: "auricle"),
      ],
      swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6]
)
