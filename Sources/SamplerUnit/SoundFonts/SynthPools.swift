// Preparation, publication and disposal of pools of synths.

import Configuration
import Dispatch
import FluidSynthPool
import Realtime
import SoundFontFiles
import Synchronization

/// The control side of a unit's pools of synths. It outlives kernels, and does not know the unit.
final class SynthPools: Sendable {
  /// A loaded sound.
  struct LoadedSound: Sendable {
    let stack: SoundFontStack
    let bank: Int
    let program: Int
  }

  /// A sound to load.
  struct Request: Sendable {
    var soundFonts: [SoundFontEntry]
    var bank: Int
    var program: Int
    /// Whether programs chosen by MIDI stay.
    var keepsPrograms = false
    /// Whether files in memory are read again.
    var isFresh = false
    var progress: LoadingProgress?

    init(
      _ soundFonts: [SoundFontEntry], bank: Int = 0, program: Int = 0, keepsPrograms: Bool = false,
      isFresh: Bool = false, progress: LoadingProgress? = nil
    ) {
      self.soundFonts = soundFonts
      self.bank = bank
      self.program = program
      self.keepsPrograms = keepsPrograms
      self.isFresh = isFresh
      self.progress = progress
    }
  }

  struct State {
    /// The sound loaded outside the live set.
    var choice: LoadedSound?
    /// Count of loads, so that the kernel can report which one it plays.
    var loadNumber = 0
    /// The kernel's sample rate; nil without a kernel.
    var sampleRate: Double?
    var size = PoolSize()
    /// Every pool that the kernel may hold or find in its mailbox.
    var pools: [UnsafeMutableRawPointer: LoadedPool] = [:]
    var isSweepScheduled = false
    var live: PreparedLiveSet?
    /// The playing entry while there is no kernel, −1 for none.
    var entry = -1
    /// The kernel's last request that was served.
    var request = 0
    var watch: (any DispatchSourceTimer)?
    var events: [LiveSetEvent] = []
    var eventHandler: (@Sendable (LiveSetEvent) -> Void)?
    /// Called repeatedly while there is a kernel, which may have changed the sound.
    var watcher: (@Sendable () -> Void)?
  }

  let mailbox = PublishedPointer()
  let channels = ChannelStates()
  let counters = SamplerCounters()
  let liveStatus = LiveStatus()
  let presets = PlayedPresets()
  let state = Mutex(State())
  let cache = SoundFontCache()
  let queue = DispatchQueue(label: "auricle.sampler.loading", qos: .userInitiated)

  deinit {
    mailbox.deallocate()
    channels.deallocate()
    counters.deallocate()
    liveStatus.deallocate()
    presets.deallocate()
  }

  var choice: LoadedSound? { state.withLock { choice(&$0) } }

