// A connection until it is closed or becomes a WebSocket.

import NIOCore
import NIOHTTP1

/// Answers the first request of a connection and closes it, unless it becomes a WebSocket.
///
/// A second request on the same connection is not read: nothing can hide behind the first.
final class HTTPConnection: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    case awaitingHead
    /// The request goes to the handler that opens the WebSocket.
    case upgrading
    case closing
  }

  private let listener: ListenerState
  private var state = State.awaitingHead
  private var timer: Scheduled<Void>?

  init(_ listener: ListenerState) { self.listener = listener }

  func handlerAdded(context: ChannelHandlerContext) {
    close(context, after: listener.limits.headMilliseconds)
  }

  func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

  func channelInactive(context: ChannelHandlerContext) {
    timer?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch (state, unwrapInboundIn(data)) {
    case (.awaitingHead, .head(let head)): take(head, context)
    case (.upgrading, let part): context.fireChannelRead(wrapInboundOut(part))
    case (.awaitingHead, _), (.closing, _): break
    }
  }

  private func take(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    let isHead = head.method == .HEAD
    switch listener.service.judge(head) {
    case .serve(let file):
      respond(context, .ok, of: file.kind, type: file.type, file.bytes, isHead: isHead)
    case .admit(let cookie):
      let fields = [("Location", "/"), Self.setting(cookie)]
      respond(context, .seeOther, fields, isHead: isHead)
    case .pair(let cookie): respond(context, .noContent, [Self.setting(cookie)])
    case .askForCode(let form):
      respond(context, .unauthorized, type: form.type, form.bytes, isHead: isHead)
    case .redirect: respond(context, .seeOther, [("Location", "/")], isHead: isHead)
    case .upgrade(let access):
      guard listener.socketCount < listener.limits.browsers else {
        return refuse(
          context, .serviceUnavailable,
          "\(listener.limits.browsers) connections are open; close one.")
      }
      state = .upgrading
      listener.upgrades[ObjectIdentifier(context.channel)] = access
      context.fireChannelRead(wrapInboundOut(.head(head)))
    case .refuse(let status, let text): refuse(context, status, text, isHead: isHead)
    }
  }

  /// The field that gives a cookie. Only the page sends it back, and no script can read it.
  private static func setting(_ cookie: String) -> (String, String) {
    ("Set-Cookie", cookie + "; HttpOnly; SameSite=Strict; Path=/")
  }

  /// Answers a request that the handler behind could not make a WebSocket.
  func refuseUpgrade(_ context: ChannelHandlerContext) {
    respond(
      context, .upgradeRequired,
      [("Sec-WebSocket-Version", "13"), ("Upgrade", "websocket")],
      Array("Only a WebSocket of version 13 is accepted.\n".utf8))
  }

  private func refuse(
    _ context: ChannelHandlerContext, _ status: HTTPResponseStatus, _ text: String,
    isHead: Bool = false
  ) {
    let fields = status == .methodNotAllowed ? [("Allow", "GET, HEAD")] : []
    let body = text.isEmpty ? [] : Array("\(text)\n".utf8)
    respond(context, status, fields, body, isHead: isHead)
  }

  private func respond(
    _ context: ChannelHandlerContext, _ status: HTTPResponseStatus,
    _ fields: [(String, String)] = [], of kind: PageFile.Kind = .page,
    type: String = "text/plain; charset=utf-8",
    _ body: [UInt8] = [], isHead: Bool = false
  ) {
    state = .closing
    var headers = HTTPHeaders.response(of: kind, type: type, byteCount: body.count)
    headers.add(contentsOf: fields)
    let head = HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    if !isHead && !body.isEmpty {
      context.write(
        wrapOutboundOut(.body(.byteBuffer(ByteBuffer(bytes: body)))), promise: nil)
    }
    let channel = context.channel
    // What the client still sends is read and dropped: a reset could take the response from it.
    context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
      channel.close(mode: .output, promise: nil)
    }
    close(context, after: listener.limits.lingerMilliseconds)
  }

  private func close(_ context: ChannelHandlerContext, after milliseconds: Int64) {
    timer?.cancel()
    let channel = context.channel
    timer = context.eventLoop.scheduleTask(in: .milliseconds(milliseconds)) {
      channel.close(promise: nil)
    }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    switch (state, error) {
    case (.awaitingHead, HTTPParserError.headerOverflow):
      refuse(context, .requestHeaderFieldsTooLarge, "The head of the request is too long.")
    case (.awaitingHead, is HTTPParserError): refuse(context, .badRequest, "This is no request.")
    case (.awaitingHead, _): context.close(promise: nil)
    // Errors of opening a WebSocket are followed by the request itself.
    case (.upgrading, _), (.closing, _): break
    }
  }
}

/// Receives the requests that did not become WebSockets.
final class UpgradeFallback: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart

  private let connection: HTTPConnection
  private var hasAnswered = false

  init(_ connection: HTTPConnection) { self.connection = connection }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if hasAnswered { return }
    hasAnswered = true
    connection.refuseUpgrade(context)
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {}
}
