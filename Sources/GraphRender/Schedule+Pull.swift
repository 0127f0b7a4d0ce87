// Rendering effect chains for as many frames as their time effects request.

import Realtime
import UnitRender

extension Schedule {
  /// Renders the chain of a step's time effect for as many frames as the effect requests. Passes
  /// these to it in pieces of at most a slice.
  ///
  /// - Parameters:
  ///   - index: the index of the step; the chain's steps follow it.
  ///   - time: as in `renderSteps`.
  @_noLocks @_noAllocation
  func pull(
    _ step: ScheduleStep, at index: Int, _ cycle: RenderCycle, offset: Int, frameCount: Int,
    time: inout UInt64
  ) {
    let number = Int(step.other)
    let chain = storage.pointee.chains + number
    let unit = storage.pointee.units + Int(step.unit)
    let hosted = unit.pointee.hosted
    let start = cycle.frame &+ FrameTime(offset)
    let context = cycle.musicalContext(at: offset, sampleRate: storage.pointee.sampleRate)
    let needed = hosted.demand(
      at: start, frameCount: frameCount, hostNanoseconds: cycle.hostNanoseconds, context: context,
      sessionFrame: cycle.sessionFrame(at: offset), before: chain.pointee.before)
    let clock = chain.pointee.clock
    let first = clock.begin(at: start)
    cross(into: number, from: start, frameCount: frameCount, to: first, needed: needed)
    var inside = RenderCycle(
      frame: first, frameCount: needed, hostNanoseconds: cycle.hostNanoseconds,
      musicalContext: clock.musicalContext(
        context, for: frameCount, sampleRate: storage.pointee.sampleRate))
    inside.pulledAt = cycle.sessionFrame(at: offset)
    (chain.pointee.pullOffset, chain.pointee.pullFrames) = (offset, frameCount)
    let call = hosted.call
    var done = 0
    while done < needed {
      let count = sliceFrames(of: needed &- done, at: chain.pointee.position)
      renderSteps(
        from: index &+ 1, count: Int(step.frames), inside, chain: number, offset: done,
        frameCount: count, time: &time)
      if time != 0 { measureInputs(of: Int(step.unit), offset: done, frameCount: count) }
      _ = bindInputs(call, from: unit.pointee.firstBinding, offset: done)
      hosted.take(frameCount: count)
      done &+= count
      chain.pointee.position = min(chain.pointee.position &+ count, chain.pointee.fadeEnd)
    }
    chain.pointee.age = min(chain.pointee.age &+ frameCount, chain.pointee.mostAge)
    clock.advance(needed, for: frameCount)
  }

  /// Returns the list for a unit's events from `chain`, or from the session if that is -1.
  @_noLocks @_noAllocation
  func events(of unit: Int, from chain: Int) -> RenderEventList {
    var crossing = storage.pointee.units[unit].outerCrossing
    while crossing >= 0 {
      let way = storage.pointee.crossings + crossing
      if storage.pointee.chains[way.pointee.chain].parent == chain { return way.pointee.incoming }
      crossing = way.pointee.inner
    }
    return storage.pointee.units[unit].hosted.events
  }

  /// Passes events into a chain: each on the chain's frame that is next when the effect renders the
  /// event's frame. Events beyond the frames of this pull wait.
  @_noLocks @_noAllocation
  private func cross(
    into chain: Int, from start: FrameTime, frameCount: Int, to first: FrameTime, needed: Int
  ) {
    let before = storage.pointee.chains[chain].before
    let end = start &+ FrameTime(frameCount)
    var index = 0
    while index < storage.pointee.crossingCount {
      let crossing = storage.pointee.crossings[index]
      index &+= 1
      if crossing.chain != chain { continue }
      let inside = list(behind: crossing)
      while let event = crossing.waiting.first, event.pointee.frame < first &+ FrameTime(needed) {
        if !crossing.waiting.giveFirst(to: inside, at: max(event.pointee.frame, first)) { break }
      }
      let list = crossing.incoming
      while let event = list.first, event.pointee.frame < end {
        let offset = event.pointee.frame > start ? Int(event.pointee.frame &- start) : 0
        let advance = Int(before[offset])
        let frame = first &+ FrameTime(advance)
        if advance < needed && crossing.waiting.isEmpty {
          // A full list counts refused events.
          _ = inside.insertCopy(of: event, from: list, at: frame)
        } else if crossing.waiting.hasRoom(for: event) {
          crossing.waiting.append(event, of: list, at: frame)
        } else {
          storage.pointee.units[crossing.unit].hosted.switches.count(.droppedEvents)
        }
        list.remove(event, after: nil)
      }
      // The list of an inner chain is read by several pulls in a cycle.
      if crossing.outer >= 0 && list.first == nil { recycle(crossing) }
    }
  }

  /// Returns the next list of a crossing's events.
  @_noLocks @_noAllocation
  private func list(behind crossing: EventCrossing) -> RenderEventList {
    crossing.inner >= 0
      ? storage.pointee.crossings[crossing.inner].incoming
      : storage.pointee.units[crossing.unit].hosted.events
  }

  /// Empties the incoming lists of all crossings.
  @_noLocks @_noAllocation
  func beginCrossings() {
    var index = 0
    while index < storage.pointee.crossingCount {
      recycle(storage.pointee.crossings[index])
      index &+= 1
    }
  }

  /// Sends the waiting events of units that have left a chain at once.
  @_noLocks @_noAllocation
  func leaveCrossings(_ cycle: RenderCycle) {
    var index = 0
    while index < storage.pointee.crossingCount {
      let crossing = storage.pointee.crossings[index]
      index &+= 1
      if crossing.chain >= 0 { continue }
      let list = events(of: crossing.unit, from: -1)
      while crossing.waiting.first != nil {
        if !crossing.waiting.giveFirst(to: list, at: cycle.frame) { break }
      }
    }
  }

  @_noLocks @_noAllocation
  private func recycle(_ crossing: EventCrossing) {
    let dropped = Int(crossing.incoming.header.pointee.droppedCount)
    if dropped > 0 {
      storage.pointee.units[crossing.unit].hosted.switches.count(.droppedEvents, dropped)
    }
    crossing.incoming.removeAll()
  }

  /// Whether all chains have settled.
  @_noLocks @_noAllocation
  func chainsAreSettled() -> Bool {
    var index = 0
    while index < storage.pointee.chainCount {
      if !storage.pointee.chains[index].isSettled { return false }
      index &+= 1
    }
    return true
  }
}
