// Two players with an effect each. A tap records their mix, and then the recording is played.

import Auricle
import AuricleHost
import Foundation
import Synchronization

func players(_ engine: Engine, recordingTo url: URL) async throws {
  let drums = try ScheduledPlayerUnit(channels: 1)
  let melody = try ScheduledPlayerUnit(channels: 1)
  let (reverb, delay) = (try ReverbUnit(), try DelayUnit())
  for (unit, id) in [(drums, "drums"), (melody, "melody")] { try engine.attach(unit, id: id) }
  try engine.attach(reverb)
  try engine.attach(delay)
  let mixer = engine.mainMixerNode
  try await engine.connect(drums, to: reverb)
  try await engine.connect(reverb, to: mixer)
  try await engine.connect(melody, to: delay)
  try await engine.connect(delay, to: mixer)

  try drums.schedule(Sounds.strike(hertz: 80, seconds: 0.2, every: 0.5), options: .loops)
  try melody.schedule(Sounds.melody([440, 523, 659, 523], seconds: 0.25), options: .loops)
  try await engine.start()
  try drums.play()

  // From here on, changes are recorded too.
  let format = mixer.outputBusses[0].format
  let writer = Mutex(
    Recording(
      try AudioFileWriter(
        url: url, sampleRate: format.sampleRate, channelCount: format.channelCount)))
  let tap = try await engine.installTap(on: mixer, bufferSize: 4096) { buffer in
    writer.withLock { try? $0.writer.write(buffer.channels) }
  }
  reverb.mix = 40
  try await Task.sleep(for: .milliseconds(700))
  try melody.play()
  melody.pan = 0.7
  drums.pan = -0.7
  drums.volume = 0.5
  try await Task.sleep(for: .milliseconds(1300))
  try await engine.removeTap(tap)
  try writer.withLock { try $0.writer.finish() }
  try drums.stop()
  try melody.stop()

  let recording = try ScheduledPlayerUnit(channels: format.channelCount)
  try engine.attach(recording, id: "recording")
  try await engine.connect(recording, to: mixer)
  try recording.play()
  say("playing \(url.lastPathComponent)")
  try await recording.playOut(AudioClip(contentsOf: url))
  say("played")
}

/// Used by one thread at a time.
private struct Recording: @unchecked Sendable {
  let writer: AudioFileWriter

  init(_ writer: AudioFileWriter) { self.writer = writer }
}
