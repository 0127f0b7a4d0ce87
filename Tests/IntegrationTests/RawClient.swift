// A JACK client around a test's own process callback.

import CJack
import Foundation
import TestSupport

/// A client with input and output ports `in_1`… and `out_1`…, active until this object is released.
///
/// The callback works on `State`. The test can read it roughly while the callback runs, and exactly
/// once the client is closed.
class RawClient<State: BitwiseCopyable> {
  struct Context {
    let inputs: UnsafeMutablePointer<OpaquePointer>
    let outputs: UnsafeMutablePointer<OpaquePointer>
    var state: State
  }

  private let handle: OpaquePointer
  private let context: UnsafeMutablePointer<Context>
  private var isOpen = true

  init(
    _ server: JackServer, _ name: String, inputs: Int = 0, outputs: Int = 0,
    portType: String = JACK_DEFAULT_AUDIO_TYPE, state: State,
    process: @escaping JackProcessCallback
  ) throws {
    var status = jack_status_t(rawValue: 0)
    let options = jack_options_t(rawValue: JackNoStartServer.rawValue | JackServerName.rawValue)
    guard let handle = auricleClientOpen(name, options, &status, server.name) else {
      throw RigError.serverRefused(operation: "opening \(name)")
    }
    self.handle = handle
    func ports(_ count: Int, _ prefix: String, _ flags: JackPortFlags)
      -> UnsafeMutablePointer<OpaquePointer>
    {
      let ports = UnsafeMutablePointer<OpaquePointer>.allocate(capacity: max(count, 1))
      for index in 0..<count {
        (ports + index).initialize(
          to: jack_port_register(
            handle, "\(prefix)_\(index + 1)", portType, UInt(flags.rawValue), 0)!)
      }
      return ports
    }
    context = .allocate(capacity: 1)
    context.initialize(
      to: Context(
        inputs: ports(inputs, "in", JackPortIsInput),
        outputs: ports(outputs, "out", JackPortIsOutput), state: state))
    jack_set_process_callback(handle, process, context)
    guard jack_activate(handle) == 0 else {
      throw RigError.serverRefused(operation: "activating \(name)")
    }
  }

  deinit {
    close()
    context.pointee.inputs.deallocate()
    context.pointee.outputs.deallocate()
    context.deallocate()
  }

  var state: State { context.pointee.state }

  func close() {
    if isOpen { jack_client_close(handle) }
    isOpen = false
  }

  func connect(_ source: String, to destination: String) throws {
    guard jack_connect(handle, source, destination) == 0 else {
      throw RigError.serverRefused(operation: "connecting \(source) to \(destination)")
    }
  }
}
