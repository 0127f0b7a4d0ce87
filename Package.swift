// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]

func module(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = [])
  -> Target
{
  .target(name: name, dependencies: dependencies, exclude: exclude, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], resources: resources,
    swiftSettings: settings)
}

func example(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Examples/\(name)/Sources/\(name)",
    swiftSettings: settings)
}

let package = Package(
  name: "auricle",
  products: [
    .executable(name: "auricle", targets: ["AuricleProgram"]),
    // For unit developers, and for programs that host units.
    .library(name: "Auricle", targets: ["Auricle"]),
    .library(name: "AuricleHost", targets: ["AuricleHost"]),
    // For the tests of unit developers: what `auricle validate` checks.
    .library(name: "AuricleValidation", targets: ["UnitValidation"]),
    // For the benchmarks, a package of their own; no promise to anybody else.
    .library(
      name: "AuricleInternals",
      targets: [
        "DSP", "Realtime", "Graph", "GraphRender", "SamplerUnit", "MixerUnit",
        "EnvironmentUnit", "ScheduledPlayer", "MediaFiles", "ToneUnit", "WorstStreams",
      ]),
    // For the tests.
    .library(name: "FailingAllocations", type: .dynamic, targets: ["CFailingAllocations"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
  ],
  targets: [
    // System libraries, a module map each.
    .systemLibrary(name: "CJack"),
    .systemLibrary(name: "CFluidSynth"),
    .systemLibrary(name: "CSndFile"),
    .systemLibrary(name: "CVorbis"),
    .systemLibrary(name: "CSoxr"),
    .systemLibrary(name: "CMysofa"),
    .systemLibrary(name: "CRubberBand"),
    .systemLibrary(name: "CLiblo"),
    .systemLibrary(name: "CCurses"),
    .target(name: "CToml"),
    .target(name: "CLocalSocket"),
    .target(name: "CNetworkSocket"),
    .target(name: "CHeap"),

    // Render side.
    .target(name: "CRealtime"),
    module("Realtime", ["CRealtime"]),
    module("DSP", ["Realtime", "CRealtime"]),
    module("UnitRender", ["Realtime", "CRealtime"]),
    module("MIDIStages", ["UnitRender", "Realtime"]),
    module("GraphRender", ["UnitRender", "Realtime", "CRealtime"]),
    // With the making of what it renders, which shares FluidSynth's lock and log.
    module("FluidSynthPool", ["Realtime", "CFluidSynth"]),

    // Control side. `Platform` has what the standard library lacks.
    module("Platform", ["CRealtime"]),
    module("Files", ["Platform"]),
    module("UnitModel", ["UnitRender", "Realtime", "Files", "Platform"]),
    module(
      "UnitValidation", ["UnitModel", "UnitRender", "Realtime", "CRealtime", "CHeap", "Platform"]),
    module("Configuration", ["CToml", "UnitModel", "Files", "Platform"]),
    module("MIDIStagesModel", ["UnitModel", "MIDIStages"]),
    module("FilterUnit", ["UnitModel", "DSP"]),
    module("CombUnit", ["UnitModel", "DSP"]),
    module("DelayUnit", ["UnitModel", "DSP"]),
    module("EQUnit", ["UnitModel", "Configuration", "DSP"]),
    module("DistortionUnit", ["UnitModel", "DSP"]),
    module("DynamicsUnit", ["UnitModel", "Configuration", "DSP"]),
    module("SpaceUnit", ["UnitModel", "DSP"]),
    module("TimeUnit", ["UnitModel", "DSP"]),
    // By itself, because what links Rubber Band falls under its licence.
    module("TimePitchUnit", ["UnitModel", "DSP", "Platform", "CRubberBand"]),
    module("ToneUnit", ["UnitModel", "DSP"]),
    module("MixerUnit", ["UnitModel", "Configuration", "DSP"]),
    module("EnvironmentUnit", ["UnitModel", "Configuration", "DSP", "Files", "CMysofa"]),
    module("MIDIEffectUnit", ["UnitModel", "MIDIStages", "MIDIStagesModel"]),
    module(
      "SamplerUnit",
      [
        "UnitModel", "Configuration", "MIDIStages", "MIDIStagesModel", "DSP", "Files",
        "FluidSynthPool", "Platform",
      ]),
    module("ControlUnit", ["UnitModel", "Configuration", "MIDIStages"]),
    module("Graph", ["GraphRender", "UnitModel"]),
    module("MediaFiles", ["CSndFile", "CVorbis", "CSoxr", "Files", "Platform"]),
    module("PlayerUnit", ["UnitModel", "MediaFiles"]),
    module("ScheduledPlayer", ["UnitModel", "Configuration", "MediaFiles", "DSP", "Platform"]),
    module("RecorderUnit", ["UnitModel", "Configuration", "MediaFiles", "Files", "Platform"]),
    module(
      "JackBackend",
      [
        "GraphRender", "Graph", "CJack", "Platform",
        .product(name: "Logging", package: "swift-log"),
      ]),
    module("OfflineBackend", ["GraphRender", "Graph", "UnitModel", "MediaFiles"]),
    module("ControlSocket", ["CLocalSocket", "Platform"]),
    module("OSC", ["CLiblo", "CLocalSocket", "CNetworkSocket", "Platform"]),
    module(
      "SessionModel",
      [
        "Configuration", "UnitModel", "ControlUnit", "MIDIStages", "MIDIStagesModel", "Graph",
        "Files", "Platform",
      ]),
    module(
      "Session",
      [
        "SessionModel", "Configuration", "UnitModel", "ControlUnit", "MIDIStages",
        "MIDIStagesModel", "Graph", "GraphRender", "Files", "Platform", "CHeap",
        .product(name: "Logging", package: "swift-log"),
      ]),
    // What renders a session.
    module(
      "JackHost",
      [
        "Session", "SessionModel", "Configuration", "UnitModel", "Graph", "GraphRender",
        "JackBackend",
        .product(name: "Logging", package: "swift-log"),
      ]),
    module(
      "OfflineHost",
      ["Session", "SessionModel", "UnitModel", "Graph", "GraphRender", "OfflineBackend"]),
    // By whom others reach one.
    module(
      "Remotes",
      [
        "Session", "SessionModel", "Configuration", "UnitModel", "ControlSocket", "OSC", "Files",
        .product(name: "Logging", package: "swift-log"),
      ]),
    // The list of all kinds of units: only what begins a program imports it.
    module(
      "BuiltInUnits",
      [
        "Configuration", "UnitModel", "FilterUnit", "CombUnit", "DelayUnit", "DistortionUnit",
        "DynamicsUnit", "EQUnit", "SpaceUnit", "TimeUnit", "TimePitchUnit", "ToneUnit",
        "MixerUnit", "EnvironmentUnit", "MIDIEffectUnit", "SamplerUnit", "ScheduledPlayer",
        "RecorderUnit",
      ]),
    module(
      "Tools",
      [
        "Session", "SessionModel", "JackHost", "BuiltInUnits", "Configuration", "UnitModel",
        "RecorderUnit",
        "PlayerUnit", "MIDIStages", "MIDIStagesModel", "Graph", "GraphRender", "JackBackend",
        "OfflineBackend",
        "MediaFiles", "Files", "Platform", "DSP", .product(name: "Logging", package: "swift-log"),
      ]),

    module(
      "AudioEngine",
      [
        "Session", "SessionModel", "JackHost", "OfflineHost", "Remotes", "ControlSocket", "CHeap",
        "BuiltInUnits",
        "Configuration", "Graph", "UnitModel", "MixerUnit", "RecorderUnit", "ScheduledPlayer",
        .product(name: "Logging", package: "swift-log"),
      ]),

    // Products.
    module(
      "Auricle",
      ["UnitModel", "UnitRender", "Realtime", "MIDIStages", "MIDIStagesModel", "Configuration"]),
    module(
      "AuricleCommand",
      [
        "Session", "SessionModel", "JackHost", "Remotes", "Tools", "BuiltInUnits", "Configuration",
        "ControlSocket", "Files", "JackBackend", "PlayerUnit", "SamplerUnit", "UnitModel",
        "UnitValidation", "MediaFiles",
        "DSP", "Graph", "GraphRender", "Platform", "CCurses", "CHeap",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),
    module(
      "AuricleHost",
      [
        "AuricleCommand", "AudioEngine", "Session", "SessionModel", "JackHost", "Remotes", "Tools",
        "BuiltInUnits",
        "FilterUnit",
        "CombUnit", "DelayUnit", "DistortionUnit", "DynamicsUnit", "EQUnit", "SpaceUnit",
        "TimeUnit", "TimePitchUnit", "ToneUnit", "MixerUnit", "EnvironmentUnit", "MIDIEffectUnit",
        "SamplerUnit", "ScheduledPlayer", "RecorderUnit", "MediaFiles", "Graph", "JackBackend",
        "OfflineBackend",
      ]),
    .executableTarget(
      name: "AuricleProgram", dependencies: ["AuricleCommand"], swiftSettings: settings,
      // Symbols are bound when the program starts, not on the render thread at their first use.
      // Packages may depend on this one all the same: none takes this target.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]),

    // Examples, packages of their own too; built here for the tests that run them.
    example("OwnUnit", ["Auricle", "AuricleHost"]),
    example("PlayGraph", ["Auricle", "AuricleHost"]),
    example("EngineTour", ["Auricle", "AuricleHost"]),

    // Tests.
    .target(name: "CTestSupport", dependencies: ["CJack"], path: "Tests/CTestSupport"),
    .target(
      name: "TestSupport", dependencies: ["CJack", "CSndFile", "CTestSupport"],
      // Optimized in every build: a signal is measured sample by sample.
      path: "Tests/TestSupport", swiftSettings: settings + [.unsafeFlags(["-O"])]),
    // What tests of units share.
    .target(
      name: "UnitTestSupport", dependencies: ["TestSupport", "UnitModel"],
      path: "Tests/UnitTestSupport", swiftSettings: settings),
    // What tests of sessions share.
    .target(
      name: "SessionTestSupport",
      dependencies: [
        "TestSupport", "Session", "SessionModel", "OfflineHost", "Remotes", "BuiltInUnits",
        "Configuration",
        "ControlSocket", "Files", "MediaFiles", "OSC", "CNetworkSocket", "OfflineBackend",
        .product(name: "Logging", package: "swift-log"),
      ],
      path: "Tests/SessionTestSupport", swiftSettings: settings),
    // Units that do something wrong, and a program with them.
    .target(
      name: "FaultyUnits", dependencies: ["UnitModel", "UnitRender", "Realtime"],
      path: "Tests/FaultyUnits", swiftSettings: settings),
    .executableTarget(
      name: "ValidationProbe", dependencies: ["AuricleCommand", "FaultyUnits"],
      path: "Tests/ValidationProbe", swiftSettings: settings),
    tests("TestSupportTests", []),
    .testTarget(
      name: "OwnUnitTests", dependencies: ["OwnUnit", "Auricle"],
      path: "Examples/OwnUnit/Tests/OwnUnitTests", swiftSettings: settings),
    // The libraries as programs see them.
    tests(
      "LibraryTests",
      [
        "Auricle", "AuricleHost", "DSP", "ControlSocket",
        .product(name: "Logging", package: "swift-log"),
      ]),
    tests("RealtimeTests", ["Realtime"]),
    tests("DSPTests", ["DSP"], resources: [.copy("Fixtures")]),
    tests("UnitRenderTests", ["UnitRender"]),
    tests("UnitModelTests", ["UnitModel"]),
    tests("UnitValidationTests", ["UnitValidation", "CHeap", "UnitModel", "FaultyUnits"]),
    tests("MIDIStagesTests", ["MIDIStages", "MIDIStagesModel", "UnitModel"]),
    tests("FilterUnitTests", ["FilterUnit", "UnitTestSupport"]),
    tests("CombUnitTests", ["CombUnit", "UnitTestSupport"]),
    tests("DelayUnitTests", ["DelayUnit", "UnitTestSupport"]),
    tests("DistortionUnitTests", ["DistortionUnit", "UnitTestSupport"]),
    tests("DynamicsUnitTests", ["DynamicsUnit", "DSP", "Configuration", "UnitTestSupport"]),
    tests("EQUnitTests", ["EQUnit", "DSP", "Configuration", "UnitTestSupport"]),
    tests("SpaceUnitTests", ["SpaceUnit", "UnitTestSupport"]),
    tests(
      "TimeUnitTests",
      [
        "TimeUnit", "DSP", "Graph", "OfflineBackend", "ScheduledPlayer", "MediaFiles", "UnitModel",
        "UnitTestSupport",
      ]),
    tests(
      "TimePitchUnitTests",
      [
        "TimePitchUnit", "TimeUnit", "DSP", "Graph", "OfflineBackend", "ScheduledPlayer",
        "MediaFiles", "UnitModel", "UnitTestSupport",
      ]),
    tests("ToneUnitTests", ["ToneUnit", "UnitTestSupport"]),
    tests(
      "MixerUnitTests", ["MixerUnit", "DSP", "Graph", "OfflineBackend", "UnitTestSupport"]),
    tests(
      "EnvironmentUnitTests",
      ["EnvironmentUnit", "SpaceUnit", "DSP", "Configuration", "UnitTestSupport"]),
    // What every unit promises.
    tests(
      "UnitPromiseTests",
      [
        "FilterUnit", "CombUnit", "DelayUnit", "DistortionUnit", "DynamicsUnit", "EQUnit",
        "SpaceUnit", "ToneUnit", "MixerUnit", "MIDIEffectUnit", "TimeUnit", "TimePitchUnit",
        "ScheduledPlayer", "MediaFiles", "Graph", "OfflineBackend", "UnitValidation",
        "UnitTestSupport",
      ]),
    tests("MIDIEffectUnitTests", ["MIDIEffectUnit", "UnitModel", "Graph", "OfflineBackend"]),
    tests(
      "SamplerUnitTests",
      [
        "SamplerUnit", "FluidSynthPool", "Configuration", "CFluidSynth", "CSndFile", "UnitModel",
        "UnitRender", "MIDIStages",
        "MediaFiles",
      ]),
    tests("FluidSynthPoolTests", ["FluidSynthPool"]),
    tests(
      "ControlUnitTests",
      ["ControlUnit", "Configuration", "FilterUnit", "UnitModel", "Graph", "OfflineBackend"]),
    tests("GraphTests", ["Graph", "OfflineBackend", "FilterUnit"]),
    tests("PlayerUnitTests", ["PlayerUnit", "UnitModel", "MediaFiles", "Graph", "OfflineBackend"]),
    tests(
      "ScheduledPlayerTests",
      [
        "ScheduledPlayer", "Configuration", "UnitModel", "MediaFiles", "UnitTestSupport",
      ]),
    tests(
      "AudioEngineTests",
      [
        "AudioEngine", "Session", "SessionModel", "JackHost", "ScheduledPlayer", "MixerUnit",
        "DelayUnit",
        "RecorderUnit",
        "EnvironmentUnit", "SpaceUnit", "MIDIEffectUnit",
        "ToneUnit", "MediaFiles", "UnitModel", "UnitTestSupport",
      ]),
    tests("RecorderUnitTests", ["RecorderUnit", "UnitModel", "MediaFiles", "UnitTestSupport"]),
    tests("PlatformTests", ["Platform"]),
    tests("FilesTests", ["Files"]),
    tests("ControlSocketTests", ["ControlSocket"]),
    tests("OSCTests", ["OSC", "CNetworkSocket"]),
    tests("MediaFilesTests", ["MediaFiles", "Files"]),
    tests(
      "ConfigurationTests",
      [
        "Configuration", "UnitModel", "DynamicsUnit", "EQUnit", "MixerUnit", "SamplerUnit",
        "ScheduledPlayer", "MIDIStages", "MIDIStagesModel",
      ]),
    // Sessions without a server.
    tests(
      "SessionTests",
      [
        "Session", "SessionModel", "JackHost", "OfflineHost", "Remotes", "Tools", "BuiltInUnits",
        "SessionTestSupport",
        "ControlSocket", "OSC", "JackBackend", "Graph", "GraphRender", "MediaFiles", "FilterUnit",
        "MIDIEffectUnit",
        "SamplerUnit", "MIDIStages",
        "MIDIStagesModel", "UnitModel", "UnitRender", "Realtime", "Configuration", "Files",
        "SaveProbe",
        "CombUnit", "DelayUnit", "DistortionUnit", "DynamicsUnit", "EQUnit", "EnvironmentUnit",
        "MixerUnit", "RecorderUnit", "ScheduledPlayer", "SpaceUnit", "TimePitchUnit", "TimeUnit",
        "ToneUnit",
      ]),
    tests(
      "ToolsTests",
      ["Tools", "BuiltInUnits", "Configuration", "JackBackend", "MediaFiles", "Files"]),
    tests(
      "IntegrationTests",
      [
        "SessionTestSupport",
        "Session", "SessionModel", "JackHost", "Remotes", "Tools", "BuiltInUnits", "ControlSocket",
        "OSC",
        "CNetworkSocket", "Auricle",
        "MediaFiles", "JackBackend", "OfflineBackend", "Graph", "GraphRender", "FilterUnit",
        "AudioEngine", "ScheduledPlayer", "DelayUnit", "DynamicsUnit", "MIDIEffectUnit",
        "SamplerUnit", "PlayerUnit", "CJack", "Configuration", "AuricleCommand",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        "RealtimeGuardProbe", "ValidationProbe", "OwnUnit", "PlayGraph", "EngineTour",
      ]),
    // Saves a session over and over, to be killed at it.
    .executableTarget(
      name: "SaveProbe", dependencies: ["Session", "SessionModel", "BuiltInUnits", "UnitModel"],
      path: "Tests/SaveProbe", swiftSettings: settings),
    // The streams that cost a cycle most: for the benchmarks, and for a check that counts their
    // instructions.
    .target(
      name: "WorstStreams",
      dependencies: [
        "SamplerUnit", "UnitModel", "UnitRender", "MIDIStages", "Graph", "GraphRender", "Realtime",
      ],
      path: "Tests/WorstStreams", swiftSettings: settings),
    .target(name: "CCounting", path: "Tests/CCounting"),
    // Loaded before a program's own libraries, to let its allocations fail.
    .target(name: "CFailingAllocations", path: "Tests/CFailingAllocations"),
    .executableTarget(
      name: "WorstCycles", dependencies: ["WorstStreams", "CCounting"], path: "Tests/WorstCycles",
      swiftSettings: settings),
    // A client that breaks the rules of the render side, for RealtimeSanitizer to find.
    .executableTarget(
      name: "RealtimeGuardProbe",
      dependencies: [
        "JackBackend", "Graph", "UnitModel", "Realtime", "FilterUnit", "MIDIEffectUnit",
        "MIDIStages", "SamplerUnit", "CTestSupport",
      ],
      path: "Tests/RealtimeGuardProbe", swiftSettings: settings),
  ],
  swiftLanguageModes: [.v6],
  cxxLanguageStandard: .cxx17
)

// DSP is optimized in debug builds too: without that, half of the processor time of all tests is
// its. SwiftPM refuses such a flag in packages that it has checked out for others.
if !Context.packageDirectory.contains("/checkouts/") {
  package.targets.first { $0.name == "DSP" }?.swiftSettings? += [.unsafeFlags(["-O"])]
}

// Only with libFuzzer, which brings the `main`: scripts/fuzz.sh.
if Context.environment["AURICLE_FUZZ"] != nil {
  package.targets.append(
    .executableTarget(
      name: "Fuzz",
      dependencies: [
        "Configuration", "MediaFiles", "UnitModel", "MIDIStages", "MIDIEffectUnit", "SamplerUnit",
        "Session", "SessionModel", "OSC",
      ],
      path: "Tests/Fuzz", exclude: ["Corpus"], swiftSettings: settings))
}

// A run that names the test targets it wants builds only these and what they depend on.
if let wanted = Context.environment["AURICLE_TEST_TARGETS"] {
  var names = Set(wanted.split(separator: ",").map(String.init))
  var open = names
  while let name = open.popFirst() {
    for case .byNameItem(let dependency, _) in package.targets.first(where: { $0.name == name })?
      .dependencies ?? [] where names.insert(dependency).inserted
    {
      open.insert(dependency)
    }
  }
  package.targets.removeAll { !names.contains($0.name) }
  package.products = []
}

// ThreadSanitizer, for all targets of this package but one: Swift 6.3's pass for it makes bitcode
// of DSP's SIMD that is invalid, so that `--sanitize=thread` ends with a crash of the compiler.
// That target is arithmetic, and shares nothing between threads.
if Context.environment["AURICLE_THREAD_SANITIZER"]?.isEmpty == false {
  for target in package.targets where target.type != .system && target.type != .plugin {
    target.linkerSettings = (target.linkerSettings ?? []) + [.unsafeFlags(["-sanitize=thread"])]
    if target.name == "DSP" { continue }
    target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(["-sanitize=thread"])]
    target.cSettings = (target.cSettings ?? []) + [.unsafeFlags(["-fsanitize=thread"])]
    target.cxxSettings = (target.cxxSettings ?? []) + [.unsafeFlags(["-fsanitize=thread"])]
  }
}
