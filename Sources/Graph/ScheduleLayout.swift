// Laying out a schedule.

import GraphRender

/// A signal that feeds an input or a port.
struct ScheduleSource {
  /// Buffers by channel.
  var channels: [BufferReference]
  var fade = ScheduleStep.Fade.none
  /// The frame of the schedule on which the fade begins.
  var start = 0

  /// Copies a single channel to all channels.
  mutating func fill(_ count: Int) {
    if channels.count != count { channels = Array(repeating: channels[0], count: count) }
  }
}

struct ScheduleLayout {
  var ports = GraphPorts()
  var steps: [ScheduleStep] = []
  var bindings: [[BufferReference]]
  /// The delays; nil if there are none.
  var delays: DelayChange?
  /// Whether the schedule is a passage from a graph that is being rendered.
  var isPassage = false
  /// The frame on which a passage crosses over.
  var turn = 0
  /// The chains of time effects, each after the one that contains it, and their crossings.
  var chains: [ChainUse] = []
  var crossings: [CrossingUse] = []
  var lines: [DelayLineUse] = []
  var queues: [QueueUse] = []
  private(set) var poolCount = 0
  private(set) var inputPorts: [GraphBus: [BufferReference]] = [:]
  private(set) var outputs: [GraphBus: [BufferReference]] = [:]
  /// Port buffers of outputs being faded in or out, by bus.
  private(set) var fadingPorts: [GraphBus: [BufferReference]] = [:]
  private var waitingReaders: [GraphBus: Int] = [:]
  /// The branches; nil if one thread renders all units.
  var branches: GraphBranches?
  /// The section of the unit that is being laid out.
  private var section = 0
  /// The first steps of the units, with their sections.
  private var beginnings: [(section: Int, step: Int)] = []
  /// Free pool buffers by section: branches rendered in parallel share no memory.
  private var freePool: [Int: [BufferReference]] = [:]
  /// The section of an output's readers so far; -1 for several sections.
  private var readerSections: [GraphBus: Int] = [:]
  /// The fading ports that already have a writer.
  private var writtenPorts: Set<BufferReference> = []

  init(unitCount: Int) {
    bindings = Array(repeating: [], count: unitCount)
  }

  /// Adds an input port. A unit that replaces another one shares the ports of the same name.
  mutating func addInputPort(_ port: GraphPort, _ bus: GraphBus) {
    let known = ports.audioInputs.firstIndex { $0.name == port.name }
    inputPorts[bus, default: []].append(
      .init(.externalInput, known ?? ports.audioInputs.count))
    if known == nil { ports.audioInputs.append(port) }
  }

  /// - Parameter isFading: whether the port is being added or removed; the unit then renders
  ///   elsewhere.
  mutating func addOutputPort(_ port: GraphPort, _ bus: GraphBus, isFading: Bool) {
    let known = ports.audioOutputs.firstIndex { $0.name == port.name }
    let reference = BufferReference(.externalOutput, known ?? ports.audioOutputs.count)
    if known == nil { ports.audioOutputs.append(port) }
    if isFading {
      fadingPorts[bus, default: []].append(reference)
    } else {
      outputs[bus, default: []].append(reference)
    }
  }

  /// Allocates pool buffers for an output without ports, until `readers` units have read it. An
  /// output with ports renders into these, and its readers inside the graph read them.
  mutating func placeOutput(_ bus: GraphBus, channels: Int, readers: Int) {
    if outputs[bus] != nil { return }
    outputs[bus] = (0..<channels).map { _ in takePool() }
    waitingReaders[bus] = readers
  }

  /// Counts one reader of an output as rendered. After the last one its buffers are free for
  /// others, so that a long chain stays in the processor's cache.
  mutating func finishReading(_ bus: GraphBus) {
    guard let readers = waitingReaders[bus] else { return }
    waitingReaders[bus] = readers - 1
    let isSame = readerSections[bus] ?? section == section
    readerSections[bus] = isSame ? section : -1
    guard readers == 1 else { return }
    // Buffers read by several sections are free once all of these have ended.
    freePool[isSame ? section : branches?.behind ?? 0, default: []] += outputs[bus]!
  }

  /// Binds an input to its only source, or to a mix of all sources.
  ///
  /// - Returns: the pool buffers of the mix, to free once the unit has rendered.
  mutating func bindInput(
    unit: Int, channels: Int, sources: [ScheduleSource]
  ) -> [BufferReference] {
    if sources.count == 1, sources[0].fade == .none {
      bindings[unit] += sources[0].channels
      return []
    }
    var mixes: [BufferReference] = []
    for channel in 0..<channels {
      guard let first = sources.first else {
        bindings[unit].append(.silence)
        continue
      }
      let mix = takePool()
      steps.append(.copy(first.channels[channel], to: mix, fade: first.fade, start: first.start))
      for source in sources.dropFirst() {
        steps.append(
          .add(source.channels[channel], to: mix, fade: source.fade, start: source.start))
      }
      bindings[unit].append(mix)
      mixes.append(mix)
    }
    return mixes
  }

  /// Adds the steps that write an output to its fading ports.
  mutating func writeFadingPorts(_ bus: GraphBus, _ fade: ScheduleStep.Fade) {
    for (port, output) in zip(fadingPorts[bus] ?? [], outputs[bus] ?? []) {
      steps.append(
        writtenPorts.insert(port).inserted
          ? .copy(output, to: port, fade: fade, start: turn)
          : .add(output, to: port, fade: fade, start: turn))
    }
  }

  mutating func free(_ references: [BufferReference]) {
    freePool[section, default: []] += references
  }

  mutating func takePool() -> BufferReference {
    if let free = freePool[section]?.popLast() { return free }
    poolCount += 1
    return BufferReference(.pool, poolCount - 1)
  }

  // MARK: Branches

  /// Begins the steps of a unit and of the chain that feeds it.
  mutating func beginUnit(_ index: Int) {
    section = branches?.sections[index] ?? 0
    beginnings.append((section, steps.count))
  }

  /// Groups the steps by section, in the order of the sections.
  mutating func sortSteps() -> ScheduleBranches {
    guard let branches, branches.count > 1 else { return ScheduleBranches() }
    let ends = beginnings.dropFirst().map(\.step) + [steps.count]
    var sorted: [ScheduleStep] = []
    var ranges: [Range<Int>] = []
    for section in 0...branches.behind {
      let first = sorted.count
      for (beginning, end) in zip(beginnings, ends) where beginning.section == section {
        sorted += steps[beginning.step..<end]
      }
      if (1...branches.count).contains(section) { ranges.append(first..<sorted.count) }
    }
    steps = sorted
    return ScheduleBranches(steps: ranges)
  }
}
