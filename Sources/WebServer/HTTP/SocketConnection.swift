// WebSockets.

import NIOCore
import NIOWebSocket

/// A WebSocket: checks its frames (RFC 6455), joins fragments, answers pings, and closes with the
/// code of a fault.
final class SocketConnection: ChannelInboundHandler {
  typealias InboundIn = WebSocketFrame
  typealias OutboundOut = WebSocketFrame

  private let state: ListenerState
  private let access: Access
  private var service: (any SocketService)?
  /// The message so far, while fragments of it come.
  private var message: (bytes: [UInt8], isBinary: Bool)?
  private var isClosing = false
  private var windowStart = NIODeadline.uptimeNanoseconds(0)
  private var windowCount = 0
  private var lastRead = NIODeadline.uptimeNanoseconds(0)
  /// Whether a ping has been sent since then: after a computer's sleep each client seems silent.
  private var isPinged = false
  private var pings: Scheduled<Void>?
  private var end: Scheduled<Void>?

  init(_ state: ListenerState, _ access: Access) { (self.state, self.access) = (state, access) }

  func handlerAdded(context: ChannelHandlerContext) {
    state.socketCount += 1
    lastRead = context.eventLoop.now
    let bound = NIOLoopBound(self, eventLoop: context.eventLoop)
    let channel = context.channel
    service = state.service.open(
      access,
      SocketOutput(
        loop: context.eventLoop, send: { bound.value.send($0, isBinary: $1, channel) },
        isWritable: { channel.isWritable }))
    planPing(context)
  }

  func handlerRemoved(context: ChannelHandlerContext) {
    pings?.cancel()
    end?.cancel()
    guard let service else { return }
    self.service = nil
    state.socketCount -= 1
    service.close()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isClosing { return }
    let frame = unwrapInboundIn(data)
    (lastRead, isPinged) = (context.eventLoop.now, false)
    guard frame.maskKey != nil, frame.reservedBits.isEmpty else {
      return close(context, .protocolError)
    }
    guard isWithinRate(context) else { return close(context, .policyViolation) }
    let bytes = Array(frame.unmaskedData.readableBytesView)
    switch frame.opcode {
    case .text where message == nil, .binary where message == nil && service?.takesBinary == true:
      message = ([], frame.opcode == .binary)
      join(bytes, isLast: frame.fin, context)
    case .continuation where message != nil: join(bytes, isLast: frame.fin, context)
    case .binary: close(context, .unacceptableData)
    case .ping:
      write(context.channel, WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
    case .pong: break
    case .connectionClose: answerClose(context, bytes)
    default: close(context, .protocolError)
    }
  }

  private func join(_ bytes: [UInt8], isLast: Bool, _ context: ChannelHandlerContext) {
    let whole = (message?.bytes ?? []) + bytes
    guard whole.count <= state.limits.messageBytes else { return close(context, .messageTooLarge) }
    let isBinary = message?.isBinary == true
    message = isLast ? nil : (whole, isBinary)
    guard isLast else { return }
    guard isBinary || String(validating: whole, as: UTF8.self) != nil else {
      return close(context, .dataInconsistentWithMessage)
    }
    if service?.take(whole, isBinary: isBinary) != true { close(context, .policyViolation) }
  }

  /// Counts a frame; control frames and fragments too.
  private func isWithinRate(_ context: ChannelHandlerContext) -> Bool {
    let now = context.eventLoop.now
    if now - windowStart > .milliseconds(state.limits.messageWindowMilliseconds) {
      (windowStart, windowCount) = (now, 0)
    }
    windowCount += 1
    return windowCount <= state.limits.messages
  }

  private func send(_ message: [UInt8], isBinary: Bool, _ channel: any Channel) {
    if isClosing { return }
    let data = ByteBuffer(bytes: message)
    write(channel, WebSocketFrame(fin: true, opcode: isBinary ? .binary : .text, data: data))
  }

  private func write(_ channel: any Channel, _ frame: WebSocketFrame) {
    channel.writeAndFlush(frame, promise: nil)
  }

  // A client that does not take answers is not read either.
  func channelWritabilityChanged(context: ChannelHandlerContext) {
    let isReading = context.channel.isWritable || isClosing
    context.channel.setOption(.autoRead, value: isReading).whenFailure { _ in }
    if context.channel.isWritable && !isClosing { service?.resume() }
    context.fireChannelWritabilityChanged()
  }

  // MARK: Closing

  private func answerClose(_ context: ChannelHandlerContext, _ bytes: [UInt8]) {
    guard bytes.count >= 2 else {
      return close(context, bytes.isEmpty ? .normalClosure : .protocolError)
    }
    let code = Int(bytes[0]) << 8 | Int(bytes[1])
    guard [1000...1003, 1007...1014, 3000...4999].contains(where: { $0.contains(code) }) else {
      return close(context, .protocolError)
    }
    guard String(validating: bytes[2...], as: UTF8.self) != nil else {
      return close(context, .dataInconsistentWithMessage)
    }
    close(context, WebSocketErrorCode(codeNumber: code))
  }

  private func close(_ context: ChannelHandlerContext, _ code: WebSocketErrorCode) {
    if isClosing { return }
    isClosing = true
    service?.close()
    var data = ByteBuffer()
    data.write(webSocketErrorCode: code)
    let channel = context.channel
    let frame = WebSocketFrame(fin: true, opcode: .connectionClose, data: data)
    // What the client still sends is read and dropped: a reset could take the code from it.
    context.writeAndFlush(wrapOutboundOut(frame)).whenComplete { _ in
      channel.close(mode: .output, promise: nil)
    }
    channel.setOption(.autoRead, value: true).whenFailure { _ in }
    end = context.eventLoop.scheduleTask(in: .milliseconds(state.limits.lingerMilliseconds)) {
      channel.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch error {
    case NIOWebSocketError.invalidFrameLength: close(context, .messageTooLarge)
    case is NIOWebSocketError: close(context, .protocolError)
    default: context.close(promise: nil)
    }
  }

  private func planPing(_ context: ChannelHandlerContext) {
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    pings = context.eventLoop.scheduleTask(in: .milliseconds(state.limits.pingMilliseconds)) {
      bound.value.0.ping(bound.value.1)
    }
  }

  private func ping(_ context: ChannelHandlerContext) {
    let isSilent =
      context.eventLoop.now - lastRead > .milliseconds(state.limits.silenceMilliseconds)
    if isClosing || isSilent && isPinged { return context.close(promise: nil) }
    isPinged = true
    write(context.channel, WebSocketFrame(fin: true, opcode: .ping, data: ByteBuffer()))
    planPing(context)
  }
}
