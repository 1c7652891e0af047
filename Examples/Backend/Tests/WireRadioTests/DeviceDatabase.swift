// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe
import BlueCapTesting
import WireRadio

/// The attributes of a device, and its replies to centrals that use them.
struct DeviceDatabase {
    private struct Attribute {
        var value: Bytes
        var writes: [PeerWrite] = []
        var errors: [PeerAccess: ATTError] = [:]
        var subscriptions = PeerSubscriptions(current: 0, total: 0)
        /// The value that is notified inside each subscription.
        var greeting: Bytes?
    }

    /// The services as a central sees them.
    private(set) var services: [WireService] = []
    private var attributes: [UInt32: Attribute] = [:]
    private var numbers: [PeerAttribute: UInt32] = [:]

    init(_ declared: [TwinService]) {
        var last: UInt32 = 0
        func add(_ value: Bytes, as place: PeerAttribute? = nil) -> UInt32 {
            last += 1
            attributes[last] = Attribute(value: value)
            if let place { numbers[place] = last }
            return last
        }
        services = declared.enumerated().map { service, declaration in
            var made = WireService(id: add([]), uuid: declaration.uuid, isPrimary: declaration.isPrimary)
            for (index, characteristic) in declaration.characteristics.enumerated() {
                let place = PeerAttribute(service: service, characteristic: index)
                made.characteristics.append(
                    .init(
                        id: add(characteristic.value ?? [], as: place), uuid: characteristic.uuid,
                        properties: characteristic.properties))
                for (number, descriptor) in characteristic.descriptors.enumerated() {
                    let place = PeerAttribute(service: service, characteristic: index, descriptor: number)
                    made.characteristics[index].descriptors.append(
                        .init(id: add(descriptor.value ?? [], as: place), uuid: descriptor.uuid))
                }
                if !characteristic.properties.isDisjoint(with: [.notify, .indicate]) {
                    made.characteristics[index].descriptors.append(.init(id: add([0, 0]), uuid: "2902"))
                }
            }
            return made
        }
        for (index, declaration) in declared.enumerated() {
            services[index].includes = declaration.includes.map { services[$0].id }
        }
    }

    func number(of place: PeerAttribute) throws -> UInt32 {
        guard let number = numbers[place] else { throw ConformanceFailure("the device has no attribute \(place)") }
        return number
    }

    func value(of place: PeerAttribute) throws -> Bytes { attributes[try number(of: place)]?.value ?? [] }

    func writes(to place: PeerAttribute) throws -> [PeerWrite] { attributes[try number(of: place)]?.writes ?? [] }

    func subscriptions(to place: PeerAttribute) throws -> PeerSubscriptions {
        attributes[try number(of: place)]?.subscriptions ?? .init(current: 0, total: 0)
    }

    mutating func setValue(_ value: Bytes, of place: PeerAttribute) throws {
        attributes[try number(of: place)]?.value = value
    }

    mutating func setError(_ error: ATTError?, of place: PeerAttribute, on access: PeerAccess) throws {
        attributes[try number(of: place)]?.errors[access] = error
    }

    mutating func setGreeting(_ value: Bytes?, of place: PeerAttribute) throws {
        attributes[try number(of: place)]?.greeting = value
    }

    mutating func endSubscriptions() {
        for number in attributes.keys { attributes[number]?.subscriptions.current = 0 }
    }

    /// Carries out a central's message, and returns the messages for it.
    mutating func replies(to message: Message) -> [Message] {
        switch message {
        case .read(let request, let number):
            guard let attribute = attributes[number] else { return [.refusal(request: request, error: .invalidHandle)] }
            if let error = attribute.errors[.read] { return [.refusal(request: request, error: error)] }
            return [.value(request: request, value: attribute.value)]
        case .write(let request, let number, let value):
            guard let attribute = attributes[number] else { return [.refusal(request: request, error: .invalidHandle)] }
            if let error = attribute.errors[.write] { return [.refusal(request: request, error: error)] }
            write(value, to: number, .request)
            return [.done(request: request)]
        case .command(let number, let value):
            write(value, to: number, .command)
            return []
        case .subscribe(let request, let number, let isOn):
            guard let attribute = attributes[number] else { return [.refusal(request: request, error: .invalidHandle)] }
            if isOn, let error = attribute.errors[.subscribe] { return [.refusal(request: request, error: error)] }
            if isOn, attribute.subscriptions.current == 0 { attributes[number]?.subscriptions.total += 1 }
            attributes[number]?.subscriptions.current = isOn ? 1 : 0
            let greeting = isOn ? attribute.greeting.map { Message.notification(attribute: number, value: $0) } : nil
            return [greeting, .done(request: request)].compactMap { $0 }
        default:
            return []
        }
    }

    private mutating func write(_ value: Bytes, to number: UInt32, _ kind: PeerWrite.Kind) {
        attributes[number]?.value = value
        attributes[number]?.writes.append(PeerWrite(value, kind: kind))
    }
}
