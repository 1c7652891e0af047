// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapLoop
import BlueCapSerDe
import BlueCapDBus

/// Reading and writing, as `src/gatt-database.c` of BlueZ 5.66 has it.
extension FakeCentralLink {
    /// Reads the bytes that fit into one packet, and then the rest in parts (`serve-long-values.trace`).
    func read(_ attribute: AttributeID, _ done: @escaping (Result<Bytes, ATTError>) -> Void) {
        guard isConnected else { return done(.failure(.unlikelyError)) }
        guard let object = daemon.server.object(attribute) else { return done(.failure(.invalidHandle)) }
        guard object.offers("read") else { return done(.failure(.readNotPermitted)) }
        if let error = object.denial("read", isPaired: isPaired) { return done(.failure(error)) }
        read(object, after: [], done)
    }

    private func read(
        _ object: FakeObject, after start: [UInt8], _ done: @escaping (Result<Bytes, ATTError>) -> Void
    ) {
        let room = Int(unit) - 1
        daemon.askForCentral(object, "ReadValue", [.properties(options(offset: start.count))]) { [weak self] result in
            switch result {
            case .success(let message):
                let rest = (try? message.body(expecting: "ay"))?.first?.bytesValue ?? []
                let value = start + rest.prefix(room)
                guard rest.count >= room, value.count < 512, let self else { return done(.success(Bytes(value))) }
                read(object, after: value, done)
            case .failure(let error):
                let error = ATTError(error, denied: .readNotPermitted)
                // A value that ends with a packet has nothing behind it.
                let isEnd = !start.isEmpty && [.invalidOffset, .attributeNotLong].contains(error)
                done(isEnd ? .success(Bytes(start)) : .failure(error))
            }
        }
    }

    func write(
        _ value: Bytes, to attribute: AttributeID, isCommand: Bool, _ done: @escaping (Result<Void, ATTError>) -> Void
    ) {
        guard isConnected else { return done(.failure(.unlikelyError)) }
        guard let object = daemon.server.object(attribute) else { return done(.failure(.invalidHandle)) }
        let takesCommands = object.flags.contains("write-without-response")
        if isCommand ? !takesCommands : !object.offers("write") {
            return isCommand ? done(.success(())) : done(.failure(.writeNotPermitted))
        }
        if let error = object.denial("write", isPaired: isPaired) {
            return isCommand ? done(.success(())) : done(.failure(error))
        }
        if let socket = object.writeSocket {
            // Bytes that the socket does not take are lost.
            _ = socket.send(Array(value))
            return done(.success(()))
        }
        if object.offersWriteSocket { return acquire(object, value, done) }
        write(value, to: object, done)
    }

    private func write(_ value: Bytes, to object: FakeObject, _ done: @escaping (Result<Void, ATTError>) -> Void) {
        let body: [DBusValue] = [.bytes(Array(value)), .properties(options())]
        // With write-without-response the daemon asks for no answer, whichever way the value came.
        if object.flags.contains("write-without-response") {
            daemon.tell(object.client, object.path, object.interface, "WriteValue", body)
            return done(.success(()))
        }
        daemon.askForCentral(object, "WriteValue", body) { result in
            switch result {
            case .success: done(.success(()))
            case .failure(let error): done(.failure(ATTError(error, denied: .writeNotPermitted)))
            }
        }
    }

    /// Asks for the socket that values go through from now on (`serve-by-sockets.trace`).
    private func acquire(_ object: FakeObject, _ value: Bytes, _ done: @escaping (Result<Void, ATTError>) -> Void) {
        daemon.askForCentral(object, "AcquireWrite", [.properties(options())]) { [weak self] result in
            guard let self else { return }
            if case .failure(let error) = result {
                let code = ATTError(error, denied: .writeNotPermitted)
                // An application that says nothing more of it has no sockets.
                guard code == .unlikelyError, error.remoteName != nil else { return done(.failure(code)) }
            }
            if case .success(let message) = result, let descriptor = try? message.takeDescriptor(at: 0) {
                object.writeSocket = try? PacketWriter(
                    descriptor, on: daemon.loop, onClose: { object.writeSocket = nil })
            }
            guard let socket = object.writeSocket else { return write(value, to: object, done) }
            _ = socket.send(Array(value))
            done(.success(()))
        }
    }
}
#endif
