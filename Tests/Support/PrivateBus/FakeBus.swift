// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package import BlueCapDBus
import BlueCapPlatform

/// A private bus of the test that sends scripted messages to one connection after another, and closes each connection
/// when its script ends. It ends with this object.
package final class FakeBus: Sendable {
    /// The address of the bus, ready for `BusAddress`.
    package let address: String
    private let listener: Int32

    /// Listens, and runs the script for each connection on a thread.
    package init(_ script: @escaping @Sendable (Client) -> Void) throws(DBusError) {
        let name = "bluecap-fake-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        address = "unix:abstract=\(name)"
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | O_CLOEXEC, 0)
        guard listener >= 0 else { throw .system(call: "socket", errno: errno) }
        var place = sockaddr_un()
        place.sun_family = sa_family_t(AF_UNIX)
        let text = Array(name.utf8)
        unsafe withUnsafeMutableBytes(of: &place.sun_path) { unsafe $0.dropFirst().copyBytes(from: text) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + text.count)
        let bound = unsafe withUnsafePointer(to: &place) {
            unsafe $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe bind(listener, $0, length) }
        }
        guard bound == 0, listen(listener, 16) == 0 else {
            close(listener)
            throw .system(call: "bind", errno: errno)
        }
        let server = Server(listener: listener, script: script)
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(server).toOpaque()
        unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Server>.fromOpaque(context).takeRetainedValue().serve()
                return nil
            }, context)
        pthread_detach(thread)
    }

    deinit {
        // Wakes the thread, which closes it.
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private final class Server: Sendable {
        private let listener: Int32
        private let script: @Sendable (Client) -> Void

        init(listener: Int32, script: @escaping @Sendable (Client) -> Void) {
            self.listener = listener
            self.script = script
        }

        func serve() {
            while true {
                let socket = accept(listener, nil, nil)
                guard socket >= 0 else { break }
                _ = fcntl(socket, F_SETFD, FD_CLOEXEC)
                script(Client(socket: socket))
                close(socket)
            }
            close(listener)
        }
    }

    /// The far end of one connection, for its script.
    package struct Client {
        fileprivate let socket: Int32

        /// Reads a line of the authentication; nil when the connection has ended.
        @discardableResult
        package func readLine() -> String? {
            var bytes: [UInt8] = []
            while bytes.last != UInt8(ascii: "\n") {
                guard let byte = read(1)?.first else { return nil }
                // The first byte of all carries the credentials.
                if byte != 0 { bytes.append(byte) }
            }
            return String(decoding: bytes.dropLast(2), as: UTF8.self)
        }

        /// Reads one message; nil when the connection has ended.
        package func readMessage() -> [UInt8]? {
            guard let start = read(16) else { return nil }
            let fields = (Self.number(start, at: 12) + 7) & ~7
            guard let rest = read(fields + Self.number(start, at: 4)) else { return nil }
            return start + rest
        }

        /// Sends bytes; false when the connection has ended.
        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var sent = 0
            while sent < bytes.count {
                let count = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe Glibc.send(
                        socket, bytes.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                sent += count
            }
            return true
        }

        /// Sends bytes, and with the first of them descriptors.
        package func send(_ bytes: [UInt8], descriptors: [Int32]) {
            var bytes = bytes
            unsafe bytes.withUnsafeMutableBytes { bytes in
                var vector = unsafe iovec(iov_base: bytes.baseAddress, iov_len: bytes.count)
                let length = MemoryLayout<cmsghdr>.size + descriptors.count * MemoryLayout<Int32>.size
                let room = (length + 7) & ~7
                let control = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 8)
                defer { unsafe control.deallocate() }
                var item = cmsghdr()
                item.cmsg_len = length
                item.cmsg_level = SOL_SOCKET
                item.cmsg_type = Int32(SCM_RIGHTS)
                unsafe control.storeBytes(of: item, as: cmsghdr.self)
                for (index, descriptor) in descriptors.enumerated() {
                    unsafe control.storeBytes(
                        of: descriptor, toByteOffset: MemoryLayout<cmsghdr>.size + 4 * index, as: Int32.self)
                }
                unsafe withUnsafeMutablePointer(to: &vector) { vector in
                    var header = unsafe msghdr()
                    unsafe header.msg_iov = unsafe vector
                    unsafe header.msg_iovlen = 1
                    unsafe header.msg_control = control.baseAddress
                    unsafe header.msg_controllen = room
                    _ = unsafe sendmsg(socket, &header, Int32(MSG_NOSIGNAL))
                }
            }
        }

        package func send(line: String) { send(Array((line + "\r\n").utf8)) }

        /// Lets the client in.
        package func authenticate(passesDescriptors: Bool = true) {
            while let line = readLine() {
                switch line.split(separator: " ").first {
                case "AUTH": send(line: "OK 0123456789abcdef0123456789abcdef")
                case "NEGOTIATE_UNIX_FD": send(line: passesDescriptors ? "AGREE_UNIX_FD" : "ERROR")
                case "BEGIN": return
                default: send(line: "ERROR")
                }
            }
        }

        /// Lets the client in and answers its Hello.
        package func welcome(passesDescriptors: Bool = true) {
            authenticate(passesDescriptors: passesDescriptors)
            guard let hello = readMessage() else { return }
            answer(hello, FakeBus.string(":1.1"), signature: "s")
        }

        /// Answers a method call.
        package func answer(_ call: [UInt8], _ body: [UInt8] = [], signature: String = "") {
            send(FakeBus.answer(call, body, signature: signature))
        }

        /// Waits until the client ends the connection.
        package func waitForEnd() { while read(1) != nil {} }

        private func read(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var done = 0
            while done < count {
                let got = unsafe bytes.withUnsafeMutableBytes { bytes in
                    unsafe recv(socket, bytes.baseAddress! + done, count - done, 0)
                }
                guard got > 0 else { return nil }
                done += got
            }
            return bytes
        }

        fileprivate static func number(_ bytes: [UInt8], at index: Int) -> Int {
            (0..<4).reduce(0) { $0 | Int(bytes[index + $1]) << (8 * $1) }
        }
    }
}

