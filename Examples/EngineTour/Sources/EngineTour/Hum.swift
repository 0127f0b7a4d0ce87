// A hum: a source made of a state and a render function.

import Auricle
import AuricleHost

struct Hum {
  var phase = 0.0
  var step = 0.0
}

@_noLocks @_noAllocation
func renderHum(
  _ context: UnsafeMutableRawPointer, _ call: UnsafeMutablePointer<RenderCall>
) -> Int32 {
  let hum = context.assumingMemoryBound(to: Hum.self)
  let call = RenderCallView(call)
  guard let samples = call.output(0)[0] else { return -1 }
  var frame = 0
  while frame < call.frameCount {
    samples[frame] = Float(RealtimeMath.sine(hum.pointee.phase * 2 * .pi)) * 0.25
    hum.pointee.phase += hum.pointee.step
    if hum.pointee.phase >= 1 { hum.pointee.phase -= 1 }
    frame &+= 1
  }
  return 0
}

func hum(_ engine: Engine) async throws {
  let source = try SourceUnit(channels: 1, state: Hum(), render: renderHum) { hum, format in
    hum.step = 110 / format.sampleRate
  }
  try engine.attach(source, id: "hum")
  try await engine.connect(source, to: engine.mainMixerNode)
  try await engine.start()
  try await Task.sleep(for: .seconds(2))
}
