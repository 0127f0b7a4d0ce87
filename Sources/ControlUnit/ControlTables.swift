// Handover of mapping tables to the render side and back.

import Configuration
import MIDIStages
import Realtime
import Synchronization
import UnitModel
import UnitRender

/// Makes tables, keeps the units they refer to while the render side may use them, and frees them.
///
/// A mapping that stays in a new table keeps its state.
final class ControlTables: @unchecked Sendable {
  let counters = DeferredEventCounters()
  let ear = MIDIListener()
  let reports = ControlReports()
  let feedbackRequests = AtomicCounters(count: 1)
  private let moves = ControlMoves(capacity: MappingConfiguration.maximumCount)
  private let mailbox = PublishedPointer()
  private let memory = ControlMemory(count: MappingConfiguration.maximumCount)

  private struct Slot {
    let index: Int
    let generation: Int
  }

  private struct State {
    var mappings: [ControlMapping] = []
    /// The sample rate in hertz; nil while there is no kernel.
    var sampleRate: Double?
    /// The units whose values each table refers to.
    var tables: [UnsafeMutableRawPointer: [AudioUnit]] = [:]
    /// The slots of mappings; equal mappings differ by their number.
    var mappingSlots: [MappingKey: Slot] = [:]
    var parameterSlots: [ControlMapping.ParameterID: Slot] = [:]
    var lastGeneration = 0
    /// The triggers of the last tables, by their numbers.
    var triggers: [Int: ControlTrigger] = [:]
    var lastTrigger = 0
    /// The first trigger number of the last table.
    var firstTrigger = 0
    /// The number of moves at the last `takeMoves`.
    var takenMoves = 0
    /// The number of kernels so far; it keeps their feedback epochs apart.
    var kernels = 0
  }

  private struct MappingKey: Hashable {
    let settings: ControlMapping.Settings
    let number: Int
  }

  private let state = Mutex(State())

  deinit {
    state.withLock { state in
      for table in state.tables.keys { Self.free(table) }
    }
    mailbox.deallocate()
    memory.deallocate()
    counters.deallocate()
    ear.deallocate()
    reports.deallocate()
    feedbackRequests.deallocate()
    moves.deallocate()
  }

  var mappings: [ControlMapping] { state.withLock { $0.mappings } }

  /// Replaces the mappings; the render side uses them from the next call on.
  func set(_ mappings: [ControlMapping]) {
    state.withLock { state in
      state.mappings = mappings
      Self.assignSlots(&state)
      guard let sampleRate = state.sampleRate else { return }
      while let spent = mailbox.collect() { Self.free(spent, &state) }
      let table = Self.make(&state, sampleRate)
      if let unseen = mailbox.publish(UnsafeMutableRawPointer(table)) { Self.free(unseen, &state) }
    }
  }

  /// Makes a kernel for the present mappings; it belongs to the caller until `release`.
  func makeKernel(sampleRate: Double) -> ControlKernel {
    state.withLock { state in
      state.sampleRate = sampleRate
      Self.assignSlots(&state)
      state.kernels += 1
      return ControlKernel(
        Self.make(&state, sampleRate), mailbox: mailbox, memory: memory, counters: counters,
        ear: ear, reports: reports, moves: moves, feedbackRequests: feedbackRequests,
        epoch: state.kernels << 32)
    }
  }

  /// Returns the triggers executed since the last call, in order.
  func takeNews() -> [ControlAction] {
    var news: [ControlAction] = []
    while let report = reports.take() {
      guard let trigger = state.withLock({ $0.triggers[report.number] }) else { continue }
      news.append(ControlAction(trigger: trigger, frame: report.frame))
    }
    return news
  }

