#if BlueZ && os(Linux)
import CLinux
import Glibc

/// A message as it came from the bus: its bytes, with the header and the body checked, and the descriptors that came with it.
struct Frame: Sendable {
    let bytes: [UInt8]
    let header: FrameHeader
    let descriptors: ReceivedDescriptors

    /// A text of the header, nil when the header does not have it.
    func text(_ field: FrameHeader.Field) -> String? {
        header.place(of: field).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}

/// Descriptors that came over a socket; closed with the last reference.
final class ReceivedDescriptors: Sendable {
    static let none = ReceivedDescriptors([])

    private let all: [Int32]

    /// Takes the descriptors over.
    init(_ descriptors: [Int32]) {
        all = descriptors
    }

    deinit {
        for descriptor in all { close(descriptor) }
    }

    /// A duplicate of one, which the caller owns.
    func duplicate(_ index: Int) throws(DBusError) -> FileDescriptor {
        guard all.indices.contains(index) else { throw .malformed("no descriptor \(index)") }
        return try FileDescriptor.duplicate(of: all[index])
    }
}

/// Descriptors that have come and belong to messages that have not come whole yet, in order. They are closed with the queue.
struct DescriptorQueue: ~Copyable {
    /// More than the kernel passes at a time, or than any message may have.
    static let limit = Int(BLUECAP_DESCRIPTORS)

    private var waiting: [Int32] = []

    deinit {
        for descriptor in waiting { close(descriptor) }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Takes descriptors over, also when it throws because these are more than any message may have.
    mutating func add(_ descriptors: ArraySlice<Int32>) throws(DBusError) {
        waiting += descriptors
        guard waiting.count <= Self.limit else { throw .malformed("more descriptors than a message may have") }
    }

    /// The descriptors of the message that has come; throws `.malformed` when it says that it has more than came.
    mutating func take(_ count: Int) throws(DBusError) -> ReceivedDescriptors {
        if count == 0 { return .none }
        guard count <= waiting.count else { throw .malformed("fewer descriptors than a message says") }
        defer { waiting.removeFirst(count) }
        return ReceivedDescriptors(Array(waiting.prefix(count)))
    }
}
#endif
