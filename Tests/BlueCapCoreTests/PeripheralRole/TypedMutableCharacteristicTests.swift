// SPDX-License-Identifier: MIT

import BlueCapSerDe
import Testing

@testable import BlueCapCore

@Suite("Peripheral manager: values of a type", .timeLimit(.minutes(60)))
struct TypedMutableCharacteristicTests {
    /// A characteristic of a type, in a service that is added.
    private func added<Value: ByteCodable>(
        _ characteristic: TypedMutableCharacteristic<Value>, in world: PeripheralWorld
    ) async throws -> TypedMutableCharacteristic<Value> {
        let service = MutableService(uuid: "180F")
        service.characteristics = [characteristic.characteristic]
        try await world.add(service)
        return characteristic
    }

    // MARK: Making one

    @Test func `a type that declares a profile makes its characteristic, text and initial value included`() {
        let enabled = TypedMutableCharacteristic<Sample.Enabled>()
        #expect(enabled.characteristic.uuid == Sample.Enabled.uuid)
        #expect(enabled.characteristic.name == "Level Enabled")
        #expect(enabled.characteristic.properties == [.read, .write])
        #expect(enabled.characteristic.permissions == .readable)
        #expect(enabled.characteristic.stringValues == ["No", "Yes"])
        #expect(enabled.value == .yes)
    }

    @Test func `a type without a form in text makes its characteristic with hexadecimal text`() {
        let level = TypedMutableCharacteristic<Level>()
        #expect(level.characteristic.uuid == "FFE5")
        #expect(level.characteristic.properties == .notify)
        #expect(level.value == Level(rawValue: 7))
        #expect(level.characteristic.stringValue == ["Level": "0700"])
    }

    @Test func `any type with a form in bytes has a characteristic under any UUID`() {
        let text = TypedMutableCharacteristic(uuid: "2A00", properties: .read, value: "Lamp")
        #expect(text.characteristic.value == SerDe.serialize("Lamp"))
        #expect(text.characteristic.properties == .read)
        let table = TypedMutableCharacteristic<[UInt16]>(uuid: "FFE6")
        #expect(table.value == nil)
        #expect(table.characteristic.value == nil)
        let named = TypedMutableCharacteristic<String>(
            MutableCharacteristic(profile: StringCharacteristicProfile<Sample.SerialNumber>()))
        #expect(named.value == "AAA11")
    }

    @Test func `a service is made of its type and its characteristics, in their order`() {
        let axes = TypedMutableCharacteristic<Sample.Axes>().characteristic
        let enabled = TypedMutableCharacteristic<Sample.Enabled>().characteristic
        let service = MutableService(Sample.Service.self, isPrimary: false, characteristics: [axes, enabled])
        #expect(service.uuid == Sample.Service.uuid)
        #expect(service.name == Sample.Service.name)
        #expect(!service.isPrimary)
        #expect(service.characteristics == [axes, enabled])
        #expect(axes.service == service)
        #expect(MutableService(Sample.Service.self).isPrimary)
    }

    @Test func `a service gives the characteristic of a type, or nil`() {
        let service = MutableService(
            profile: ConfiguredServiceProfile<Sample.Service>(characteristics: [
                RawArrayCharacteristicProfile<Sample.Axes>(), RawCharacteristicProfile<Sample.Enabled>(),
            ]))
        service.characteristicsFromProfiles()
        #expect(service.characteristic(Sample.Enabled.self)?.characteristic == service.characteristics[1])
        #expect(service.characteristic(Sample.Pair.self) == nil)
    }

    // MARK: The value

    @Test func `a value that is set is read by centrals, and one that is accepted is seen by the app`() async throws {
        try await PeripheralWorld.run { world in
            let axes = try await added(TypedMutableCharacteristic<Sample.Axes>(), in: world)
            axes.value = Sample.Axes(rawValue: [1, -1])
            #expect(try await world.read(axes.characteristic) == [.success([1, 0, 0xFF, 0xFF])])
            axes.value = nil
            #expect(try await world.read(axes.characteristic) == [.success([])])
        }
    }

    @Test func `bytes that are no value of the type read as nil`() {
        let axes = TypedMutableCharacteristic<Sample.Axes>()
        axes.characteristic.value = [1]
        #expect(axes.value == nil)
        #expect(axes.characteristic.value == [1])
    }

    @Test func `an update sets the value and reaches subscribers; one for a central reaches that one`() async throws {
        try await PeripheralWorld.run { world in
            let pair = try await added(TypedMutableCharacteristic<Sample.Pair>(), in: world)
            try await world.subscribe(to: pair.characteristic)
            try pair.update(Sample.Pair(rawValue1: 1, rawValue2: 2))
            await world.idle()
            #expect(pair.value == Sample.Pair(rawValue1: 1, rawValue2: 2))
            await world.answer()
            try pair.update(Sample.Pair(rawValue1: 3, rawValue2: 4), for: PeripheralWorld.one)
            await world.idle()
            await world.answer()
            #expect(pair.value == Sample.Pair(rawValue1: 1, rawValue2: 2))
            #expect(await world.backend.sentValues == [[1, 2, 0], [3, 4, 0]])
        }
    }