  /// Returns the parameters that have moved since the last call.
  func takeMoves() -> [ControlMove] {
    state.withLock { state in
      let total = moves.total
      if total == state.takenMoves { return [] }
      state.takenMoves = total
      var units: [ControlMapping.ParameterID: AudioUnit] = [:]
      for mapping in state.mappings {
        if let parameter = mapping.settings.parameter { units[parameter] = mapping.motion?.unit }
      }
      return state.parameterSlots.compactMap { parameter, slot in
        guard let unit = units[parameter], let frames = moves.take(slot.index, slot.generation)
        else {
          return nil
        }
        return ControlMove(
          unit: unit, address: parameter.address, firstFrame: frames.first, lastFrame: frames.last)
      }.sorted { ($0.firstFrame, $0.address) < ($1.firstFrame, $1.address) }
    }
  }

  /// Frees the tables after their kernel was deallocated.
  func release() {
    state.withLock { state in
      state.sampleRate = nil
      while mailbox.collect() != nil {}
      _ = mailbox.withdraw()
      for table in state.tables.keys { Self.free(table) }
      state.tables = [:]
    }
  }

  private static func free(_ table: UnsafeMutableRawPointer, _ state: inout State) {
    state.tables[table] = nil
    free(table)
  }

  private static func free(_ table: UnsafeMutableRawPointer) {
    let table = table.assumingMemoryBound(to: ControlTable.self)
    table.pointee.deallocate()
    table.deallocate()
  }

  // MARK: Slots

  /// Assigns slots to mappings and parameters; those with a slot keep it.
  private static func assignSlots(_ state: inout State) {
    var generation = state.lastGeneration
    state.mappingSlots = assigned(keys(of: state.mappings), state.mappingSlots, &generation)
    state.parameterSlots = assigned(
      state.mappings.compactMap(\.settings.parameter), state.parameterSlots, &generation)
    state.lastGeneration = generation
  }

  private static func keys(of mappings: [ControlMapping]) -> [MappingKey] {
    var counts: [ControlMapping.Settings: Int] = [:]
    return mappings.map { mapping in
      counts[mapping.settings, default: 0] += 1
      return MappingKey(settings: mapping.settings, number: counts[mapping.settings] ?? 0)
    }
  }

  private static func assigned<Key: Hashable>(
    _ keys: [Key], _ old: [Key: Slot], _ generation: inout Int
  ) -> [Key: Slot] {
    var slots: [Key: Slot] = [:]
    for key in keys { slots[key] = old[key] }
    let used = Set(slots.values.map(\.index))
    var free = (0..<MappingConfiguration.maximumCount).lazy.filter { !used.contains($0) }
      .makeIterator()
    for key in keys where slots[key] == nil {
      guard let index = free.next() else { preconditionFailure("there are too many mappings") }
      generation += 1
      slots[key] = Slot(index: index, generation: generation)
    }
    return slots
  }

  // MARK: Tables

  private static func make(
    _ state: inout State, _ sampleRate: Double
  ) -> UnsafeMutablePointer<ControlTable> {
    let mappings = state.mappings
    var indices: [ControlMapping.ParameterID: Int] = [:]
    var parameters: [ControlParameter] = []
    for mapping in mappings {
      guard let parameter = mapping.settings.parameter, let motion = mapping.motion,
        indices[parameter] == nil, let slot = state.parameterSlots[parameter]
      else { continue }
      indices[parameter] = parameters.count
      parameters.append(
        ControlParameter(
          address: parameter.address, target: parameter.target, values: motion.unit.parameterValues,
          valueIndex: motion.valueIndex, slot: slot.index, generation: slot.generation))
    }
    let triggers = makeTriggers(&state)
    let numbers = mappings.compactMap { mapping -> Int? in
      guard case .nonRegistered(let number) = mapping.settings.source else { return nil }
      return number
    }
    let nonRegistered = Set(numbers).sorted()
    var triggerCount = 0
    var feeding: Set<[Int]> = []
    let entries = zip(mappings, keys(of: mappings)).compactMap { mapping, key in
      state.mappingSlots[key].map { slot in
        let trigger = mapping.trigger == nil ? -1 : triggerCount
        if mapping.trigger != nil { triggerCount += 1 }
        let source = ControlSource.number(
          mapping.settings.source, nonRegistered: nonRegistered)
        // Of several parameters mapped to one control, only the first is fed back.
        let isFirst = feeding.insert([source, mapping.settings.channel ?? 0]).inserted
        return (
          source: source,
          entry: entry(
            mapping, slot, parameter: mapping.settings.parameter.flatMap { indices[$0] } ?? -1,
            trigger: trigger, feedsBack: isFirst, sampleRate)
        )
      }
    }
    let table = UnsafeMutablePointer<ControlTable>.allocate(capacity: 1)
    // Mappings of one source keep the order in which they are written.
    let sorted = entries.enumerated().sorted {
      ($0.element.source, $0.offset) < ($1.element.source, $1.offset)
    }.map(\.element)
    table.initialize(
      to: ControlTable(
        sorted, parameters, triggers, nonRegistered: nonRegistered, sampleRate: sampleRate))
    state.tables[UnsafeMutableRawPointer(table)] = mappings.flatMap(\.units)
    return table
  }

