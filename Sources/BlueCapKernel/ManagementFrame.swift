// SPDX-License-Identifier: MIT

#if os(Linux)
/// A message of the kernel's management interface, which is a command or an event (BlueZ, doc/mgmt-protocol.rst).
package struct ManagementFrame: Equatable {
    /// The number in the place of an adapter's, for what is of none.
    static let noController: UInt16 = 0xFFFF
    /// The bytes before the parameters: code, controller and length, the lowest byte first.
    private static let headerLength = 6

    package let code: UInt16
    /// The number in the name of the adapter, as 0 of `hci0`.
    package let controller: UInt16
    package let parameters: [UInt8]

    package init(code: UInt16, controller: UInt16, parameters: [UInt8]) {
        (self.code, self.controller, self.parameters) = (code, controller, parameters)
    }

    /// Reads a packet of the socket; nil where its length is not the one that it states.
    package init?(_ packet: ArraySlice<UInt8>) {
        guard packet.count >= Self.headerLength else { return nil }
        var rest = packet
        let header = (0..<3).map { _ in UInt16(rest.removeFirst()) | UInt16(rest.removeFirst()) << 8 }
        guard rest.count == header[2] else { return nil }
        self.init(code: header[0], controller: header[1], parameters: Array(rest))
    }

    /// The bytes of the frame, for the socket.
    package var packet: [UInt8] {
        [code, controller, UInt16(parameters.count)].flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] } + parameters
    }
}
#endif
