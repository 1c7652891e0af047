// SPDX-License-Identifier: MIT

package import BlueCapCore
package import BlueCapRuntime

/// The way of a guest to a shared radio.
package protocol RadioDoor: Sendable {
    /// The executor of the guest's backend, which takes the arrivals.
    var executor: any BackendExecutor { get }

    /// Opens a connection.
    ///
    /// - Parameter receive: Takes the arrivals, on the executor.
    func open(_ receive: @escaping @Sendable (FrameArrival) -> Void) throws(BackendFailure) -> any FrameChannel
}

#if os(Linux)
/// The way over a socket.
struct SocketDoor: RadioDoor {
    let path: String
    private let dispatch = DispatchBackendExecutor(label: "bluecap.shared-radio.guest")

    init(path: String) { self.path = path }

    var executor: any BackendExecutor { dispatch }

    func open(_ receive: @escaping @Sendable (FrameArrival) -> Void) throws(BackendFailure) -> any FrameChannel {
        let port = FramePort(try UnixSocket.joined(at: path)) { [dispatch] arrivals, done in
            dispatch.submit {
                for arrival in arrivals { receive(arrival) }
                done()
            }
        }
        port.start()
        return port
    }
}
#endif