// Messages in wire bytes, of either byte order.
extension FakeBus {
    /// A header field: its code, and a value of one type. Numbers have the message's byte order.
    package static func field(_ code: UInt8, _ type: Character, _ value: [UInt8]) -> [UInt8] {
        [code, 1, type.asciiValue ?? 0, 0] + value
    }

    package static func signatureField(_ text: String) -> [UInt8] {
        [8, 1, UInt8(ascii: "g"), 0, UInt8(text.utf8.count)] + Array(text.utf8) + [0]
    }

    package static func number(_ value: UInt32, isBigEndian: Bool = false) -> [UInt8] {
        let bytes = (0..<4).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        return isBigEndian ? bytes.reversed() : bytes
    }

    package static func string(_ text: String, isBigEndian: Bool = false) -> [UInt8] {
        number(UInt32(text.utf8.count), isBigEndian: isBigEndian) + Array(text.utf8) + [0]
    }

    /// A message from the bus; `bodyLength` is for a message that claims another length than it has.
    package static func message(
        type: UInt8, _ fields: [[UInt8]], body: [UInt8] = [], isBigEndian: Bool = false, bodyLength: UInt32? = nil
    ) -> [UInt8] {
        func number(_ value: UInt32) -> [UInt8] { Self.number(value, isBigEndian: isBigEndian) }
        var header: [UInt8] = []
        for field in fields {
            while header.count % 8 != 0 { header.append(0) }
            header += field
        }
        var bytes = [UInt8(ascii: isBigEndian ? "B" : "l"), type, 0, 1]
        bytes += number(bodyLength ?? UInt32(body.count)) + number(1) + number(UInt32(header.count)) + header
        while bytes.count % 8 != 0 { bytes.append(0) }
        return bytes + body
    }

    /// The answer to a method call, with a field for descriptors if it says that it has any.
    package static func answer(
        _ call: [UInt8], _ body: [UInt8] = [], signature: String = "", descriptors: Int = 0
    ) -> [UInt8] {
        var fields = [field(5, "u", number(UInt32(Client.number(call, at: 8)))), signatureField(signature)]
        if descriptors > 0 { fields.append(field(9, "u", number(UInt32(descriptors)))) }
        return message(type: 2, fields, body: body)
    }

    /// A signal `org.bluecap.Test1.Tick` of `/`.
    package static func tick(
        _ body: [UInt8] = [], path: String = "/", signature: String = "", isBigEndian: Bool = false,
        bodyLength: UInt32? = nil
    ) -> [UInt8] {
        func string(_ text: String) -> [UInt8] { Self.string(text, isBigEndian: isBigEndian) }
        let fields = [
            field(1, "o", string(path)), field(2, "s", string("org.bluecap.Test1")), field(3, "s", string("Tick")),
            field(7, "s", string(":1.2")), signatureField(signature),
        ]
        return message(type: 4, fields, body: body, isBigEndian: isBigEndian, bodyLength: bodyLength)
    }
}
#endif
