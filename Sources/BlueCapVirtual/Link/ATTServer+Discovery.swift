// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

extension ATTServer {
    /// Answers a discovery request with as many entries as one packet holds; all in one packet have UUIDs of one size.
    func discover(_ request: ATTRequest, room: Int) -> ATTResult {
        switch request {
        case .readServices(let first):
            let entries = table.attributes(from: first, to: .max).compactMap { attribute -> ServiceEntry? in
                if case .service(let entry) = attribute.kind, entry.isPrimary { return entry }
                return nil
            }
            return answer(entries, room: room, size: { 4 + $0.uuid.packetSize }, ATTResponse.services)
        case .readIncludes(let first, let last):
            let entries = table.attributes(from: first, to: last).compactMap { attribute -> IncludeEntry? in
                if case .include(let entry) = attribute.kind { return entry }
                return nil
            }
            return answer(entries, room: room, size: { $0.service.uuid.uint16 == nil ? 6 : 8 }, ATTResponse.includes)
        case .readCharacteristics(let first, let last):
            let entries = table.attributes(from: first, to: last).compactMap { attribute -> CharacteristicEntry? in
                if case .declaration(let entry) = attribute.kind { return entry }
                return nil
            }
            return answer(entries, room: room, size: { 5 + $0.uuid.packetSize }, ATTResponse.characteristics)
        case .findInformation(let first, let last):
            let entries = table.attributes(from: first, to: last).map {
                InformationEntry(handle: $0.handle, uuid: $0.uuid)
            }
            return answer(entries, room: room, size: { 2 + $0.uuid.packetSize }, ATTResponse.information)
        default:
            return .failure(.requestNotSupported)
        }
    }

    private func answer<Entry>(
        _ entries: [Entry], room: Int, size: (Entry) -> Int, _ response: ([Entry]) -> ATTResponse
    ) -> ATTResult {
        guard let first = entries.first else { return .failure(.attributeNotFound) }
        let length = size(first)
        let fitting = entries.prefix { size($0) == length }.prefix(max(1, room / length))
        return .success(response(Array(fitting)))
    }
}
