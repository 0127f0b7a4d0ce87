// A synth pool without a sampler.

import Synchronization
import TestSupport
import Testing

@testable import FluidSynthPool

/// A pool with a SoundFont of one constant, on the left, used as the render thread does.
struct BarePool {
  let pool: PreparedPool
  let channels = ChannelStates()
  let scratch = SamplerScratch(maximumFrames: 4096)
  let mix = SamplerMix(maximumFrames: 4096)

  init(isSeparated: Bool = false) throws {
    let font = try #require(
      FluidSynthFont.load(Self.bytes, name: Self.nextName, progress: nil).font)
    let fonts = PoolFonts(
      [PoolFonts.Layer(font: font, bankOffset: 0)], modulators: 0, presetCount: 1)
    var configured = ConfiguredProgram()
    configured.fontID = PoolFonts.fontID(ofLayer: 0)
    pool = try #require(
      PreparedPool(
        fonts, sampleRate: 48_000, configured: configured, size: PoolSize(isSeparated: isSeparated),
        keepsPrograms: true))
    pool.handle.pointee.first.pointee.apply(channels)
  }

  private static let count = Atomic<Int>(0)

  /// Returns a unique name, because FluidSynth shares samples of one name between pools.
  private static func nextName() -> String {
    "bare \(count.wrappingAdd(1, ordering: .relaxed).newValue)"
  }

  private static var bytes: Bytes {
    let zone = SoundFontMaker.Zone(sample: .constant(), panPercent: -50, tracksKey: false)
    let preset = SoundFontMaker.Preset(name: "Left", zones: [zone])
    return Bytes(bytes: SoundFontMaker(presets: [preset]).bytes())
  }

  func deallocate() {
    channels.deallocate()
    scratch.deallocate()
    mix.deallocate()
  }

  var soundingCount: Int {
    (0..<pool.handle.pointee.count).filter { pool.handle.pointee.synths[$0].isSounding }.count
  }

  /// Starts a note.
  /// - Returns: whether the note begins on its frame.
  func noteOn(_ key: Int) -> Bool {
    pool.handle.pointee.noteOn(0, key, velocity: 100, channels, SynthSettings(), scratch)
  }

  func noteOff(_ key: Int) {
    pool.handle.pointee.noteOff(0, key, channels, SynthSettings(), scratch)
  }

  /// Returns the left channel of the next frames.
  func render(_ frames: Int) -> [Float] {
    if !pool.handle.pointee.isSeparated {
      _ = pool.handle.pointee.mix(count: frames, into: scratch)
      return Array(UnsafeBufferPointer(start: scratch.left, count: frames))
    }
    for side in 0..<32 { mix.dry[side] = side == 0 ? scratch.left : scratch.right }
    scratch.left.update(repeating: 0, count: frames)
    _ = pool.handle.pointee.add(to: mix, count: frames, channels, fades: nil)
    return Array(UnsafeBufferPointer(start: scratch.left, count: frames))
  }
}

/// A SoundFont in memory.
private struct Bytes: FontBytes {
  let bytes: [UInt8]
  var size: Int { bytes.count }

  func read(at place: Int, _ count: Int, into buffer: UnsafeMutableRawPointer) -> Bool {
    guard place + count <= size else { return false }
    buffer.copyMemory(from: Array(bytes[place..<place + count]), byteCount: count)
    return true
  }
}
