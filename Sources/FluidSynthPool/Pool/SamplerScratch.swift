// Temporary memory for rendering.

/// Memory for a pool's output, for a block of a synth, and for lists of voices.
package struct SamplerScratch: @unchecked Sendable, BitwiseCopyable {
  /// Room for the frames of a call, and a block.
  package let left: UnsafeMutablePointer<Float>
  package let right: UnsafeMutablePointer<Float>
  let blockLeft: UnsafeMutablePointer<Float>
  let blockRight: UnsafeMutablePointer<Float>
  let voices: UnsafeMutablePointer<OpaquePointer?>
  package let work = SamplerWork()

  /// - Thread: [control]
  package init(maximumFrames: Int) {
    let block = Synth.blockFrames
    let frames = maximumFrames + block
    left = .allocate(capacity: frames)
    right = .allocate(capacity: frames)
    blockLeft = .allocate(capacity: block)
    blockRight = .allocate(capacity: block)
    voices = .allocate(capacity: Synth.mostVoices)
    left.initialize(repeating: 0, count: frames)
    right.initialize(repeating: 0, count: frames)
    blockLeft.initialize(repeating: 0, count: block)
    blockRight.initialize(repeating: 0, count: block)
    voices.initialize(repeating: nil, count: Synth.mostVoices)
  }

  /// - Thread: [control], after its last use.
  package func deallocate() {
    left.deallocate()
    right.deallocate()
    blockLeft.deallocate()
    blockRight.deallocate()
    voices.deallocate()
    work.deallocate()
  }
}
