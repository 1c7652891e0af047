// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapLoop
import BlueCapPlatform
import CBlueCapLinux

/// A message as it goes over the bus: its place among bytes, its checked header, and its descriptors. The body of a
/// received message is checked when it is needed.
package struct Frame: Sendable {
    package var bytes: [UInt8]
    /// Where the message stands in `bytes`.
    let place: Range<Int>
    package let header: FrameHeader
    var descriptors: MessageDescriptors
    /// The shape that its header shares with others of the connection; nil where it is not known.
    var shape: FrameShape?

    /// Some of the message's bytes; places count from its first.
    func slice(_ range: Range<Int>) -> ArraySlice<UInt8> {
        bytes[place.lowerBound + range.lowerBound..<place.lowerBound + range.upperBound]
    }

    /// Where a text of the header stands in `bytes`; nil when the header does not have it.
    func place(of field: FrameHeader.Field) -> Range<Int>? {
        header.place(of: field).map { place.lowerBound + $0.lowerBound..<place.lowerBound + $0.upperBound }
    }

    /// Whether a text of the header has these UTF-8 bytes; false when the header does not have it.
    func has(_ field: FrameHeader.Field, _ text: [UInt8]) -> Bool {
        guard let place = place(of: field) else { return false }
        return bytes.span.extracting(place).isEqual(to: text.span)
    }

    /// A text of the header, nil when the header does not have it.
    func text(_ field: FrameHeader.Field) -> String? {
        place(of: field).map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// Throws `.malformed` unless the body matches its signature, by D-Bus's rules.
    func checkBody() throws(DBusError) { try header.checkBody(of: bytes.span.extracting(place)) }

    /// The same message for keeping: without the bytes that came before and after it. A message that came alone is not
    /// copied.
    func kept() -> Frame {
        if place == bytes.indices { return self }
        return Frame(bytes: Array(bytes[place]), place: 0..<place.count, header: header, descriptors: descriptors)
    }
}

/// The parts that headers of one connection have in common.
struct FrameShape: Sendable, Equatable {
    /// Equal for headers that differ in nothing but the serial and the length of the body.
    var header: UInt64 = 0
    /// The same for headers that differ in their path, too.
    var family: UInt64 = 0
}

/// The descriptors of a message; closed with the last reference.
final class MessageDescriptors: Sendable {
    static let none = MessageDescriptors([])

    private let all: [Int32]

    init(_ descriptors: [Int32]) { all = descriptors }

    deinit { for descriptor in all { close(descriptor) } }

    var count: Int { all.count }

    /// Lends them for a system call.
    func withAll<Value>(_ body: (UnsafeBufferPointer<Int32>) -> Value) -> Value {
        unsafe all.withUnsafeBufferPointer { unsafe body($0) }
    }

    /// A duplicate of a descriptor, which the caller owns.
    func duplicate(_ index: Int) throws(DBusError) -> FileDescriptor {
        guard all.indices.contains(index) else { throw .malformed("no descriptor \(index)") }
        return try DBusError.translating { () throws(LoopError) in try FileDescriptor.duplicate(of: all[index]) }
    }
}

/// Descriptors that belong to messages which are not whole yet, in order. They are closed with the queue.
struct DescriptorQueue: ~Copyable {
    /// More than the kernel passes at a time, or than any message may have.
    static let limit = Int(BLUECAP_DESCRIPTORS)

    private var waiting: [Int32] = []

    deinit { for descriptor in waiting { close(descriptor) } }

    var isEmpty: Bool { waiting.isEmpty }
    var count: Int { waiting.count }

    /// Takes descriptors over, also when it throws because these are more than any message may have.
    mutating func add(_ descriptors: ArraySlice<Int32>) throws(DBusError) {
        waiting += descriptors
        guard waiting.count <= Self.limit else { throw .malformed("more descriptors than a message may have") }
    }

    /// The descriptors of the message that has come; throws `.malformed` when it says that it has more than came.
    mutating func take(_ count: Int) throws(DBusError) -> MessageDescriptors {
        if count == 0 { return .none }
        guard count <= waiting.count else { throw .malformed("fewer descriptors than a message says") }
        defer { waiting.removeFirst(count) }
        return MessageDescriptors(Array(waiting.prefix(count)))
    }

    /// Removes all descriptors and returns them.
    mutating func takeAll() -> MessageDescriptors {
        if waiting.isEmpty { return .none }
        defer { waiting = [] }
        return MessageDescriptors(waiting)
    }
}
#endif
