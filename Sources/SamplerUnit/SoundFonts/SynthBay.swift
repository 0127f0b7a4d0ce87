// Where pools of synths are made ready, published to the render side, and cleared away.

import Foundation
import Realtime
import Synchronization

/// The control side of a unit's pools of synths. It outlives kernels, and knows nothing of the unit.
final class SynthBay: Sendable {
  /// What is loaded.
  struct Choice: Sendable {
    let soundFont: LoadedSoundFont
    let bank: Int
    let program: Int
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
  private let queue = DispatchQueue(label: "auricle.sampler.loading", qos: .userInitiated)

  deinit {
    mailbox.deallocate()
    channels.deallocate()
    counters.deallocate()
  }

  var choice: Choice? { state.withLock { $0.choice } }

  /// Loads and publishes on the bay's own thread: loads of one unit follow each other.
  func load(
    _ url: URL, bank: Int, program: Int, keepsPrograms: Bool
  ) async -> Result<Void, SoundFontError> {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        continuation.resume(
          returning: loadNow(url, bank: bank, program: program, keepsPrograms: keepsPrograms))
      }
    }
  }

  /// Loads and publishes while the caller waits.
  func loadWaiting(_ url: URL, bank: Int, program: Int) -> Result<Void, SoundFontError> {
    queue.sync { loadNow(url, bank: bank, program: program, keepsPrograms: false) }
  }

  /// Loads what is loaded once more, from its file.
  func reload() async -> Result<Void, SoundFontError> {
    guard let choice else { return .failure(.nothingLoaded) }
    return await load(
      choice.soundFont.url, bank: choice.bank, program: choice.program, keepsPrograms: true)
  }

  private func loadNow(
    _ url: URL, bank: Int, program: Int, keepsPrograms: Bool
  ) -> Result<Void, SoundFontError> {
    do throws(SoundFontError) {
      let soundFont = try LoadedSoundFont(url)
      try soundFont.checkPreset(bank: bank, program: program)
      try install(
        Choice(soundFont: soundFont, bank: bank, program: program), keepsPrograms: keepsPrograms,
        path: url.path)
      return .success(())
    } catch {
      return .failure(error)
    }
  }

  /// Forgets what is loaded: from then on there is silence.
  func unload() -> Result<Void, SoundFontError> {
    queue.sync {
      guard let loaded = choice else { return .success(()) }
      return Result { () throws(SoundFontError) in
        try install(nil, keepsPrograms: false, path: loaded.soundFont.url.path)
      }
    }
  }

  /// Sets how many voices or synths there are. While a kernel plays, that takes another pool, and the
  /// SoundFont is loaded again for it.
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
      let result = loadNow(
        choice.soundFont.url, bank: choice.bank, program: choice.program, keepsPrograms: true)
      if case .failure = result { state.withLock { $0.size = old } }
      return result
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
      choice?.soundFont, sampleRate: sampleRate, bank: choice?.bank ?? 0,
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
          throw .outOfMemory(path: choice.soundFont.url.path)
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
