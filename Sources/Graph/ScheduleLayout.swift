// A schedule that is being laid out.

import GraphRender

/// A signal that is heard at an input, or a port.
struct ScheduleSource {
  /// By channel.
  var channels: [BufferReference]
  var fade = ScheduleStep.Fade.none
  /// The schedule's frame on which the fade begins.
  var start = 0

  /// Has a single channel be heard in all.
  mutating func fill(_ count: Int) {
    if channels.count != count { channels = Array(repeating: channels[0], count: count) }
  }
}

struct ScheduleLayout {
  var ports = GraphPorts()
  var steps: [ScheduleStep] = []
  var bindings: [[BufferReference]]
  /// Nil where nothing waits.
  var delays: DelayChange?
  /// Whether something has been heard before.
  var isPassage = false
  /// The frame on which it crosses over to what is new.
  var turn = 0
  /// The chains of time effects, each behind the one that it is in, and the ways into them.
  var chains: [ChainUse] = []
  var crossings: [CrossingUse] = []
  var lines: [DelayLineUse] = []
  var queues: [QueueUse] = []
  private(set) var poolCount = 0
  private(set) var inputPorts: [GraphBus: [BufferReference]] = [:]
  private(set) var outputs: [GraphBus: [BufferReference]] = [:]
  /// The ports of outputs that come or go.
  private(set) var fadingPorts: [GraphBus: [BufferReference]] = [:]
  private var waitingReaders: [GraphBus: Int] = [:]
  /// Nil where all is rendered by one thread.
  var branches: GraphBranches?
  /// Where the unit is that is being laid out.
  private var section = 0
  /// Where the steps of each section begin.
  private var beginnings: [(section: Int, step: Int)] = []
  /// By section: branches that are rendered at the same time share no memory.
  private var freePool: [Int: [BufferReference]] = [:]
  /// Where the readers of an output were so far, -1 in several sections.
  private var readerSections: [GraphBus: Int] = [:]
  /// The ports that come or go and have been written to.
  private var writtenPorts: Set<BufferReference> = []

  init(unitCount: Int) {
    bindings = Array(repeating: [], count: unitCount)
  }

  /// A unit in the place of another has the ports of that.
  mutating func addInputPort(_ port: GraphPort, _ bus: GraphBus) {
    let known = ports.audioInputs.firstIndex { $0.name == port.name }
    inputPorts[bus, default: []].append(
      .init(.externalInput, known ?? ports.audioInputs.count))
    if known == nil { ports.audioInputs.append(port) }
  }

  /// - Parameter isFading: whether the port comes or goes; the output is elsewhere then.
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

  /// Gives an output without ports memory of the pool until `readers` units have read it. An output
  /// with ports renders into these, and who hears it inside reads it there.
  mutating func placeOutput(_ bus: GraphBus, channels: Int, readers: Int) {
    if outputs[bus] != nil { return }
    outputs[bus] = (0..<channels).map { _ in takePool() }
    waitingReaders[bus] = readers
  }

  /// One reader of an output has rendered; behind the last one its memory is free for others, so
  /// that a long chain stays in the processor's cache.
  mutating func finishReading(_ bus: GraphBus) {
    guard let readers = waitingReaders[bus] else { return }
    waitingReaders[bus] = readers - 1
    let isSame = readerSections[bus] ?? section == section
    readerSections[bus] = isSame ? section : -1
    guard readers == 1 else { return }
    // What several sections read is free when all of them are over.
    freePool[isSame ? section : branches?.behind ?? 0, default: []] += outputs[bus]!
  }

  /// Binds an input to its only source, or to a mix of all.
  ///
  /// - Returns: the memory of the mix, free again once the unit has rendered.
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

  /// Has an output heard at its ports, if these come or go.
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

  /// What is laid out from here on is for a unit, or for the chain that feeds it.
  mutating func beginUnit(_ index: Int) {
    section = branches?.sections[index] ?? 0
    beginnings.append((section, steps.count))
  }

  /// Puts the steps of each section together, in the order of the sections.
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