  /// Loads and publishes on the pools' own queue: loads of a unit follow each other.
  func load(_ request: Request) async -> Result<Void, SoundFontError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: loadNow(request)) }
    }
  }

  /// Loads and publishes while the caller waits.
  func loadWaiting(_ request: Request) -> Result<Void, SoundFontError> {
    queue.sync { loadNow(request) }
  }

  /// Loads the loaded SoundFonts again from their files.
  func reload(progress: LoadingProgress?) async -> Result<Void, SoundFontError> {
    guard let choice else { return .failure(.nothingLoaded) }
    return await load(
      Request(
        choice.stack.entries, bank: choice.bank, program: choice.program,
        keepsPrograms: true, isFresh: true, progress: progress))
  }

  /// Finds a sound of SoundFonts by its name, on the pools' own queue. Files are not read again as
  /// long as its stack lives.
  func sound(
    named name: String, of request: Request
  ) async -> Result<LoadedSound, SoundFontError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: Result { () throws(SoundFontError) in
            let stack = try loadStack(request)
            let preset = try stack.preset(named: name)
            return LoadedSound(stack: stack, bank: preset.bank, program: preset.program)
          })
      }
    }
  }

  private func loadNow(_ request: Request) -> Result<Void, SoundFontError> {
    do throws(SoundFontError) {
      let stack = try loadStack(request)
      try stack.checkPreset(bank: request.bank, program: request.program)
      let choice = LoadedSound(stack: stack, bank: request.bank, program: request.program)
      try install(choice, keepsPrograms: request.keepsPrograms, path: stack.path)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  func loadStack(_ request: Request) throws(SoundFontError) -> SoundFontStack {
    if request.soundFonts.isEmpty { throw .noFiles }
    var layers: [SoundFontStack.Layer] = []
    for entry in request.soundFonts {
      guard SoundFontEntry.bankOffsets.contains(entry.bankOffset) else {
        throw .bankOffsetOutOfRange(entry.bankOffset, path: entry.url.path)
      }
      // A file that is in the stack twice is read once.
      var soundFont = layers.first { $0.soundFont.url.path == entry.url.path }?.soundFont
      if soundFont == nil {
        soundFont = try cache.load(
          entry.url, isFresh: request.isFresh, progress: request.progress)
      }
      layers.append(SoundFontStack.Layer(soundFont: soundFont!, bankOffset: entry.bankOffset))
    }
    return SoundFontStack(layers)
  }

  /// Unloads the sound: the unit becomes silent.
  func unload() -> Result<Void, SoundFontError> {
    queue.sync {
      guard let loaded = choice else { return .success(()) }
      return Result { () throws(SoundFontError) in
        try install(nil, keepsPrograms: false, path: loaded.stack.path)
      }
    }
  }

  /// Changes the size of pools. While a kernel plays, that takes other pools.
  func resize(_ change: (inout PoolSize) -> Void) -> Result<Void, SoundFontError> {
    queue.sync {
      let (old, new) = state.withLock { state in
        let old = state.size
        change(&state.size)
        return (old, state.size)
      }
      guard old != new, let choice, state.withLock({ $0.sampleRate }) != nil else {
        return .success(())
      }
      do throws(SoundFontError) {
        try renewAtHand()
        try install(choice, keepsPrograms: true, path: choice.stack.path)
        return .success(())
      } catch {
        state.withLock { $0.size = old }
        return .failure(error)
      }
    }
  }

  /// Makes a choice the loaded sound; it replaces the playing one if programs are kept. Makes its
  /// pools outside the lock.
  private func install(
    _ choice: LoadedSound?, keepsPrograms: Bool, path: String
  ) throws(SoundFontError) {
    while true {
      let (rate, size) = state.withLock { ($0.sampleRate, $0.size) }
      // A load that the kernel has not taken yet stays new.
      let isNew =
        !keepsPrograms || state.withLock { liveStatus.loadNumber < $0.loadNumber }
      let live = state.withLock { $0.live }
      let current = isNew ? nil : live?[currentEntry]
      let place = current.flatMap { live?.stack(of: $0) } ?? -1
      let staysAtHand = place >= 0 && live?.stacks[place] != nil
      var pools: [LoadedPool] = []
      if let rate {
        guard
          let pool = Self.makePool(
            choice, rate, size, keepsPrograms: !isNew, stack: place, staysAtHand: staysAtHand)
        else { throw .outOfMemory(path: path) }
        pools = [pool]
      }
      let isInstalled = state.withLock { state in
        // The kernel may have been attached, detached or changed its rate meanwhile.
        guard state.sampleRate == rate else { return false }
        if staysAtHand { state.live?.stacks[place] = choice?.stack }
        if place < 0 || rate == nil { state.choice = choice }
        if !keepsPrograms {
          state.loadNumber += 1
          state.entry = -1
        }
        for pool in pools { pool.handle.pointee.loadNumber = state.loadNumber }
        if !pools.isEmpty {
          publish(pools, &state)
        } else if !keepsPrograms {
          forgetPrograms()
        }
        return true
      }
      if isInstalled { return }
    }
  }

  /// Returns to the configured programs, while there is no kernel.
  func forgetPrograms() {
    channels.forgetPrograms()
    presets.forget()
  }

  static func makePool(
    _ choice: LoadedSound?, _ sampleRate: Double, _ size: PoolSize, keepsPrograms: Bool,
    stack: Int = -1, staysAtHand: Bool = false
  ) -> LoadedPool? {
    let pool = LoadedPool(
      choice?.stack, sampleRate: sampleRate, bank: choice?.bank ?? 0,
      program: choice?.program ?? 0, size: size, keepsPrograms: keepsPrograms)
    pool?.handle.pointee.stack = stack
    pool?.handle.pointee.staysAtHand = staysAtHand
    return pool
  }

  /// Publishes pools together, and with them pools in the mailbox that stay at hand.
  func publish(_ pools: [LoadedPool], _ state: inout State) {
    var handles = pools.map(\.handle)
    var pending = mailbox.withdraw()?.assumingMemoryBound(to: SynthPool.self)
    while let pool = pending {
      pending = pool.pointee.next
      pool.pointee.next = nil
      let isReplaced = handles.contains {
        $0.pointee.staysAtHand && $0.pointee.stack == pool.pointee.stack
      }
      if pool.pointee.staysAtHand && !isReplaced {
        handles.append(pool)
      } else {
        // The kernel's request for an entry dropped for another size is served again.
        let areSame = pools.allSatisfy { $0.handle.pointee.keepsPrograms }
        if pool.pointee.entry >= 0 && areSame { state.request = -1 }
        state.pools[UnsafeMutableRawPointer(pool)] = nil
      }
    }
    for pool in pools { state.pools[UnsafeMutableRawPointer(pool.handle)] = pool }
    for (pool, next) in zip(handles, handles.dropFirst()) { pool.pointee.next = next }
    if let first = handles.first { _ = mailbox.publish(UnsafeMutableRawPointer(first)) }
    sweep(&state)
  }

  /// Deletes pools that the kernel handed back. Repeats that later while more are expected.
  private func sweep(_ state: inout State) {
    while let retired = mailbox.collect() {
      var next: UnsafeMutablePointer<SynthPool>? = retired.assumingMemoryBound(to: SynthPool.self)
      while let pool = next {
        next = pool.pointee.next
        state.pools[UnsafeMutableRawPointer(pool)] = nil
      }
    }
    let kept = max(1, state.live?.stacks.count { $0 != nil } ?? 0)
    if state.pools.count <= kept || state.isSweepScheduled { return }
    state.isSweepScheduled = true
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
      guard let self else { return }
      self.state.withLock {
        $0.isSweepScheduled = false
        self.sweep(&$0)
      }
    }
  }

  // MARK: Kernel lifetime

  /// Prepares for a kernel. Returns its live set and its first pool; nil if nothing is loaded.
  ///
  /// - Parameters:
  ///   - sampleRate: the kernel's rate; nil if FluidSynth cannot render at it: then no pools are
  ///     made.
  ///   - isOffline: whether the sound must not depend on the time of loading. If so, pools of all
  ///     entries are made.
  func attachKernel(
    sampleRate: Double?, isOffline: Bool = false
  ) throws(SoundFontError) -> (UnsafeMutablePointer<SynthPool>?, LiveTable) {
    try state.withLock { state throws(SoundFontError) in
      var made: [LoadedPool] = []
      func make(_ choice: LoadedSound, _ place: Int, _ stays: Bool) throws(SoundFontError)
        -> UnsafeMutablePointer<SynthPool>?
      {
        guard let sampleRate else { return nil }
        guard
          let pool = Self.makePool(
            choice, sampleRate, state.size, keepsPrograms: true, stack: place, staysAtHand: stays)
        else { throw .outOfMemory(path: choice.stack.path) }
        made.append(pool)
        return pool.handle
      }
      let live = state.live ?? PreparedLiveSet(LiveSet([]), settings: [:])
      var atHand: [UnsafeMutablePointer<SynthPool>?] = []
      for (place, files) in live.files.enumerated() {
        var stack = live.stacks[place]
        if stack == nil && isOffline { stack = try loadStack(Request(files)) }
        let pool = try stack.flatMap { (stack) throws(SoundFontError) in
          try make(LoadedSound(stack: stack, bank: 0, program: 0), place, true)
        }
        atHand.append(pool)
      }
      var first: UnsafeMutablePointer<SynthPool>?
      if let choice = state.choice {
        let entry = live[state.entry]
        let place = entry.map { live.stack(of: $0) } ?? -1
        first = place < 0 ? nil : atHand[place]
        if let first, let entry {
          first.pointee.setConfigured(
            choice.stack.configured(bank: entry.bank, program: entry.program))
        }
        if first == nil { first = try make(choice, place, false) }
      }
      for pool in made { state.pools[UnsafeMutableRawPointer(pool.handle)] = pool }
      state.sampleRate = sampleRate
      // The pools hold the sound of the entry.
      if state.entry >= 0 && sampleRate != nil { state.choice = nil }
      liveStatus.current = state.entry
      liveStatus.loadNumber = state.loadNumber
      if liveStatus.isAsking { liveStatus.ask(for: -1) }
      watch(&state)
      return (first, live.makeTable(pools: atHand))
    }
  }

  /// Releases the pools of a removed kernel.
  func detachKernel() {
    reportChanges()
    state.withLock { state in
      state.choice = choice(&state)
      state.entry = entry(&state)
      _ = mailbox.withdraw()
      while mailbox.collect() != nil {}
      state.pools = [:]
      state.sampleRate = nil
      state.watch?.cancel()
      state.watch = nil
    }
  }

  /// Count of existing pools of synths, for tests.
  var poolCount: Int {
    state.withLock {
      sweep(&$0)
      return $0.pools.count
    }
  }
}
