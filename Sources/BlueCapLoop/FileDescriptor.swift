// SPDX-License-Identifier: MIT

#if os(Linux)
import BlueCapPlatform
import CBlueCapLinux

/// Owns a file descriptor and closes it exactly once.
package struct FileDescriptor: ~Copyable, Sendable {
    /// Valid as long as this value lives.
    package let rawValue: Int32

    /// Takes over a descriptor, which only this object closes from now on.
    package init(owning rawValue: Int32) { self.rawValue = rawValue }

    deinit { close(rawValue) }

    /// Gives the descriptor to the caller, who has to close it.
    package consuming func release() -> Int32 {
        let descriptor = rawValue
        discard self
        return descriptor
    }

    /// A second descriptor for the same open file.
    package func duplicate() throws(LoopError) -> FileDescriptor { try Self.duplicate(of: rawValue) }

    /// The same for a descriptor that another object owns.
    package static func duplicate(of rawValue: Int32) throws(LoopError) -> FileDescriptor {
        let copy = fcntl(rawValue, F_DUPFD_CLOEXEC, 3)
        guard copy >= 0 else { throw LoopError(call: "fcntl", errno: errno) }
        return FileDescriptor(owning: copy)
    }

    static func checked(_ status: Int32, _ call: String) throws(LoopError) -> Int32 {
        guard status >= 0 else { throw LoopError(call: call, errno: -status) }
        return status
    }
}

/// Two connected SEQPACKET sockets, such as BlueZ hands out for `AcquireNotify` and `AcquireWrite`.
package struct PacketPair: ~Copyable {
    package var near: FileDescriptor
    package var far: FileDescriptor

    package init() throws(LoopError) {
        var pair: [Int32] = [-1, -1]
        let status = unsafe pair.withUnsafeMutableBufferPointer { unsafe bluecap_packet_pair($0.baseAddress) }
        _ = try FileDescriptor.checked(status, "socketpair")
        near = FileDescriptor(owning: pair[0])
        far = FileDescriptor(owning: pair[1])
    }
}
#endif