    @Test func `an update waits and fails as that of the characteristic does`() throws {
        let pair = TypedMutableCharacteristic<Sample.Pair>()
        let value = Sample.Pair(rawValue1: 1, rawValue2: 2)
        try pair.update(value)
        try pair.update(value, for: PeripheralWorld.one)
        #expect(pair.value == value && pair.characteristic.droppedCount == 1)
        #expect(pair.characteristic.pendingUpdates == [[1, 2, 0]])
        let enabled = TypedMutableCharacteristic<Sample.Enabled>()
        #expect(throws: MutableCharacteristicError.notifyNotSupported) { try enabled.update(.yes) }
    }

    // MARK: Writes

    @Test func `a write is decoded, and its value is the characteristic's once it is accepted`() async throws {
        try await PeripheralWorld.run { world in
            let axes = try await added(TypedMutableCharacteristic<Sample.Axes>(), in: world)
            let requests = await world.recorder(axes.writeRequests())
            let access = try await world.write([2, 0, 3, 0], .prepared, to: axes.characteristic)
            let request = try #require(requests.all.first)
            #expect(request.newValue == Sample.Axes(rawValue: [2, 3]))
            #expect(request.central == PeripheralWorld.one)
            #expect(request.kind == .prepared)
            #expect(request.characteristic == axes.characteristic)
            #expect(axes.value == nil)
            #expect(request.isOpen)
            #expect(request.accept())
            #expect(axes.value == Sample.Axes(rawValue: [2, 3]))
            #expect(!request.accept())
            #expect(!request.isOpen)
            #expect(await world.answers(to: access) == [.success([])])
        }
    }

    @Test func `a write that the app refuses leaves the value`() async throws {
        try await PeripheralWorld.run { world in
            let level = try await added(TypedMutableCharacteristic<UInt8>(uuid: "FFE7", value: 1), in: world)
            let requests = await world.recorder(level.writeRequests())
            let access = try await world.write([200], to: level.characteristic)
            #expect(requests.all.first?.respond(.outOfRange) == true)
            #expect(requests.all.first?.accept() == false)
            #expect(await world.answers(to: access) == [.failure(.outOfRange)])
            #expect(level.value == 1)
        }
    }

    /// Writes some bytes to a characteristic of a type, and expects that they are refused without the app.
    private func expectRefusal<Value: ByteCodable>(
        _ error: ATTError, of bytes: Bytes, as type: Value.Type, at offset: Int = 0, value: Value? = nil
    ) async throws {
        try await PeripheralWorld.run { world in
            let characteristic = try await added(
                TypedMutableCharacteristic<Value>(uuid: "FFE8", value: value), in: world)
            let before = characteristic.characteristic.value
            let requests = await world.recorder(characteristic.writeRequests())
            let access = try await world.write(bytes, at: offset, to: characteristic.characteristic)
            #expect(await world.answers(to: access) == [.failure(error)])
            #expect(requests.all.isEmpty)
            #expect(characteristic.characteristic.value == before)
        }
    }

    @Test(arguments: [Bytes(), [1], [1, 2, 3], [1, 2, 3, 4, 5]])
    func `a write of too few or too many bytes is refused for its length, and does not reach the loop`(_ bytes: Bytes)
        async throws
    {
        try await expectRefusal(.invalidAttributeValueLength, of: bytes, as: Sample.Axes.self)
        try await expectRefusal(.invalidAttributeValueLength, of: bytes, as: UInt32.self)
    }

    @Test func `a write of bytes that the type does not allow is refused as not allowed`() async throws {
        try await expectRefusal(.valueNotAllowed, of: [2], as: Sample.Enabled.self)
        try await expectRefusal(.valueNotAllowed, of: [0xFF, 0xFE], as: String.self)
    }

    @Test func `where the platform cannot send "value not allowed", the unlikely error is sent`() async throws {
        try await PeripheralWorld.run { world in
            world.backend.unsendable.withLock { $0 = [.valueNotAllowed] }
            let enabled = try await added(TypedMutableCharacteristic<Sample.Enabled>(uuid: "FFE8"), in: world)
            let requests = await world.recorder(enabled.writeRequests())
            let access = try await world.write([2], to: enabled.characteristic)
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            #expect(requests.all.isEmpty)
        }
    }

