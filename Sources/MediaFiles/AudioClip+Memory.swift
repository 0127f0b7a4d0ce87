// How much memory sound takes.

extension AudioClip {
  /// What its samples take.
  package var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.size }
}

extension Sequence<AudioClip> {
  /// What the samples of all of them take, each once.
  package var byteCount: Int {
    var known: Set<ObjectIdentifier> = []
    return reduce(0) { $0 + (known.insert(ObjectIdentifier($1)).inserted ? $1.byteCount : 0) }
  }
}
