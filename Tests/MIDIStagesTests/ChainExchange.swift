// Replaces the chain of a rig as a unit does, on one thread.

import MIDIStages
import MIDIStagesModel
import Realtime
import UnitModel
import UnitRender

/// A player, its parameter values, and counts of made and freed chains.
final class ChainExchange {
  let mailbox = PublishedPointer()
  let values = ParameterValues(count: 8192)
  let counters = DeferredEventCounters()
  let player: MIDIChainPlayer
  private(set) var newest: UnsafeMutablePointer<MIDIChain>
  private var places: [ParameterAddress: Int] = [:]
  /// Chains made, and chains freed, because they were returned or never taken.
  private(set) var made = 0
  private(set) var freed = 0

  init(_ layout: MIDIChainLayout, _ tree: ParameterTree, capacity: Int) {
    newest = Self.box(layout, tree, values, &places, replacing: nil)
    made = 1
    player = .allocate(
      newest, mailbox: mailbox, values: values, capacity: capacity, counters: counters)
  }

  func deallocate() {
    if let unused = mailbox.withdraw() { free(unused) }
    for chain in player.deallocate() { free(chain) }
    collect()
    precondition(made == freed, "\(made) chains were made, \(freed) freed")
    counters.deallocate()
    mailbox.deallocate()
    values.deallocate()
  }

  private static func box(
    _ layout: MIDIChainLayout, _ tree: ParameterTree, _ values: ParameterValues,
    _ places: inout [ParameterAddress: Int], replacing old: ParameterTree?
  ) -> UnsafeMutablePointer<MIDIChain> {
    for parameter in tree.allParameters {
      let place = places[parameter.address, default: places.count]
      places[parameter.address] = place
      if old?.parameter(address: parameter.address) == nil {
        values[place] = parameter.defaultValue
      }
    }
    let box = UnsafeMutablePointer<MIDIChain>.allocate(capacity: 1)
    box.initialize(
      to: layout.makeChain(
        settings: tree, sampleRate: 48_000,
        firstValues: layout.stages.map { places[$0.baseAddress]! }))
    return box
  }

  func make(
    _ layout: MIDIChainLayout, _ tree: ParameterTree, replacing old: ParameterTree
  ) -> UnsafeMutablePointer<MIDIChain> {
    newest = Self.box(layout, tree, values, &places, replacing: old)
    made += 1
    return newest
  }

  func publish(_ chain: UnsafeMutablePointer<MIDIChain>) {
    collect()
    if let unused = mailbox.publish(chain) { free(unused) }
  }

  func store(_ value: Float, at address: ParameterAddress) { values[places[address]!] = value }

  func value(at address: ParameterAddress) -> Float { values[places[address]!] }

  /// Processes a call as a kernel does.
  func process(_ events: RenderEventList, _ call: MIDIChainCall) {
    player.process(events, during: call)
    var next = events.first
    while let event = next, event.pointee.frame < call.end {
      switch event.pointee.eventKind {
      case .parameter?, .parameterRamp?: player.publish(event.pointee)
      default: break
      }
      next = events.next(after: event)
    }
    player.publishReadings()
  }

  /// Frees the chains that no longer play, and returns their count.
  @discardableResult
  func collect() -> Int {
    var count = 0
    while let chain = mailbox.collect() {
      free(chain)
      count += 1
    }
    return count
  }

  private func free(_ pointer: UnsafeMutableRawPointer) {
    let chain = pointer.assumingMemoryBound(to: MIDIChain.self)
    chain.pointee.deallocate()
    chain.deallocate()
    freed += 1
  }
}
