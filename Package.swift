// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
let logging = Target.Dependency.product(name: "Logging", package: "swift-log")
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser")
let nio = ["NIOCore", "NIOPosix", "NIOHTTP1", "NIOWebSocket"].map {
  Target.Dependency.product(name: $0, package: "swift-nio")
}

/// - Parameter dependencies: those that no other one of them depends on.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: settings)
}

func tests(
  _ name: String, _ dependencies: [Target.Dependency], resources: [Resource]? = nil
) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], resources: resources,
    swiftSettings: settings)
}

/// A library that only tests import.
func support(
  _ name: String, _ dependencies: [Target.Dependency], flags: [String] = []
) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Tests/\(name)",
    swiftSettings: settings + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
}

/// A program that only tests start.
func program(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Tests/\(name)", swiftSettings: settings)
}

func example(_ name: String, resources: [Resource] = []) -> Target {
  .executableTarget(
    name: name, dependencies: ["Auricle", "AuricleHost"], path: "Examples/\(name)/Sources/\(name)",
    resources: resources, swiftSettings: settings)
}

let package = Package(
  name: "auricle",
  products: [
    .executable(name: "auricle", targets: ["AuricleProgram"]),
    .executable(name: "auricle-web", targets: ["AuricleWebProgram"]),
    // For unit developers, and for programs that host units.
    .library(name: "Auricle", targets: ["Auricle"]),
    .library(name: "AuricleHost", targets: ["AuricleHost"]),
    // For the tests of unit developers: what `auricle validate` checks.
    .library(name: "AuricleValidation", targets: ["UnitValidation"]),
    // For the benchmarks, a package of their own; no promise to anybody else.
    .library(
      name: "AuricleInternals",
      targets: [
        "DSP", "Realtime", "Graph", "GraphRender", "SamplerUnit", "MixerUnit", "EnvironmentUnit",
        "Players", "MediaFiles", "Effects", "WorstStreams",
      ]),
    // For the tests.
    .library(name: "FailingAllocations", type: .dynamic, targets: ["CFailingAllocations"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    // System libraries, a module map each.
    .systemLibrary(name: "CJack"),
    .systemLibrary(name: "CFluidSynth"),
    .systemLibrary(name: "CSndFile"),
    .systemLibrary(name: "CVorbis"),
    .systemLibrary(name: "CSoxr"),
    .systemLibrary(name: "CKissFFT"),
    .systemLibrary(name: "CEBUR128"),
    .systemLibrary(name: "CMysofa"),
    .systemLibrary(name: "CRubberBand"),
    .systemLibrary(name: "CLiblo"),
    .systemLibrary(name: "CCurses"),

    // System calls and a parser that only C reaches.
    .target(name: "CRealtime"),
    .target(name: "CToml"),
    .target(name: "CLocalSocket"),
    .target(name: "CNetworkSocket"),
    .target(name: "CHeap"),

    // Render side.
    module("Realtime", ["CRealtime"]),
    module("DSP", ["Realtime"]),
    module("UnitRender", ["Realtime"]),
    module("MIDIStages", ["UnitRender"]),
    module("GraphRender", ["UnitRender"]),
    // With the making of what it renders, which shares FluidSynth's lock and log.
    module("FluidSynthPool", ["Realtime", "CFluidSynth"]),

    // Basics of the control side: the standard library's gaps, files that hold nobody up, formats.
    module("Platform", ["CRealtime"]),
    module("Files", ["Platform"]),
    module("PropertyLists", ["Platform"]),
    module("SoundFontFiles", ["Files"]),
    module("MediaFiles", ["Files", "CSndFile", "CVorbis", "CSoxr"]),

    // The model of units, and graphs of them.
    module("UnitModel", ["UnitRender", "Files", "PropertyLists"]),
    // For tests, those of unit developers too.
    module("UnitHost", ["UnitModel"]),
    module("MIDIStagesModel", ["UnitModel", "MIDIStages"]),
    module("Configuration", ["UnitModel", "CToml"]),
    module("Graph", ["UnitModel", "GraphRender"]),
    module("UnitValidation", ["UnitModel", "CHeap"]),

    // Units. `Effects` and `Players` have a folder for each.
    module("Effects", ["Configuration", "DSP"]),
    // By itself, because what links Rubber Band falls under its licence.
    module("TimePitchUnit", ["UnitModel", "DSP", "CRubberBand"]),
    module("MixerUnit", ["Configuration", "DSP"]),
    module("EnvironmentUnit", ["Configuration", "DSP", "CMysofa"]),
    module("MIDIEffectUnit", ["MIDIStagesModel"]),
    module(
      "SamplerUnit",
      ["Configuration", "MIDIStagesModel", "DSP", "FluidSynthPool", "SoundFontFiles"]),
    module("ControlUnit", ["Configuration", "MIDIStages"]),
    module("Players", ["Configuration", "MediaFiles", "DSP"]),
    module("RecorderUnit", ["Configuration", "MediaFiles"]),
    // The list of all kinds: only what begins a program imports it.
    module(
      "BuiltInUnits",
      [
        "Effects", "TimePitchUnit", "MixerUnit", "EnvironmentUnit", "MIDIEffectUnit",
        "SamplerUnit", "Players", "RecorderUnit",
      ]),

    // What drives a graph.
    module("JackBackend", ["Graph", "CJack", logging]),
    module("OfflineBackend", ["Graph", "MediaFiles"]),

    // Sessions: what they are, who runs one, what renders one, by whom others reach one.
    module("SessionModel", ["ControlUnit", "MIDIStagesModel", "Graph"]),
    module("Session", ["SessionModel", "CHeap", "CKissFFT", "CEBUR128", logging]),
    module("JackHost", ["Session", "JackBackend"]),
    module("OfflineHost", ["Session", "OfflineBackend"]),
    module("ControlSocket", ["Platform", "CLocalSocket"]),
    module("OSC", ["Platform", "CLiblo", "CLocalSocket", "CNetworkSocket"]),
    module("Remotes", ["Session", "ControlSocket", "OSC"]),

    // For commands, and for programs.
    module("Tools", ["JackHost", "OfflineBackend", "BuiltInUnits"]),
    module("AudioEngine", ["JackHost", "OfflineHost", "Remotes", "BuiltInUnits"]),

    // Products.
    module("Auricle", ["MIDIStagesModel", "Configuration", "UnitHost"]),
    module(
      "AuricleCommand",
      [
        "Remotes", "Tools", "UnitValidation", "CCurses", argumentParser,
      ]),
    module("AuricleHost", ["AuricleCommand", "AudioEngine"]),
    .executableTarget(
      name: "AuricleProgram", dependencies: ["AuricleCommand"], swiftSettings: settings,
      // Symbols are bound when the program starts, not on the render thread at their first use.
      // Packages may depend on this one all the same: none takes this target.
      linkerSettings: [.unsafeFlags(["-Xlinker", "-z", "-Xlinker", "now"])]),

    // The server for browsers, a program of its own: nothing above depends on it, so that programs
    // with Auricle's libraries do not build SwiftNIO.
    .target(
      name: "WebServer", dependencies: ["ControlSocket", "Files", "OSC"] + nio,
      resources: [.embedInCode("Page")], swiftSettings: settings),
    .executableTarget(
      name: "AuricleWebProgram", dependencies: ["WebServer", "Platform", argumentParser],
      swiftSettings: settings),

    // Examples, packages of their own too; built here for the tests that run them.
    example("OwnUnit", resources: [.embedInCode("View")]),
    example("PlayGraph"),
    example("EngineTour"),

    // What tests share. A signal is measured sample by sample: optimized in every build.
    .target(name: "CTestSupport", dependencies: ["CJack"], path: "Tests/CTestSupport"),
    support("TestSupport", ["CSndFile", "CTestSupport"], flags: ["-O"]),
    support("UnitTestSupport", ["TestSupport", "UnitHost"]),
    support("SessionTestSupport", ["TestSupport", "OfflineHost", "Remotes", "BuiltInUnits"]),
    tests("TestSupportTests", []),
    // Units that do something wrong, and a program with them.
    support("FaultyUnits", ["UnitModel"]),
    program("ValidationProbe", ["AuricleCommand", "FaultyUnits"]),
    // Saves a session over and over, to be killed at it.
    program("SaveProbe", ["Session", "BuiltInUnits"]),
    // A client that breaks the rules of the render side, for RealtimeSanitizer to find.
    program("RealtimeGuardProbe", ["JackBackend", "BuiltInUnits", "CTestSupport"]),
    // The streams that cost a cycle most: for the benchmarks, and for a check that counts their
    // instructions.
    support("WorstStreams", ["SamplerUnit", "Graph"]),
    .target(name: "CCounting", path: "Tests/CCounting"),
    program("WorstCycles", ["WorstStreams", "CCounting"]),
    // Loaded before a program's own libraries, to let its allocations fail.
    .target(name: "CFailingAllocations", path: "Tests/CFailingAllocations"),

    // Tests of one target each.
    tests("PlatformTests", ["Platform"]),
    tests("RealtimeTests", ["Realtime"]),
    tests("DSPTests", ["DSP"], resources: [.copy("Fixtures")]),
    tests("UnitRenderTests", ["UnitRender"]),
    tests("FluidSynthPoolTests", ["FluidSynthPool"]),
    tests("FilesTests", ["Files"]),
    tests("PropertyListsTests", ["PropertyLists"]),
    tests("SoundFontFilesTests", ["SoundFontFiles"]),
    tests("MediaFilesTests", ["MediaFiles"]),
    tests("UnitModelTests", ["UnitHost"]),
    tests("MIDIStagesTests", ["MIDIStagesModel"]),
    tests("ConfigurationTests", ["BuiltInUnits"]),
    tests("GraphTests", ["OfflineBackend", "Effects", "UnitTestSupport"]),
    tests("UnitValidationTests", ["UnitValidation", "FaultyUnits"]),
    tests("EffectsTests", ["Effects", "OfflineBackend", "Players", "UnitTestSupport"]),
    tests(
      "TimePitchUnitTests",
      ["TimePitchUnit", "Effects", "OfflineBackend", "Players", "UnitTestSupport"]),
    tests("MixerUnitTests", ["MixerUnit", "OfflineBackend", "UnitTestSupport"]),
    tests("EnvironmentUnitTests", ["EnvironmentUnit", "Effects", "UnitTestSupport"]),
    tests("MIDIEffectUnitTests", ["MIDIEffectUnit", "OfflineBackend", "UnitHost"]),
    tests("SamplerUnitTests", ["SamplerUnit", "MediaFiles", "UnitHost"]),
    tests("ControlUnitTests", ["ControlUnit", "Effects", "OfflineBackend", "UnitHost"]),
    tests("PlayersTests", ["Players", "OfflineBackend", "UnitTestSupport"]),
    tests("RecorderUnitTests", ["RecorderUnit", "UnitTestSupport"]),
    tests("ControlSocketTests", ["ControlSocket"]),
    tests("OSCTests", ["OSC"]),
    tests("WebServerTests", ["WebServer", "SessionTestSupport", "Platform", "OwnUnit"]),
    tests("AudioEngineTests", ["AudioEngine", "UnitTestSupport"]),
    tests("ToolsTests", ["Tools", "UnitHost"]),

    // What every unit promises.
    tests(
      "UnitPromiseTests", ["BuiltInUnits", "OfflineBackend", "UnitValidation", "UnitTestSupport"]),
    // Sessions without a server.
    tests("SessionTests", ["Tools", "SessionTestSupport", "SaveProbe", "UnitHost"]),
    // The libraries as programs see them.
    tests("LibraryTests", ["Auricle", "AuricleHost"]),
    .testTarget(
      name: "OwnUnitTests", dependencies: ["OwnUnit"],
      path: "Examples/OwnUnit/Tests/OwnUnitTests", swiftSettings: settings),
    // The program and the examples, with JACK servers.
    tests(
      "IntegrationTests",
      [
        "SessionTestSupport", "AuricleHost", "RealtimeGuardProbe", "ValidationProbe", "OwnUnit",
        "PlayGraph", "EngineTour",
      ]),
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
      dependencies: ["Session", "MediaFiles", "MIDIEffectUnit", "SamplerUnit", "OSC", "UnitHost"],
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
