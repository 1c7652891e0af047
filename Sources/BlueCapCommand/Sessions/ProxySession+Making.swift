// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCap
import BlueCapESPHome

extension ProxySession {
    /// Takes the key of a file, which is made where there is none.
    ///
    /// - Throws: ``CommandFailure`` with ``ToolStatus/usage`` where there is no key in it.
    mutating func take(_ file: NoiseKeyFile) throws(CommandFailure) {
        do throws(NoiseKeyFile.Fault) {
            let (key, isNew) = try file.open()
            (self.key, newKey) = (key, isNew ? file.path : nil)
        } catch {
            throw CommandFailure(.usage, "\(error)")
        }
    }
}

extension ProxyIdentity {
    /// A proxy of this machine, whose addresses are the same in each run.
    ///
    /// - Parameter name: Nil for that of the machine.
    static func ofMachine(_ name: String?, _ options: RadioOptions) async -> ProxyIdentity {
        let name = name ?? Machine.name
        let text = "\(Machine.identity)/\(name)"
        return ProxyIdentity(
            name: name, address: localAddress(of: text),
            bluetoothAddress: await adapterAddress(options) ?? localAddress(of: text + "/radio"),
            version: ToolVersion.text)
    }

    /// The address of the adapter in use; nil where the platform does not tell.
    private static func adapterAddress(_ options: RadioOptions) async -> PeerIdentifier? {
        #if BlueZ
        if options.isVirtual { return nil }
        if case .shared = options.backend { return nil }
        let adapters = (try? await BlueZListener().adapters()) ?? []
        let chosen = options.adapter.map { word in
            adapters.first { $0.name == word || $0.address == word.uppercased() }
        }
        return (chosen ?? adapters.first { $0.isPowered } ?? adapters.first).map { PeerIdentifier($0.address) }
        #else
        return nil
        #endif
    }
}
#endif
