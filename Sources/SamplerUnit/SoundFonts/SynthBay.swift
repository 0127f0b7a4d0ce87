// Where pools of synths are made ready, published to the render side, and cleared away.

import Foundation
import Realtime
import Synchronization

/// The control side of a unit's pools of synths. It outlives kernels, and knows nothing of the unit.
final class SynthBay: Sendable {
  /// What is loaded.
  struct Choice: Sendable {
    let stack: SoundFontStack
    let bank: Int
    let program: Int
  }

  /// What is to be loaded.
  struct Request: Sendable {
    var soundFonts: [SoundFontEntry]
    var bank: Int
    var program: Int
    /// Whether the programs that MIDI has chosen stay.
    var keepsPrograms = false
    /// Whether files are read that are in memory.
    var isFresh = false
    var progress: LoadingProgress?
  }

  private struct State {
    var choice: Choice?
    /// The rate of the kernel, nil while there is none.
    var sampleRate: Double?
    var size = PoolSize()
    /// Every pool that the kernel may hold or find in its mailbox.
    var pools: [UnsafeMutableRawPointer: PreparedPool] = [:]
    var isSweepScheduled = false
  }

  let mailbox = PublishedPointer()
  let channels = ChannelStates()
  let counters = SamplerCounters()
  private let state = Mutex(State())
  private let cache = SoundFontCache()
  private let queue = DispatchQueue(label: "auricle.sampler.loading", qos: .userInitiated)

  deinit {
    mailbox.deallocate()
    channels.deallocate()
    counters.deallocate()
  }

  var choice: Choice? { state.withLock { $0.choice } }

  /// Loads and publishes on the bay's own thread: loads of one unit follow each other.
  func load(_ request: Request) async -> Result<Void, SoundFontError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in continuation.resume(returning: loadNow(request)) }
    }
  }

  /// Loads and publishes while the caller waits.
  func loadWaiting(_ request: Request) -> Result<Void, SoundFontError> {
    queue.sync { loadNow(request) }
  }

  /// Loads what is loaded once more, from its files.
  func reload(progress: LoadingProgress?) async -> Result<Void, SoundFontError> {
    guard let choice else { return .failure(.nothingLoaded) }
    return await load(
      Request(
        soundFonts: choice.stack.entries, bank: choice.bank, program: choice.program,
        keepsPrograms: true, isFresh: true, progress: progress))
  }

  private func loadNow(_ request: Request) -> Result<Void, SoundFontError> {
    do throws(SoundFontError) {
      let stack = try loadStack(request)
      try stack.checkPreset(bank: request.bank, program: request.program)
      try install(
        Choice(stack: stack, bank: request.bank, program: request.program),
        keepsPrograms: request.keepsPrograms, path: stack.path)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  private func loadStack(_ request: Request) throws(SoundFontError) -> SoundFontStack {
    if request.soundFonts.isEmpty { throw .noFiles }
    var layers: [SoundFontStack.Layer] = []
    for entry in request.soundFonts {
      guard SoundFontEntry.bankOffsets.contains(entry.bankOffset) else {
        throw .bankOffsetOutOfRange(entry.bankOffset, path: entry.url.path)
      }
      // A file that lies in the stack twice is read once.
      var soundFont = layers.first { $0.soundFont.url.path == entry.url.path }?.soundFont
      if soundFont == nil {
        soundFont = try cache.load(
          entry.url, isFresh: request.isFresh, progress: request.progress)
      }
      layers.append(SoundFontStack.Layer(soundFont: soundFont!, bankOffset: entry.bankOffset))
    }
    return SoundFontStack(layers)
  }

  /// Forgets what is loaded: from then on there is silence.
  func unload() -> Result<Void, SoundFontError> {
    queue.sync {
      guard let loaded = choice else { return .success(()) }
      return Result { () throws(SoundFontError) in
        try install(nil, keepsPrograms: false, path: loaded.stack.path)
      }
    }
  }

  /// Sets how many voices or synths there are. While a kernel plays, that takes another pool.
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
        try install(choice, keepsPrograms: true, path: choice.stack.path)
        return .success(())
      } catch {
        state.withLock { $0.size = old }
        return .failure(error)
      }
    }
  }

  /// Makes a choice the one that is played. The pool for it is made outside the lock.
  private func install(
    _ choice: Choice?, keepsPrograms: Bool, path: String
  ) throws(SoundFontError) {
    while true {
      let (rate, size) = state.withLock { ($0.sampleRate, $0.size) }
      var pool: PreparedPool?
      if let rate {
        pool = Self.makePool(choice, rate, size, keepsPrograms)
        if pool == nil { throw .outOfMemory(path: path) }
      }
      let isInstalled = state.withLock { state in
        // The kernel may have come, gone or changed its rate meanwhile.
        guard state.sampleRate == rate else { return false }
        state.choice = choice
        if let pool {
          publish(pool, &state)
        } else if !keepsPrograms {
          channels.forgetPrograms()
        }
        return true
      }
      if isInstalled { return }
    }
  }

  private static func makePool(
    _ choice: Choice?, _ sampleRate: Double, _ size: PoolSize, _ keepsPrograms: Bool
  ) -> PreparedPool? {
    PreparedPool(
      choice?.stack, sampleRate: sampleRate, bank: choice?.bank ?? 0,
      program: choice?.program ?? 0, size: size, keepsPrograms: keepsPrograms)
  }

  private func publish(_ pool: PreparedPool, _ state: inout State) {
    let pointer = UnsafeMutableRawPointer(pool.handle)
    state.pools[pointer] = pool
    if let unused = mailbox.publish(pointer) { state.pools[unused] = nil }
    sweep(&state)
  }

  /// Deletes what the kernel gave back, and looks again later while more is to come.
  private func sweep(_ state: inout State) {
    while let retired = mailbox.collect() { state.pools[retired] = nil }
    if state.pools.count < 2 || state.isSweepScheduled { return }
    state.isSweepScheduled = true
    queue.asyncAfter(deadline: .now() + .milliseconds(200)) { [weak self] in
      guard let self else { return }
      self.state.withLock {
        $0.isSweepScheduled = false
        self.sweep(&$0)
      }
    }
  }

  // MARK: The kernel's life

  /// Prepares for a kernel: its first pool, nil when nothing is loaded.
  func attachKernel(sampleRate: Double) throws(SoundFontError) -> UnsafeMutablePointer<SynthPool>? {
    try state.withLock { state throws(SoundFontError) in
      var handle: UnsafeMutablePointer<SynthPool>?
      if let choice = state.choice {
        guard let pool = Self.makePool(choice, sampleRate, state.size, true) else {
          throw .outOfMemory(path: choice.stack.path)
        }
        handle = pool.handle
        state.pools[UnsafeMutableRawPointer(pool.handle)] = pool
      }
      state.sampleRate = sampleRate
      return handle
    }
  }

  /// Clears away what the kernel held, once it is gone.
  func detachKernel() {
    state.withLock { state in
      _ = mailbox.withdraw()
      while mailbox.collect() != nil {}
      state.pools = [:]
      state.sampleRate = nil
    }
  }

  /// How many pools of synths exist, for tests.
  var poolCount: Int {
    state.withLock {
      sweep(&$0)
      return $0.pools.count
    }
  }
}
