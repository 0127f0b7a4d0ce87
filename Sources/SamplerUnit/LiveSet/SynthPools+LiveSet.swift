// The live set on the control side: loading ahead, and loading on selection.

import Configuration
import Dispatch
import SoundFontFiles

extension SynthPools {
  /// Interval of polling the render side.
  private static let watchMilliseconds = 20
  /// Count of events kept for `takeEvents`.
  private static let eventCapacity = 256

  /// The playing entry, −1 for none.
  var currentEntry: Int { state.withLock { entry(&$0) } }

  var liveSet: LiveSet? { state.withLock { $0.live?.set } }

  func entry(_ state: inout State) -> Int {
    guard state.sampleRate != nil else { return state.entry }
    // A load that the kernel has not taken yet will end the entry.
    return liveStatus.loadNumber < state.loadNumber ? -1 : liveStatus.current
  }

  func choice(_ state: inout State) -> LoadedSound? {
    guard let live = state.live, let entry = live[entry(&state)] else { return state.choice }
    let index = live.stack(of: entry)
    let pool = state.pools.values.first { $0.handle.pointee.stack == index && $0.stack != nil }
    guard let stack = live.stacks[index] ?? pool?.stack ?? state.choice?.stack else { return nil }
    return LoadedSound(stack: stack, bank: entry.bank, program: entry.program)
  }

  /// Loads the SoundFonts of a live set and checks the presets of its entries. The first entry
  /// becomes the loaded sound.
  func setLiveSet(
    _ set: LiveSet, settings: [Int: [LiveSetting]], progress: LoadingProgress?
  ) async -> Result<Void, LiveSetError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: Result { () throws(LiveSetError) in
            try setLiveSetNow(PreparedLiveSet(set, settings: settings, progress: progress))
          })
      }
    }
  }

  private func setLiveSetNow(
    _ prepared: PreparedLiveSet
  ) throws(LiveSetError) {
    var live = prepared
    var first: LoadedSound?
    for entry in live.set.entries {
      do throws(SoundFontError) {
        let index = live.stack(of: entry)
        var known = live.stacks[index]
        if known == nil {
          known = try loadStack(Request(entry.soundFonts, progress: live.progress))
        }
        let stack = known!
        try stack.checkPreset(bank: entry.bank, program: entry.program)
        live.configured[entry.number] = stack.configured(bank: entry.bank, program: entry.program)
        if live.set.preloads { live.stacks[index] = stack }
        if first == nil {
          first = LoadedSound(stack: stack, bank: entry.bank, program: entry.program)
        }
      } catch {
        throw .soundFont(number: entry.number, error)
      }
    }
    let isSet = state.withLock { state in
      guard state.sampleRate == nil else { return false }
      if let first {
        state.choice = first
        presets.forget()
      }
      state.entry = live.set.entries.first?.number ?? -1
      state.live = live.set.entries.isEmpty ? nil : live
      return true
    }
    if !isSet { throw .rendering }
  }

  /// Makes an entry the loaded sound, while there is no kernel.
  /// - Returns: false if there is a kernel, or no such entry.
  func selectWithoutKernel(_ number: Int) throws(SoundFontError) -> Bool {
    try queue.sync { () -> Result<Bool, SoundFontError> in
      Result { () throws(SoundFontError) in
        let (live, isAttached) = state.withLock { ($0.live, $0.sampleRate != nil) }
        guard let live, let entry = live[number], !isAttached else { return false }
        var known = live.stacks[live.stack(of: entry)]
        if known == nil {
          known = try loadStack(Request(entry.soundFonts, progress: live.progress))
        }
        let stack = known!
        return state.withLock { state in
          guard state.sampleRate == nil else { return false }
          state.choice = LoadedSound(stack: stack, bank: entry.bank, program: entry.program)
          state.entry = number
          forgetPrograms()
          return true
        }
      }
    }.get()
  }

  /// Makes the prepared pools again in another size.
  func renewAtHand() throws(SoundFontError) {
    let (live, rate, size) = state.withLock { ($0.live, $0.sampleRate, $0.size) }
    guard let live, let rate else { return }
    var pools: [LoadedPool] = []
    for (index, stack) in live.stacks.enumerated() {
      guard let stack else { continue }
      let choice = LoadedSound(stack: stack, bank: 0, program: 0)
      guard
        let pool = Self.makePool(
          choice, rate, size, keepsPrograms: true, stack: index, staysAtHand: true)
      else { throw .outOfMemory(path: stack.path) }
      pools.append(pool)
    }
    state.withLock { state in
      if state.sampleRate == rate { publish(pools, &state) }
    }
  }

  // MARK: Kernel events

  /// Starts polling the kernel.
  func watch(_ state: inout State) {
    let timer = DispatchSource.makeTimerSource(queue: queue)
    timer.schedule(
      deadline: .now(), repeating: .milliseconds(Self.watchMilliseconds), leeway: .milliseconds(5))
    timer.setEventHandler { [weak self] in
      self?.reportChanges()
      self?.serveRequest()
      self?.state.withLock { $0.watcher }?()
    }
    timer.resume()
    state.watch = timer
  }

  func reportChanges() {
    while let change = liveStatus.switches.tryReceive() {
      let name = state.withLock { $0.live?[change.number]?.name } ?? ""
      notify(.began(number: change.number, name: name, delayFrames: change.delayFrames))
    }
    state.withLock { state in
      // The sound loaded outside the live set is dropped once an entry plays.
      if state.sampleRate != nil && entry(&state) >= 0 { state.choice = nil }
    }
  }

  private func notify(_ event: LiveSetEvent) {
    let handler = state.withLock { state in
      if state.events.count == Self.eventCapacity { state.events.removeFirst() }
      state.events.append(event)
      return state.eventHandler
    }
    handler?(event)
  }

  func takeEvents() -> [LiveSetEvent] {
    state.withLock { state in
      defer { state.events = [] }
      return state.events
    }
  }

  /// Loads the entry that the kernel requests.
  private func serveRequest() {
    let request = liveStatus.request
    let (live, rate, size, isNew) = state.withLock { state in
      defer { state.request = request }
      return (state.live, state.sampleRate, state.size, state.request != request)
    }
    guard isNew, let rate, let live, let entry = live[LiveStatus.entry(ofRequest: request)] else {
      return
    }
    let index = live.stack(of: entry)
    if live.stacks[index] != nil { return }
    do throws(SoundFontError) {
      let stack = try loadStack(Request(entry.soundFonts, progress: live.progress))
      try stack.checkPreset(bank: entry.bank, program: entry.program)
      let choice = LoadedSound(stack: stack, bank: entry.bank, program: entry.program)
      guard let pool = Self.makePool(choice, rate, size, keepsPrograms: false, stack: index) else {
        throw .outOfMemory(path: stack.path)
      }
      state.withLock { state in
        // A later load must not be replaced.
        let isLoading = liveStatus.loadNumber < state.loadNumber
        guard state.sampleRate == rate, !isLoading else { return }
        pool.handle.pointee.entry = entry.number
        publish([pool], &state)
      }
    } catch {
      notify(.failed(number: entry.number, name: entry.name, error))
    }
  }
}