  /// Numbers the triggers, and drops those older than the previous table.
  private static func makeTriggers(_ state: inout State) -> ControlTriggerTable {
    let triggers = state.mappings.compactMap(\.trigger)
    state.triggers = state.triggers.filter { $0.key >= state.firstTrigger }
    state.firstTrigger = state.lastTrigger + 1
    for trigger in triggers {
      state.lastTrigger += 1
      state.triggers[state.lastTrigger] = trigger
    }
    return ControlTriggerTable(triggers, from: state.firstTrigger)
  }

  private static func entry(
    _ mapping: ControlMapping, _ slot: Slot, parameter: Int, trigger: Int, feedsBack: Bool,
    _ sampleRate: Double
  ) -> ControlEntry {
    let settings = mapping.settings
    let range = min(settings.first, settings.last)...max(settings.first, settings.last)
    // An encoder has no ends: 127 steps cover the range. A step is at least one whole number if the
    // parameter is stepped.
    let values = Double(range.upperBound) - Double(range.lowerBound)
    let (motion, isStepped) = (mapping.motion, mapping.motion?.isStepped ?? false)
    let step = isStepped && values > 0 ? max(1 / values, 1.0 / 127) : 1.0 / 127
    let ramp = settings.rampMilliseconds * sampleRate / 1000
    return ControlEntry(
      channels: settings.channel.map { 1 << UInt16($0 - 1) } ?? .max,
      mode: settings.mode.rendered, pickup: settings.pickup.rendered,
      curve: settings.curve.rendered, shape: settings.shape, first: settings.first,
      last: settings.last,
      target: MIDITarget(
        MIDIChainTarget(
          address: settings.parameter?.address ?? 0, range: range,
          isLogarithmic: motion?.isLogarithmic ?? false, isStepped: isStepped,
          canRamp: motion?.canRamp ?? false)),
      rampFrames: motion?.canRamp == true ? UInt32(ramp.rounded()) : 0, step: step,
      parameter: parameter, trigger: trigger, bank: settings.bank ?? -1,
      feedback: ControlFeedback(settings, isWanted: feedsBack), slot: slot.index,
      generation: slot.generation)
  }
}

extension MappingConfiguration.Mode {
  fileprivate var rendered: ControlMode {
    switch self {
    case .absolute: .absolute
    case .toggle: .toggle
    case .relative: .relative
    case .relativeOffset: .relativeOffset
    case .relativeSign: .relativeSign
    }
  }
}

extension MappingConfiguration.Pickup {
  fileprivate var rendered: ControlPickup {
    switch self {
    case .jump: .jump
    case .pickup: .pickup
    case .scale: .scale
    }
  }
}

extension MappingConfiguration.Curve {
  fileprivate var rendered: ResponseCurve {
    switch self {
    case .linear: .linear
    case .exponential: .exponential
    case .logarithmic: .logarithmic
    }
  }
}
