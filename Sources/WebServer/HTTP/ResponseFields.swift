// The fields of all responses.

import NIOHTTP1

extension HTTPHeaders {
  /// The fields that every response has: nothing is kept, and nothing is loaded from elsewhere.
  static func response(of kind: PageFile.Kind, type: String, byteCount: Int) -> HTTPHeaders {
    var fields: HTTPHeaders = [
      "Content-Type": type,
      "Content-Length": "\(byteCount)",
      "Content-Security-Policy": policy(kind),
      "X-Content-Type-Options": "nosniff",
      "Referrer-Policy": "no-referrer",
      "Cross-Origin-Opener-Policy": "same-origin",
      "Cache-Control": "no-store",
      "Connection": "close",
    ]
    switch kind {
    case .page: fields.add(name: "Cross-Origin-Resource-Policy", value: "same-origin")
    case .view:
      // A sandboxed view has the origin "null", also for its own files.
      fields.add(name: "Access-Control-Allow-Origin", value: "null")
      fields.add(name: "Cross-Origin-Resource-Policy", value: "cross-origin")
    }
    return fields
  }

  /// No other page may show the page in a frame, and only the page may show a view.
  private static func policy(_ kind: PageFile.Kind) -> String {
    switch kind {
    case .page: "default-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    case .view:
      "sandbox allow-scripts; default-src 'self'; connect-src 'none'; base-uri 'none'; "
        + "form-action 'none'; frame-ancestors 'self'"
    }
  }
}
