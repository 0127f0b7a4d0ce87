// Senseless arguments for files, clips, players, recorders and samplers.

import Auricle
import AuricleHost
import Foundation
import TestSupport
import Testing

@Suite struct LibraryMediaTests {
  private let folder: TemporaryDirectory
  private let urls: [URL]

  init() throws {
    folder = try TemporaryDirectory()
    urls =
      ["/dev/null", "/nonexistent/a.wav", "/tmp", "/"].map { URL(fileURLWithPath: $0) }
      + [folder.url, try folder.write([], to: "empty.wav"), try folder.write("RIFF", to: "a.wav")]
  }

  private func sound() throws -> URL {
    let url = folder.file("sound.wav")
    if FileManager.default.fileExists(atPath: url.path) { return url }
    let writer = try AudioFileWriter(url: url, sampleRate: 48_000, channelCount: 2)
    try writer.write([[0.5, 0.25], [-0.5, -0.25]])
    try writer.finish()
    return url
  }

  @Test func files() async throws {
    await refuses("AudioFileFormat init(fileName:encoding:)", texts) {
      _ = try AudioFileFormat(fileName: $0)
    }
    for container in AudioFileFormat.Container.allCases {
      let format = try AudioFileFormat(fileName: "a.\(container.rawValue)")
      for count in integers { #expect(format.maximumFrames(channelCount: count) >= 0) }
    }
    await refuses("AudioFileReader init(contentsOf:)", urls) {
      _ = try AudioFileReader(contentsOf: $0)
    }
    let reader = try AudioFileReader(contentsOf: sound())
    await bears("ScheduledPlayerUnit+Waveform waveform()", [()]) {
      _ = try ScheduledPlayerUnit().waveform()
    }
    await bears("AudioFileReader seek(toFrame:)", integers) { try reader.seek(toFrame: $0) }
    await bears("AudioFileReader read(maximumFrames:)", integers) {
      try reader.seek(toFrame: 0)
      _ = try reader.read(maximumFrames: $0)
    }
    await bears("AudioFileReader countFrames(upTo:isCancelled:)", integers) {
      try reader.seek(toFrame: 0)
      _ = try reader.countFrames(upTo: $0)
    }
    await refuses("AudioFileReader read(into:frameCount:)", integers) {
      _ = try reader.read(into: [], frameCount: max($0, 1))
    }
    await refuses(
      "AudioFileWriter init(url:format:sampleRate:channelCount:overwrites:)", integers
    ) {
      _ = try AudioFileWriter(url: folder.file("b.wav"), sampleRate: 48_000, channelCount: $0)
    }
    await refuses(
      "AudioFileWriter init(url:format:sampleRate:channelCount:overwrites:)", Array(urls.prefix(4))
    ) { _ = try AudioFileWriter(url: $0, sampleRate: 48_000, channelCount: 2) }
    await refuses("AudioFileWriter init(recordingTo:format:sampleRate:channelCount:)", numbers) {
      _ = try AudioFileWriter(
        recordingTo: folder.file("c.wav"), format: AudioFileFormat(fileName: "c.wav"),
        sampleRate: $0, channelCount: 2)
    }
    let writer = try AudioFileWriter(
      url: folder.file("d.wav"), sampleRate: 48_000, channelCount: 2)
    await refuses("AudioFileWriter write(_:)", [[], [[1]], [[1], []], [[1], [1], [1]]]) {
      try writer.write($0)
    }
    await refuses("AudioFileWriter write(_:frameCount:)", integers) {
      try writer.write([], frameCount: max($0, 1))
    }
    try writer.finish()
    await bears("AudioFileWriter finish()", [()]) { try writer.finish() }
    await refuses("MIDIFile init(contentsOf:)", urls) { _ = try MIDIFile(contentsOf: $0) }
    let header = Array("MThd".utf8)
    let bytes: [[UInt8]] = [
      [], header, header + [0, 0, 0, 6, 0, 0], header + [255, 255, 255, 255, 0, 0, 0, 1, 0, 0],
      header + [0, 0, 0, 6, 0, 1, 255, 255, 128, 0],
    ]
    await bears("MIDIFile init(bytes:file:)", bytes) { _ = try MIDIFile(bytes: $0, file: "") }
  }

  @Test func clips() async throws {
    await bears("AudioClip init(_:sampleRate:name:)", numbers) {
      _ = try AudioClip([[1]], sampleRate: $0)
    }
    await refuses("AudioClip init(_:sampleRate:name:)", [[], [[]], [[1], []]] as [[[Float]]]) {
      _ = try AudioClip($0, sampleRate: 48_000)
    }
    await refuses("AudioClip init(contentsOf:maximumBytes:)", urls) {
      _ = try AudioClip(contentsOf: $0)
    }
    await refuses("AudioClip init(contentsOf:maximumBytes:)", [0, -1, .min]) {
      _ = try AudioClip(contentsOf: sound(), maximumBytes: $0)
    }
    await bears("AudioClip init(_:name:frames:maximumBytes:)", integers) {
      _ = try AudioClip(
        AudioFileReader(contentsOf: sound()), name: "", frames: $0, maximumBytes: .max)
    }
    await refuses("AudioClip init(_:name:frames:maximumBytes:)", [-1, .min]) {
      _ = try AudioClip(
        AudioFileReader(contentsOf: sound()), name: "", maximumBytes: $0)
    }
    let clip = try AudioClip([[1, 2]], sampleRate: 48_000)
    await refuses("AudioClip+Convert converted(to:name:maximumBytes:)", numbers) {
      _ = try clip.converted(to: $0)
    }
    await refuses("AudioClip+Convert converted(to:name:maximumBytes:)", [0, -1, .min]) {
      _ = try clip.converted(to: 96_000, maximumBytes: $0)
    }
    for loops in [false, true] {
      await refuses("ConvertedReader init(_:name:sampleRate:loops:)", numbers) {
        _ = try ConvertedReader(clip, name: "", sampleRate: $0, loops: loops)
      }
      await refuses("ConvertedReader init(_:name:from:frames:sampleRate:loops:)", numbers) {
        _ = try ConvertedReader(
          AudioFileReader(contentsOf: sound()), name: "", sampleRate: $0, loops: loops)
      }
      await bears("ConvertedReader init(_:name:from:frames:sampleRate:loops:)", integers) {
        _ = try ConvertedReader(
          AudioFileReader(contentsOf: sound()), name: "", from: $0, frames: $0,
          sampleRate: 48_000, loops: loops)
      }
      let reader = try ConvertedReader(clip, name: "", sampleRate: 44_100, loops: loops)
      await refuses("ConvertedReader read(from:into:count:)", integers) {
        _ = try reader.read(from: $0, into: [], count: 1)
      }
    }
  }

  @Test func players() async throws {
    await refuses("ScheduledPlayerUnit init(channels:componentDescription:)", integers) {
      _ = try ScheduledPlayerUnit(channels: $0)
    }
    let clip = try AudioClip([[1, 2], [1, 2]], sampleRate: 48_000)
    let player = try ScheduledPlayerUnit()
    try player.allocateRenderResources()
    let host = try DirectHost(player)
    for number in numbers {
      let times =
        [.seconds(number)]
        + integers.map {
          PlayerTime(sampleTime: $0, sampleRate: number)
        }
      await bears("ScheduledPlayerUnit+Schedule schedule(_:at:options:reporting:_:)", times) {
        try player.schedule(
          clip, at: $0, options: ScheduleOptions(rawValue: .max),
          reporting: PlaybackStages(rawValue: .max)
        ) { _ in }
      }
    }
    await bears(
      "ScheduledPlayerUnit+Schedule schedule(contentsOf:from:frames:streams:at:options:reporting:_:)",
      integers
    ) {
      try player.schedule(contentsOf: sound(), from: $0)
      try player.schedule(contentsOf: sound(), frames: $0)
      try player.schedule(contentsOf: sound(), from: $0, frames: $0, streams: true)
    }
    await refuses(
      "ScheduledPlayerUnit+Schedule schedule(contentsOf:from:frames:streams:at:options:reporting:_:)",
      urls
    ) { try player.schedule(contentsOf: $0) }
    await refuses("ScheduledPlayerUnit+Schedule setContent(contentsOf:streams:)", urls) {
      try player.setContent(contentsOf: $0, streams: true)
    }
    await bears("ScheduledPlayerUnit+Schedule setContent(_:name:)", texts) {
      try player.setContent(clip, name: $0)
    }
    await bears("ScheduledPlayerUnit+Transport play(at:)", integers) {
      try player.play(at: .frame(FrameTime($0)))
      _ = try host.render(64)
    }
    await bears("ScheduledPlayerUnit+Transport pause(at:)", integers) {
      try player.pause(at: .frame(FrameTime($0)))
      _ = try host.render(64)
    }
    await bears("ScheduledPlayerUnit+Transport stop(at:)", integers) {
      try player.stop(at: .frame(FrameTime($0)))
      _ = try host.render(64)
    }
    await refuses("TapUnit init(bufferFrames:_:)", integers) {
      _ = try TapUnit(bufferFrames: $0) { _ in }
    }
    await refuses("RecorderUnit setTarget(_:encoding:)", texts) {
      try RecorderUnit().setTarget(URL(fileURLWithPath: $0.isEmpty ? "x" : $0))
    }
  }

  @Test func samplers() async throws {
    await refuses("SoundFontInspector presets(of:)", urls) {
      _ = try SoundFontInspector.presets(of: $0)
    }
    await refuses("SoundFontInspector inspect(_:)", urls) { _ = try SoundFontInspector.inspect($0) }
    await refuses("SamplerUnit setMIDIStages(_:)", [1000]) {
      try SamplerUnit().setMIDIStages(Array(repeating: .echo, count: $0))
    }
    await bears(
      "SamplerUnit init(componentDescription:midiStages:outputs:channels:)", integers
    ) {
      try SamplerUnit(channels: SamplerChannelSetup(drumChannels: [$0])).allocateRenderResources()
    }
    let sampler = try SamplerUnit()
    let font = URL(fileURLWithPath: "/usr/share/sounds/sf2/TimGM6mb.sf2")
    for url in urls + [font] {
      for number in integers where url != font || number != 0 {
        await refuses("SamplerUnit+Loading load(soundFont:bank:program:progress:)", [number]) {
          try await sampler.load(soundFont: url, bank: $0, program: $0)
        }
        await refuses("SamplerUnit+Loading load(soundFonts:bank:program:progress:)", [number]) {
          try await sampler.load(soundFonts: [SoundFontEntry(url, bankOffset: $0)])
        }
        await refuses("SamplerUnit+Loading sound(named:in:progress:)", texts) {
          _ = try await sampler.sound(named: $0, in: [SoundFontEntry(url)])
        }
        await refuses("SamplerUnit+Abilities loadSoundFont(_:bank:program:)", [number]) {
          try await sampler.loadSoundFont(url, bank: $0, program: $0)
        }
        await refuses("SamplerUnit+LiveSet setLiveSet(_:progress:)", [number]) {
          try await sampler.setLiveSet(
            LiveSet(
              [
                LiveSetEntry(
                  number: $0, name: "", soundFonts: [SoundFontEntry(url, bankOffset: $0)],
                  bank: $0, program: $0, parameters: ["": .nan])
              ], channel: $0))
        }
      }
    }
    await refuses("SamplerUnit+Loading load(soundFonts:bank:program:progress:)", [[]]) {
      try await sampler.load(soundFonts: $0)
    }
    await bears("SamplerUnit+LiveSet setLiveSet(_:progress:)", [LiveSet([])]) {
      try await sampler.setLiveSet($0)
    }
    await bears("SamplerUnit+Loading reload(progress:)", [()]) { try await sampler.reload() }
    await refuses("SamplerUnit+LiveSet select(entry:at:)", integers) {
      try sampler.select(entry: $0, at: .frame(FrameTime($0)))
    }
    await refuses("SamplerUnit+Abilities selectEntry(_:at:)", integers) {
      try sampler.selectEntry($0, at: .immediate)
    }
    await refuses("SamplerUnit+LiveSet select(entryNamed:at:)", texts) {
      try sampler.select(entryNamed: $0)
    }
    await refuses("SoundFontLocator locate(_:beside:)", texts.filter { !$0.hasPrefix("/") }) {
      _ = try SoundFontLocator(environment: [:]).locate($0, beside: urls[0])
    }
    await bears("SamplerUnit+Abilities soundFontFile(named:)", texts) {
      _ = try SamplerUnit.soundFontFile(named: $0)
    }
    let context = ConfigurationContext(file: nil, environment: [:])
    await bears("SamplerUnit+Playing locate(_:_:)", texts) {
      _ = try SamplerUnit.locate($0, context)
    }
    await bears("SamplerUnit+Playing usualFile(_:)", [context]) {
      _ = try SamplerUnit.usualFile($0)
    }
    await refuses("SamplerUnit+Playing keys(toPlay:named:_:)", integers) {
      _ = try SamplerUnit.keys(
        toPlay: urls[0], named: "", SoundSelection(preset: "", bank: $0, program: $0))
    }
  }
}
