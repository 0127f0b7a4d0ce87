// Senseless arguments for graphs, engines, configurations, sessions and JACK.

import Auricle
import AuricleHost
import Foundation
import Logging
import TestSupport
import Testing

@Suite struct HostArgumentTests {
  private static let numbersOutOfGraph = [-1, 2, Int.max, .min]

  @Test func names() async {
    await bears("Names init(_:)", texts) { _ = try UnitName($0) }
    await refuses("Names init(_:)", ["", "a:b", "control", "physical"]) { _ = try UnitName($0) }
    await bears("Names init(_:maximumBytes:)", texts) { _ = try ClientName($0) }
    await bears("Names init(_:maximumBytes:)", integers) {
      _ = try ClientName("a", maximumBytes: $0)
    }
    await refuses("Names init(_:maximumBytes:)", [0, -1, Int.min]) {
      _ = try ClientName("a", maximumBytes: $0)
    }
  }

  @Test func graphs() async throws {
    let graph = Graph()
    try graph.add(try FilterUnit(), id: "a")
    try graph.add(try FilterUnit(), id: "b")
    let good = GraphBus(unit: 0, bus: 0)
    let busses = Self.numbersOutOfGraph.flatMap {
      [GraphBus(unit: $0, bus: 0), GraphBus(unit: 0, bus: $0), GraphBus(unit: $0, bus: $0)]
    }
    await refuses("Graph connect(_:to:)", busses) { try graph.connect($0, to: good) }
    await refuses("Graph connect(_:to:)", busses) { try graph.connect(good, to: $0) }
    await refuses("Graph exposeInput(_:)", busses) { try graph.exposeInput($0) }
    await refuses("Graph exposeOutput(_:)", busses) { try graph.exposeOutput($0) }
    await refuses("Graph connectMIDI(from:to:)", Self.numbersOutOfGraph) {
      try graph.connectMIDI(from: $0, to: $0)
    }
    for number in Self.numbersOutOfGraph {
      await refuses("Graph connectParameters(from:to:)", [(number, 0), (0, number)]) {
        try graph.connectParameters(from: $0.0, to: $0.1)
      }
      #expect(graph.receivers(of: number).isEmpty)
    }
    await refuses("Graph exposeMIDIInput(_:)", Self.numbersOutOfGraph) {
      try graph.exposeMIDIInput($0)
    }
    await refuses("Graph exposeMIDIOutput(_:)", Self.numbersOutOfGraph) {
      try graph.exposeMIDIOutput($0)
    }
    await refuses("Graph index(of:)", texts) { _ = try graph.index(of: $0) }
    await refuses("Graph add(_:id:keepsChannels:)", ["a"]) {
      try graph.add(try FilterUnit(), id: $0, keepsChannels: true)
    }
    await bears("Graph add(_:id:keepsChannels:)", texts) {
      try Graph().add(try FilterUnit(), id: $0, keepsChannels: true)
    }
    await refuses("Graph keep(_:)", graph.nodes) { try graph.keep($0) }
    await refuses("Graph+RingOut ringOut(_:of:)", graph.nodes) {
      try graph.ringOut($0, of: Graph())
    }
    await bears("Graph+RingOut ringOut(_:of:)", graph.nodes) {
      try Graph().ringOut($0, of: Graph())
    }
    await bears("Graph+Compile check()", [Graph()]) { try $0.check() }
    await refuses("Graph+Compile compile(_:)", numbers) {
      _ = try graph.compile(CompileOptions(sampleRate: $0))
    }
    await refuses("Graph+Compile compile(_:)", integers) {
      _ = try graph.compile(CompileOptions(sampleRate: 48_000, maximumFrames: $0))
    }
    await refuses("Graph+Compile compile(_:)", nonzero) {
      _ = try graph.compile(CompileOptions(sampleRate: 48_000, midiEventsPerPort: $0))
    }
    await refuses("Graph+Compile compile(_:)", nonzero) {
      _ = try graph.compile(CompileOptions(sampleRate: 48_000, midiBytesPerPort: $0))
    }
    await bears("Graph+Compile compile(following:)", [0]) {
      let first = try graph.compile(
        CompileOptions(
          sampleRate: 48_000, maximumFrames: 1, midiEventsPerPort: $0, midiBytesPerPort: $0))
      _ = try Graph(following: graph).compile(following: first)
    }
  }

