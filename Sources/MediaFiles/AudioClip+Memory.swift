// Memory sizes of clips.

extension AudioClip {
  /// Size of its samples, in bytes.
  package var byteCount: Int { channelCount * frameCount * MemoryLayout<Float>.size }
}

extension Sequence<AudioClip> {
  /// Size of the samples of all clips, in bytes; each clip counts once.
  package var byteCount: Int {
    var known: Set<ObjectIdentifier> = []
    return reduce(0) { $0 + (known.insert(ObjectIdentifier($1)).inserted ? $1.byteCount : 0) }
  }
}
