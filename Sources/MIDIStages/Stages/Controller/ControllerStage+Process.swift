// The processing of messages by the controller stage.

import Realtime
import UnitRender

extension ControllerStage {
  /// Returns the message to send in place of `message`. The event may become a parameter event.
  @_noLocks @_noAllocation
  mutating func process(
    _ message: ShortMessage, _ kind: MessageKind, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    var value = -1.0
    switch (kind, source) {
    case (.controller, _), (.plainController, _): value = controllerValue(message)
    case (.channelPressure, .channelPressure): value = Double(message.number)
    case (.keyPressure, .keyPressure): value = Double(message.value)
    case (.pitchBend, .bend): value = Double(message.bend) * 127 / 16383
    case (.systemReset, _): reset()
    default: break
    }
    let isMapped = value >= 0 && channels.has(bit: message.channel) && hasTarget
    if isMapped { return map(message, value, of: event, in: list) }
    if case .controller = kind { pass(message) }
    return message
  }

  var hasTarget: Bool {
    @_noLocks @_noAllocation get {
      if case .parameter = target { return parameter != nil }
      return true
    }
  }

  /// The value of a controller that is the source, 0 to 127; below 0 for others.
  @_noLocks @_noAllocation
  mutating func controllerValue(_ message: ShortMessage) -> Double {
    let channel = message.channel
    let number = message.number
    let data = message.value
    switch number {
    case 98...101:
      halves[channel].select(number, data)
      if case .nonRegistered = source { halves[channel].value = 0 }
    case ControllerNumber.resetAllControllers:
      forget(channel)
      halves[channel] = ControllerHalves()
    default: break
    }
    switch source {
    case .controller: return number == sourceNumber ? Double(data) : -1
    case .controllerPair:
      if !halves[channel].takePair(sourceNumber & 31, number, data) { return -1 }
    case .nonRegistered:
      if !halves[channel].selects(sourceNRPN) || !halves[channel].enter(number, data) { return -1 }
    default: return -1
    }
    return Double(halves[channel].value) * 127 / 16383
  }

  @_noLocks @_noAllocation
  mutating func map(
    _ message: ShortMessage, _ value: Double, of event: UnsafeMutablePointer<RenderEvent>,
    in list: RenderEventList
  ) -> ShortMessage {
    let result = result(value)
    let keeps = keepsSource || isReleaseOfPassedPedal(message)
    if keeps { pass(message) }
    if messageCount > 1 { return send(result, for: message, of: event, keeps: keeps, in: list) }
    if case .parameter = target { return move(result, message, of: event, keeps: keeps, in: list) }
    let mapped = mappedMessage(0, result, channel: message.channel)
    if !keeps {
      event.pointee.length = mappedLength
      press(mapped)
      return mapped
    }
    let isSent = insert(mapped, behind: event, like: event, in: list) != nil
    let lifted = mapped.value < 64 ? pressed[message.channel] & mapped.pedal : 0
    if !isSent { pendingReleases.pointee.add(pedals: lifted, of: message.channel) }
    if isSent || lifted != 0 { press(mapped) }
    return message
  }
}