  @Test func filesOfEngines() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.file("sound.wav")
    let writer = try AudioFileWriter(url: file, sampleRate: 48_000, channelCount: 1)
    try writer.write([[0, 0.5]])
    try writer.finish()
    await refuses(
      "AudioPlayer init(contentsOf:name:_:)", [directory.url, directory.file("none.wav")]
    ) { _ = try await AudioPlayer(contentsOf: $0) }
    await bears("AudioPlayer init(contentsOf:name:_:)", texts) {
      _ = try await AudioPlayer(contentsOf: file, name: $0)
    }
    await refuses("AudioPlayer play()", numbers) {
      try await AudioPlayer(contentsOf: file, .offline(sampleRate: $0)).play()
    }
    let player = try await AudioPlayer(contentsOf: file, .offline(sampleRate: 48_000))
    await bears("AudioPlayer pause()", [player, player]) { try $0.pause() }
    await refuses("AudioRecorder init(to:channels:encoding:name:_:)", integers) {
      _ = try await AudioRecorder(to: file, channels: $0)
    }
    await refuses("AudioRecorder init(to:channels:encoding:name:_:)", texts) {
      _ = try await AudioRecorder(to: directory.file("take.\($0)"))
    }
    await refuses("AudioRecorder record()", numbers) {
      try await AudioRecorder(to: file, .offline(sampleRate: $0)).record()
    }
  }

  @Test func engines() async throws {
    let tone = try ToneUnit()
    for rate in numbers {
      await refuses("Engine+Run start()", [rate]) {
        let engine = try Engine(name: "", .offline(sampleRate: $0))
        try engine.attach(tone)
        try await engine.connect(tone, to: engine.outputNode)
        try await engine.start()
      }
    }
    await refuses("Engine+Run start()", integers) {
      try await Engine(.offline(sampleRate: 48_000, maximumFrames: $0)).start()
    }
    await refuses(
      "Engine init(name:_:inputChannels:outputChannels:components:log:)",
      [[FilterUnit.component]]
    ) {
      _ = try Engine(.offline(sampleRate: 48_000), components: $0)
    }
    await refuses(
      "Engine init(name:_:inputChannels:outputChannels:components:log:)", integers
    ) {
      _ = try Engine(.offline(sampleRate: 48_000), inputChannels: $0, outputChannels: $0)
    }
    let engine = try Engine(.offline(sampleRate: 48_000))
    await refuses("Engine attach(_:id:)", texts) { try engine.attach(tone, id: $0) }
    await refuses("Engine id(of:)", [tone]) { _ = try engine.id(of: $0) }
    await refuses("Engine detach(_:)", [tone]) { try await engine.detach($0) }
    await refuses("Engine+MIDI connectMIDI(_:to:)", [tone]) {
      try await engine.connectMIDI($0, to: $0)
    }
    await refuses("Engine+MIDI connectMIDIDevices(to:)", [tone]) {
      try await engine.connectMIDIDevices(to: $0)
    }
    await refuses("Engine+MIDI disconnectMIDIInput(of:)", [tone]) {
      try await engine.disconnectMIDIInput(of: $0)
    }
    await refuses("Engine+MIDI disconnectMIDIOutput(of:)", [tone]) {
      try await engine.disconnectMIDIOutput(of: $0)
    }
    try engine.attach(tone)
    let outside = nonzero
    await refuses("Engine+Connect connect(_:bus:to:input:format:)", outside) {
      try await engine.connect(tone, bus: $0, to: engine.outputNode)
    }
    await refuses("Engine+Connect connect(_:bus:to:input:format:)", outside) {
      try await engine.connect(tone, to: engine.outputNode, input: $0)
    }
    await refuses("Engine+Connect connect(_:bus:adding:input:)", outside) {
      try await engine.connect(tone, adding: engine.outputNode, input: $0)
    }
    await refuses("Engine+Connect disconnectInput(of:input:)", integers) {
      try await engine.disconnectInput(of: engine.outputNode, input: $0)
    }
    await refuses("Engine+Connect disconnectOutput(of:bus:)", integers) {
      try await engine.disconnectOutput(of: tone, bus: $0)
    }
    await refuses("Engine+Taps installTap(on:bus:bufferSize:_:)", integers) {
      _ = try await engine.installTap(on: tone, bufferSize: $0) { _ in }
    }
    await refuses("Engine+Taps installTap(on:bus:bufferSize:_:)", outside) {
      _ = try await engine.installTap(on: tone, bus: $0, bufferSize: 1024) { _ in }
    }
    await refuses("Engine+Taps removeTap(_:)", [try TapUnit(bufferFrames: 1024) { _ in }]) {
      try await engine.removeTap($0)
    }
    await bears("Engine+Run pause()", [()]) { try await engine.pause() }
    await refuses("Engine+Run render(_:input:)", integers) { _ = try engine.render($0) }
    try await engine.connect(tone, to: engine.outputNode)
    try await engine.start()
    await refuses("Engine+Run render(_:input:)", integers.filter { $0 > 0 }) {
      _ = try engine.render($0)
    }
    await bears("Engine+Run render(_:input:)", [[], [[]], [[1], [1, 2, 3], [], [1]]]) {
      _ = try engine.render(2, input: $0)
    }
    #expect(try engine.render(.min).allSatisfy { $0.isEmpty })
  }

  @Test func configurations() async throws {
    let urls = ["/dev/null", "/nonexistent", "/tmp"].map { URL(fileURLWithPath: $0) }
    await bears("SessionConfiguration+Load init(contentsOf:kinds:)", urls) {
      _ = try SessionConfiguration(contentsOf: $0)
    }
    await refuses("SessionConfiguration+Load init(contentsOf:kinds:)", Array(urls.dropFirst())) {
      _ = try SessionConfiguration(contentsOf: $0)
    }
    await bears("SessionConfiguration+Load init(bytes:file:kinds:)", [[], [0], [255, 254]]) {
      _ = try SessionConfiguration(bytes: $0, file: "")
    }
    await bears("SessionConfiguration+Load init(toml:file:kinds:)", texts) {
      _ = try SessionConfiguration(toml: $0, file: $0)
    }
    await refuses("ConfigurationLocator locate(_:)", texts.filter { !$0.hasPrefix("/") }) {
      _ = try ConfigurationLocator(environment: [:]).locate($0)
    }
    let values: [ConfigurationValue] =
      integers.map { ConfigurationValue(.integer($0)) }
      + numbers.map { ConfigurationValue(.float($0)) }
      + texts.map { ConfigurationValue(.string($0)) }
      + [
        ConfigurationValue(.table([])), ConfigurationValue(.array([])), ConfigurationValue(.date),
        ConfigurationValue(.boolean(true)),
        ConfigurationValue(.array([ConfigurationValue(.integer(.min))])),
      ]
    await bears("ConfigurationValue+Typed string(_:)", values) { _ = try $0.string("") }
    await bears("ConfigurationValue+Typed name(_:)", values) { _ = try $0.name("") }
    await bears("ConfigurationValue+Typed integer(_:in:)", values) {
      _ = try $0.integer("", in: 5...6)
    }
    await bears("ConfigurationValue+Typed boolean(_:)", values) { _ = try $0.boolean("") }
    await bears("ConfigurationValue+Typed table(_:as:)", values) { _ = try $0.table("", as: "") }
    await bears("ConfigurationValue+Typed array(_:of:)", values) { _ = try $0.array("", of: "") }
    await bears("ConfigurationValue+Typed channels(_:)", values) { _ = try $0.channels("") }
    await bears("ConfigurationValue+Typed setting(_:)", values) { _ = try $0.setting("") }

    let filter = try FilterUnit()
    let reader = SettingReader(unit: filter, id: "")
    let paths = texts + filter.parameterTree.allParameters.map(\.keyPath)
    for path in paths {
      let settings: [SettingValue] =
        numbers.map { .number($0) } + texts.map { .string($0) } + [.boolean(true)]
      await bears("SettingReader read(_:)", settings) {
        _ = try reader.read(
          Setting(keyPath: Located(path, at: .nowhere), value: Located($0, at: .nowhere)))
      }
    }
    let registry = try BuiltInComponents.makeRegistry()
    for component in registry.components(matching: ComponentDescription()) {
      guard let type = component.unitType as? any ConfigurableUnit.Type else { continue }
      await keys(of: type, component, values, registry)
    }
  }

  /// Tries each configuration key with each value.
  private func keys<Unit: ConfigurableUnit>(
    of type: Unit.Type, _ component: Component, _ values: [ConfigurationValue],
    _ registry: ComponentRegistry
  ) async {
    let context = ConfigurationContext(file: nil, environment: [:])
    let url = URL(fileURLWithPath: "/nonexistent")
    for key in type.configurationKeys {
      let all = values.map { value in
        var keys = UnitKeys()
        keys.set(key, to: value)
        return keys
      }
      await bears("component(_:for:)", all) { _ = try type.component(component, for: $0) }
      await bears("configure(_:_:)", all) { keys in
        let unit = try registry.makeUnit(of: type.component(component, for: keys))
        let toml = "[[unit]]\nid = \"u\"\ncomponent = \"\(component.shortName)\""
        guard
          var configuration = try SessionConfiguration(
            toml: "[client]\nname = \"x\"\n" + toml, file: "x.toml", kinds: [component]
          ).units.first
        else { return }
        configuration.keys = keys
        try await (unit as? Unit)?.configure(configuration, context)
      }
      await bears("UnitKeys+File renameFile(_:from:to:naming:)", all) { keys in
        var keys = keys
        try keys.renameFile(key.name, from: context, to: url) { _ in "" }
      }
      if let naming = type as? any FileNamingUnit.Type {
        await bears("rename(_:from:to:naming:addsSums:)", all) { keys in
          var keys = keys
          try naming.rename(&keys, from: context, to: url, naming: { _ in "" }, addsSums: true)
        }
      }
      await bears("SamplerUnit+Change change(from:to:)", all) { keys in
        _ = try SamplerUnit().change(from: (UnitKeys(), context), to: (keys, context))
      }
    }
  }

  @Test func sessions() async throws {
    let folder = try TemporaryDirectory()
    let log = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
    let builder = try SessionBuilder(registry: BuiltInComponents.makeRegistry(), environment: [:])
    let urls = ["/dev/null", "/nonexistent", "/tmp"].map { URL(fileURLWithPath: $0) }
    await bears("SessionBuilder build(contentsOf:)", urls) {
      _ = try await builder.build(contentsOf: $0)
    }
    let toml = "[client]\nname = \"x\"\n[[unit]]\nid = \"tone\"\ncomponent = \"tone\"\n"
    let configuration = try SessionConfiguration(toml: toml, file: "x.toml")
    await bears("SessionBuilder build(_:file:)", urls) {
      _ = try await builder.build(configuration, file: $0)
    }
    func bounce(_ change: (inout BounceOptions) -> Void) async throws {
      let plan = try await builder.build(configuration, file: nil)
      var options = BounceOptions(output: folder.file("b.wav"), seconds: 0.01, overwrites: true)
      options.tailSeconds = 0
      change(&options)
      _ = try Bounce(plan, options).run()
    }
    await refuses("Bounce run(progress:isCancelled:)", integers) { period in
      try await bounce { $0.period = period }
    }
    await refuses("Bounce run(progress:isCancelled:)", numbers) { number in
      try await bounce { $0.sampleRate = number }
    }
    await refuses("Bounce run(progress:isCancelled:)", numbers) { number in
      try await bounce { $0.seconds = number }
    }
    await refuses("Bounce run(progress:isCancelled:)", numbers) { number in
      try await bounce { $0.maximumSeconds = number }
    }
    await bears("Bounce run(progress:isCancelled:)", numbers) { number in
      try await bounce { $0.tailSeconds = number }
    }
    await refuses("Bounce run(progress:isCancelled:)", urls) { url in
      try await bounce { $0.midi = url }
    }
    await refuses("Bounce run(progress:isCancelled:)", urls) { url in
      try await bounce { $0.output = url }
    }
    let sound = folder.file("s.wav")
    let writer = try AudioFileWriter(url: sound, sampleRate: 48_000, channelCount: 2)
    try writer.write([[1, 2], [1, 2]])
    try writer.finish()
    await refuses("FileConversion run(progress:isCancelled:)", numbers) {
      _ = try FileConversion(
        input: sound, output: folder.file("o.wav"), sampleRate: $0, overwrites: true
      ).run()
    }
    await refuses("FileConversion run(progress:isCancelled:)", integers) {
      _ = try FileConversion(
        input: sound, output: folder.file("o.wav"), channels: $0, overwrites: true
      ).run()
    }
    await refuses("FileConversion run(progress:isCancelled:)", urls) {
      _ = try FileConversion(input: $0, output: folder.file("o.wav")).run()
    }
    await refuses("PlayedSession build(_:)", texts) {
      _ = try await builder.build(
        PlayOptions(files: [$0], bank: .min, program: .max, tailSeconds: .nan))
    }
    await refuses("RecordedSession init(file:encoding:sources:start:seconds:)", texts) {
      _ = try RecordOptions(file: $0)
    }
    await refuses("RecordedSession build(_:)", texts) {
      _ = try await builder.build(RecordOptions(file: $0, sources: [$0], seconds: 1))
    }
    await refuses("RecordedSession build(_:)", numbers.filter { $0 != .leastNonzeroMagnitude }) {
      _ = try await builder.build(RecordOptions(file: "/nonexistent/a.wav", seconds: $0))
    }
    await bears("MonitoredSession init(_:)", texts) { _ = try await MonitoredSession([$0]) }
    let lines: [[UInt8]] = [[], [0], [255], Array("{".utf8), Array("{}".utf8), Array("[]".utf8)]
    await bears("SessionWire answer(_:)", lines) { _ = try SessionWire.answer($0) }
    await bears("SessionWire notice(_:)", lines) { _ = try SessionWire.notice($0) }
    let json = [
      "", "{", "{}", "[]", "1e999", "null", #"{"set":{}}"#,
      #"{"command":"set","path":"","value":1e308,"ramp":-1e308,"frame":-9223372036854775808}"#,
      #"{"command":"undo","steps":-9223372036854775808}"#, #"{"command":"entry","number":1e300}"#,
    ]
    await bears("SessionCommand+JSON init(from:)", json) {
      _ = try JSONDecoder().decode(SessionCommand.self, from: Data($0.utf8))
    }
    let places = ["[1]", "[1,2,3]", "[1e6,0]", "[0,-1e6]", "[1e999,0]", #"["a",1]"#, "[null,1]"]
    await refuses("BoxPosition init(from:)", json + places) {
      _ = try JSONDecoder().decode(BoxPosition.self, from: Data($0.utf8))
    }
    await bears("SessionAnswer init(from:)", json) {
      _ = try JSONDecoder().decode(SessionAnswer.self, from: Data($0.utf8))
    }
    await bears("ControlFolder sessions()", ["/nonexistent", "/dev/null", folder.url.path]) {
      _ = try ControlFolder(environment: ["XDG_RUNTIME_DIR": $0]).sessions()
    }
    await bears("SessionSocket init(name:in:)", texts) {
      _ = try SessionSocket(
        name: $0, in: ControlFolder(environment: ["XDG_RUNTIME_DIR": folder.url.path]))
    }
    await refuses("SessionOSC init(_:units:)", nonzero) {
      _ = try SessionOSC(OSCConfiguration(port: Located($0, at: .nowhere)), units: [])
    }
    await refuses("SessionOSC init(_:units:)", texts) {
      _ = try SessionOSC(
        OSCConfiguration(
          port: Located(0, at: .nowhere), address: Located($0, at: .nowhere)), units: [])
    }
    let plan = try await builder.build(configuration, file: nil)
    await refuses("JackSession+JACK init(_:_:log:)", texts) {
      _ = try JackSession(
        plan, JackSession.Options(clientName: $0, server: "no-such-server", reconnects: false),
        log: log)
    }
    await refuses("JackClient init(name:server:mayStartServer:)", texts) {
      _ = try JackClient(name: $0, server: "no-such-server")
    }
    await refuses("InstrumentProbe init(midi:audio:server:plan:)", texts) {
      _ = try InstrumentProbe(midi: $0, audio: $0, server: "no-such-server") { _, _ in ([], .max) }
    }
    await refuses("Probe run(_:server:progress:isCancelled:)", integers) { number in
      var options = ProbeOptions(midi: "", audio: "")
      (options.noteCount, options.key, options.velocity) = (number, number, number)
      (options.channel, options.interval, options.threshold) = (number, .nan, .nan)
      _ = try Probe.run(
        options, server: "no-such-server", progress: { _ in }, isCancelled: { true })
    }
  }
}
