// Delayed connections in a schedule that is being laid out.

import GraphRender
import UnitRender

extension ScheduleLayout {
  /// Adds the sources of a connection: the direct signal, the output of its delay line, or both if
  /// one replaces the other.
  ///
  /// - Parameters:
  ///   - source: nil for ports.
  ///   - fade: the fade of the connection, if it is added or removed.
  ///   - isEarly: whether it fades in from the first frame instead of at `turn`.
  /// - Returns: pool buffers to free once the destination has rendered.
  mutating func addSources(
    _ channels: [BufferReference], from source: GraphBus?, to destination: GraphBus,
    _ nodes: [GraphDescription.Node], _ fade: ScheduleStep.Fade, isEarly: Bool,
    into sources: inout [ScheduleSource]
  ) -> [BufferReference] {
    guard let delays else {
      sources.append(
        ScheduleSource(channels: channels, fade: fade, start: isEarly ? 0 : turn))
      return []
    }
    func wait(_ delays: PathDelays) -> Int? {
      source.map { delays.wait(from: $0.unit, to: destination.unit) }
        ?? delays.waitAtPorts(of: destination.unit)
    }
    let before = fade == .rising ? nil : wait(delays.before)
    let after = fade == .falling ? nil : wait(delays.after)
    func key(_ frames: Int) -> DelayLineKey {
      DelayLineKey(
        from: source.map { .init(unit: nodes[$0.unit].identity, bus: $0.bus) },
        to: .init(unit: nodes[destination.unit].identity, bus: destination.bus), channel: 0,
        capacity: AlignmentDelay.capacity(for: frames))
    }
    func add(_ wait: ScheduleStep.Wait, _ fade: ScheduleStep.Fade) -> [BufferReference] {
      // A new line outputs nothing until it has filled.
      let start = isEarly ? wait.frames : turn
      guard wait.frames > 0 || wait.former > 0 else {
        sources.append(ScheduleSource(channels: channels, fade: fade, start: start))
        return []
      }
      let delayed = delay(channels, wait, key(wait.frames), for: destination.unit)
      sources.append(ScheduleSource(channels: delayed, fade: fade, start: start))
      return delayed
    }
    guard let before, let after else { return add(.init(after ?? before ?? 0), fade) }
    let goesOn =
      before == after || before > 0 && after > 0 && key(before).capacity == key(after).capacity
    // A reused line crossfades between its delays itself.
    if goesOn { return add(.init(after, former: before, start: turn), .none) }
    return add(.init(before), .falling) + add(.init(after), .rising)
  }

  private mutating func delay(
    _ channels: [BufferReference], _ wait: ScheduleStep.Wait, _ key: DelayLineKey, for unit: Int
  ) -> [BufferReference] {
    channels.enumerated().map { channel, source in
      let delayed = takePool()
      steps.append(
        ScheduleStep.delay(source, to: delayed, line: lines.count, wait, for: unit))
      let key = DelayLineKey(from: key.from, to: key.to, channel: channel, capacity: key.capacity)
      lines.append(DelayLineUse(key: key, frames: wait.former))
      return delayed
    }
  }

  /// Adds the queue of a connection with delayed events; nil if there is no delay before or after.
  ///
  /// - Parameters:
  ///   - wait: returns the delay; nil for a connection that does not exist.
  ///   - ends: whether the connection is removed, and delayed events are sent at once.
  mutating func addQueue(
    _ key: QueueKey, unit: Int? = nil, ends: Bool, _ wait: (PathDelays) -> Int?
  ) -> (queue: Int, wait: ScheduleStep.Wait)? {
    guard let delays else { return nil }
    let (before, after) = (wait(delays.before), wait(delays.after))
    let frames = ends ? 0 : after ?? before ?? 0
    guard frames > 0 || isPassage && before ?? 0 > 0 else { return nil }
    queues.append(QueueUse(key: key, unit: unit))
    let former = ends ? 0 : before ?? frames
    return (queues.count - 1, .init(frames, former: former, start: turn))
  }
}
