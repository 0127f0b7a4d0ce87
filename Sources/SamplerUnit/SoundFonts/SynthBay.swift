// Where synths are made ready, published to the render side, and cleared away.

import Foundation
import Realtime
import Synchronization

/// The control side of a unit's synths. It outlives kernels, and knows nothing of the unit.
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
    var polyphony = 256
    /// Every synth that the kernel may hold or find in its mailbox.
    var synths: [UnsafeMutableRawPointer: PreparedSynth] = [:]
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

  /// Sets how many voices sound at once. While a kernel plays, that takes another synth, and the
  /// SoundFont is loaded again for it.
  func setPolyphony(_ count: Int) -> Result<Void, SoundFontError> {
    queue.sync {
      let old = state.withLock { state in
        defer { state.polyphony = count }
        return state.polyphony
      }
      guard old != count, let choice, state.withLock({ $0.sampleRate }) != nil else {
        return .success(())
      }
      let result = loadNow(
        choice.soundFont.url, bank: choice.bank, program: choice.program, keepsPrograms: true)
      if case .failure = result { state.withLock { $0.polyphony = old } }
      return result
    }
  }

  /// Makes a choice the one that is played. The synth for it is made outside the lock.
  private func install(
    _ choice: Choice?, keepsPrograms: Bool, path: String
  ) throws(SoundFontError) {
    while true {
      let (rate, polyphony) = state.withLock { ($0.sampleRate, $0.polyphony) }
      var synth: PreparedSynth?
      if let rate {
        synth = Self.makeSynth(choice, rate, polyphony, keepsPrograms)
        if synth == nil { throw .outOfMemory(path: path) }
      }
      let isInstalled = state.withLock { state in
        // The kernel may have come, gone or changed its rate meanwhile.
        guard state.sampleRate == rate else { return false }
        state.choice = choice
        if let synth {
          publish(synth, &state)
        } else if !keepsPrograms {
          channels.forgetPrograms()
        }
        return true
      }
      if isInstalled { return }
    }
  }

  private static func makeSynth(
    _ choice: Choice?, _ sampleRate: Double, _ polyphony: Int, _ keepsPrograms: Bool
  ) -> PreparedSynth? {
    PreparedSynth(
      choice?.soundFont, sampleRate: sampleRate, bank: choice?.bank ?? 0,
      program: choice?.program ?? 0, polyphony: polyphony, keepsPrograms: keepsPrograms)
  }

  private func publish(_ synth: PreparedSynth, _ state: inout State) {
    let pointer = UnsafeMutableRawPointer(synth.handle)
    state.synths[pointer] = synth
    if let unused = mailbox.publish(pointer) { state.synths[unused] = nil }
    sweep(&state)
  }

  /// Deletes what the kernel gave back, and looks again later while more is to come.
  private func sweep(_ state: inout State) {
    while let retired = mailbox.collect() { state.synths[retired] = nil }
    if state.synths.count < 2 || state.isSweepScheduled { return }
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

  /// Prepares for a kernel: its first synth, nil when nothing is loaded.
  func attachKernel(sampleRate: Double) throws(SoundFontError) -> UnsafeMutablePointer<Synth>? {
    try state.withLock { state throws(SoundFontError) in
      var handle: UnsafeMutablePointer<Synth>?
      if let choice = state.choice {
        guard let synth = Self.makeSynth(choice, sampleRate, state.polyphony, true) else {
          throw .outOfMemory(path: choice.soundFont.url.path)
        }
        handle = synth.handle
        state.synths[UnsafeMutableRawPointer(synth.handle)] = synth
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
      state.synths = [:]
      state.sampleRate = nil
    }
  }

  /// How many synths exist, for tests.
  var synthCount: Int {
    state.withLock {
      sweep(&$0)
      return $0.synths.count
    }
  }
}
