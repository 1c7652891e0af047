// SPDX-License-Identifier: MIT

import BlueCapCore
import BlueCapSerDe

/// The part of a peer's database that a central's stack has found; it outlives the link, as stacks keep it.
final class DatabaseView {
    /// A range of handles that may be empty.
    struct HandleRange {
        var first: UInt16
        var last: UInt16

        var isEmpty: Bool { first > last }
    }

    /// Which version of the peer's database this is a view of.
    var version: Int
    private var services: [UInt16: ServiceEntry] = [:]
    private var characteristics: [UInt16: (entry: CharacteristicEntry, descriptors: HandleRange)] = [:]
    private var descriptors: [UInt16: [InformationEntry]] = [:]
    private var configurations: Set<UInt16> = []

    init(version: Int) { self.version = version }

    /// Whether anything was found yet.
    var isEmpty: Bool { services.isEmpty }

    /// Forgets the attributes that the peer's database no longer has.
    ///
    /// - Returns: The services that are gone or different.
    func update(from table: AttributeTable, version: Int) -> [UInt16] {
        self.version = version
        let gone = services.values.filter { entry in
            guard case .service(let current)? = table[entry.start]?.kind else { return true }
            return current.end != entry.end || current.uuid != entry.uuid
        }
        forget(gone.map { $0.start...$0.end })
        return gone.map(\.start).sorted()
    }

    private func forget(_ ranges: [ClosedRange<UInt16>]) {
        func isGone(_ handle: UInt16) -> Bool { ranges.contains { $0.contains(handle) } }
        services = services.filter { !isGone($0.key) }
        characteristics = characteristics.filter { !isGone($0.key) }
        descriptors = descriptors.filter { !isGone($0.key) }
        configurations = configurations.filter { !isGone($0) }
    }

    // MARK: Adding found attributes

    func add(_ result: Result<[ServiceEntry], ATTError>) {
        guard case .success(let entries) = result else { return }
        for entry in entries { services[entry.start] = entry }
    }

    func add(_ result: Result<[CharacteristicEntry], ATTError>, in range: ClosedRange<UInt16>) {
        guard case .success(let entries) = result else { return }
        for (index, entry) in entries.enumerated() {
            let last = index + 1 < entries.count ? entries[index + 1].declaration - 1 : range.upperBound
            let first = entry.value == .max ? entry.value : entry.value + 1
            characteristics[entry.value] = (entry, HandleRange(first: first, last: last))
        }
    }

    func add(_ result: Result<[InformationEntry], ATTError>, of characteristic: AttributeID) {
        guard case .success(let entries) = result else { return }
        descriptors[characteristic.handle] = entries
        for entry in entries where entry.uuid == .clientConfiguration { configurations.insert(entry.handle) }
    }

    // MARK: Looking up

    func service(_ id: AttributeID) -> ClosedRange<UInt16>? { services[id.handle].map { $0.start...$0.end } }

    func characteristic(_ id: AttributeID) -> HandleRange? { characteristics[id.handle]?.descriptors }

    func properties(_ id: AttributeID) -> CharacteristicProperties? { characteristics[id.handle]?.entry.properties }

    func descriptors(_ id: AttributeID) -> [InformationEntry]? { descriptors[id.handle] }

    func isConfiguration(_ id: AttributeID) -> Bool { configurations.contains(id.handle) }
}