    @Test func `a write at an offset is decoded together with what is before it`() async throws {
        try await PeripheralWorld.run { world in
            let axes = try await added(TypedMutableCharacteristic<Sample.Axes>(), in: world)
            axes.value = Sample.Axes(rawValue: [1, 2])
            let requests = await world.recorder(axes.writeRequests())
            let access = try await world.write([9, 0], at: 2, to: axes.characteristic)
            let request = try #require(requests.all.first)
            #expect(request.newValue == Sample.Axes(rawValue: [1, 9]))
            #expect(request.request.value == [9, 0])
            // A change of the value meanwhile does not change the value of the write.
            axes.characteristic.value = [1]
            #expect(request.accept())
            #expect(axes.value == Sample.Axes(rawValue: [1, 9]))
            #expect(await world.answers(to: access) == [.success([])])
        }
    }

    @Test func `a write at an offset that leaves no value is refused, and so is one beyond the end`() async throws {
        let value = Sample.Axes(rawValue: [1, 2])
        try await expectRefusal(.invalidAttributeValueLength, of: [9], as: Sample.Axes.self, at: 2, value: value)
        try await expectRefusal(.invalidOffset, of: [9], as: Sample.Axes.self, at: 5, value: value)
    }

    @Test func `the loop goes on after a write that was refused`() async throws {
        try await PeripheralWorld.run { world in
            let level = try await added(TypedMutableCharacteristic<UInt8>(uuid: "FFE7"), in: world)
            let requests = await world.recorder(level.writeRequests())
            for bytes in [[1], [1, 2], [3], []] as [Bytes] {
                _ = try await world.write(bytes, to: level.characteristic)
            }
            #expect(requests.all.map(\.newValue) == [1, 3])
        }
    }

    @Test func `bytes behind the value are kept where the type ignores them`() async throws {
        try await PeripheralWorld.run { world in
            let growing = try await added(TypedMutableCharacteristic<Growing>(uuid: "FFE9"), in: world)
            let requests = await world.recorder(growing.writeRequests())
            _ = try await world.write([1, 2, 3], to: growing.characteristic)
            #expect(requests.all.first?.newValue == Growing(number: 1))
            #expect(requests.all.first?.accept() == true)
            #expect(growing.characteristic.value == [1, 2, 3])
        }
    }

    @Test func `a request that another stream answered first is not answered again`() async throws {
        try await PeripheralWorld.run { world in
            let level = try await added(TypedMutableCharacteristic<UInt8>(uuid: "FFE7"), in: world)
            let typed = level.writeRequests()
            let plain = await world.recorder(level.characteristic.writeRequests())
            let access = try await world.write([1, 2], to: level.characteristic)
            #expect(plain.all.first?.accept() == true)
            let requests = await world.recorder(typed)
            #expect(await world.answers(to: access) == [.success([])])
            #expect(requests.all.isEmpty)
        }
    }

    @Test func `a stream that is released takes no writes any more`() async throws {
        try await PeripheralWorld.run { world in
            let level = try await added(TypedMutableCharacteristic<UInt8>(uuid: "FFE7"), in: world)
            var stream: AsyncStream<TypedWriteRequest<UInt8>>? = level.writeRequests()
            let first = try await world.write([1], to: level.characteristic)
            withExtendedLifetime(stream) {}
            stream = nil
            #expect(await world.answers(to: first) == [.failure(.unlikelyError)])
            let second = try await world.write([1], to: level.characteristic)
            #expect(await world.answers(to: second) == [.failure(.requestNotSupported)])
        }
    }

    @Test func `a request that is released without an answer is answered with an unlikely error`() async throws {
        try await PeripheralWorld.run { world in
            let level = try await added(TypedMutableCharacteristic<UInt8>(uuid: "FFE7"), in: world)
            let loop = await world.start { for await _ in level.writeRequests() {} }
            let access = try await world.write([2], to: level.characteristic)
            #expect(await world.answers(to: access) == [.failure(.unlikelyError)])
            await world.cancel(loop)
        }
    }
}

/// A value that declares its characteristic, but no text.
private struct Level: RawDeserializable, CharacteristicConfigurable, Equatable {
    static let uuid: BluetoothUUID = "FFE5"
    static let name = "Level"
    static let properties: CharacteristicProperties = .notify
    static let initialValue: Bytes? = [7, 0]
    let rawValue: UInt16

    init(rawValue: UInt16) { self.rawValue = rawValue }
}

/// A value of a format that newer peers may have extended.
private struct Growing: ByteDecodable, ByteEncodable, Equatable {
    static var surplusBytes: SurplusBytes { .ignore }
    let number: UInt8

    init(number: UInt8) { self.number = number }
    init(from reader: inout ByteReader) throws(SerDeError) { number = try reader.read() }

    var encodedByteCount: Int { 1 }
    func encode(into output: inout OutputRawSpan) { number.encode(into: &output) }
}
