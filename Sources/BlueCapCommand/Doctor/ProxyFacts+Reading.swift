// SPDX-License-Identifier: MIT

#if ESPHome && os(Linux)
import BlueCapESPHome
import BlueCapLoop
import BlueCapPlatform

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension ProxyFacts {
    /// Reads the facts of this machine. No key is made, and nothing of one is kept.
    static func read(key file: String, address: String?, port number: UInt16) -> ProxyFacts {
        var facts = ProxyFacts(file: file)
        (facts.key, facts.address, facts.number) = (key(file), address, number)
        facts.port = port(address, number)
        facts.hasAvahi = FileManager.default.fileExists(atPath: "/run/avahi-daemon/socket")
        return facts
    }

    private static func key(_ path: String) -> Key {
        let manager = FileManager.default
        guard manager.fileExists(atPath: path) else {
            let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
            return manager.isWritableFile(atPath: folder) ? .absent : .fault("\(folder): no file can be made there")
        }
        do throws(NoiseKeyFile.Fault) { _ = try NoiseKeyFile(path).open() } catch { return .fault("\(error)") }
        let mode = (try? manager.attributesOfItem(atPath: path))?[.posixPermissions] as? Int
        return (mode ?? 0) & 0o077 == 0 ? .good : .shared
    }

    private static func port(_ address: String?, _ number: UInt16) -> Port {
        do throws(LoopError) {
            _ = try ListeningSocket(host: address ?? "::", port: number)
            return .free
        } catch {
            switch error.errno {
            case EADDRINUSE: return .taken
            case EACCES: return .reserved
            case EADDRNOTAVAIL: return .noAddress
            // A machine without IPv6, of which the proxy takes IPv4.
            case EAFNOSUPPORT where address == nil: return port("0.0.0.0", number)
            default: return .failed(errno: error.errno)
            }
        }
    }
}
#endif
