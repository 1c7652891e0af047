#if BlueZ && os(Linux)
import BlueCapCore
import BlueCapSerDe
import DBus

// Reading, and telling a read's own echo from a notification.
extension BlueZCentralBackend {
    func read(_ request: BackendRequest, _ attribute: AttributeID, _ link: Link) {
        if attribute == Battery.characteristicID { return readBattery(request, link) }
        guard let path = path(of: attribute, on: link), let interface = valueInterface(path) else {
            return failUnknown(request, attribute)
        }
        let start = clock.elapsed
        link.reads[attribute] = .some(nil)
        // The daemon itself reads a long value in parts.
        call(path, interface, "ReadValue", [.properties([:])], on: link) { me, link, result in
            me.readReplied(request, attribute, link, result, start)
        }
    }

    private func readReplied(
        _ request: BackendRequest, _ attribute: AttributeID, _ link: Link, _ result: Result<Message, DBusError>,
        _ start: Duration
    ) {
        let held = link.reads.removeValue(forKey: attribute) ?? nil
        do throws(DBusError) {
            let value = Bytes(try result.get().body(expecting: "ay").first?.bytesValue ?? [])
            // What is equal is the read's own echo. Everything before it was a notification and has been told.
            if let held, held != value { notify(held, attribute, link) }
            finish(request, .success(.value(value)))
        } catch {
            if let held { notify(held, attribute, link) }
            fail(request, error, on: link, since: start)
        }
    }

    func valueInterface(_ path: String) -> String? {
        if properties(path, BlueZInterface.characteristic) != nil { return BlueZInterface.characteristic }
        return properties(path, BlueZInterface.descriptor) == nil ? nil : BlueZInterface.descriptor
    }

    /// `Value` changes by notifications and by anyone's reads. BlueZ signals the value of a read just before it answers
    /// it, so at most the last value before the answer is an echo; it is held until the next value or the answer.
    func valueChanged(_ path: String, _ value: Bytes, _ link: Link) {
        guard let handle = BlueZPath.attribute(of: path) else { return }
        let attribute = AttributeID(handle: handle)
        guard case .standard = link.subscriptions[attribute] else { return ignoredValueCount += 1 }
        guard let held = link.reads[attribute] else { return notify(value, attribute, link) }
        if let held { notify(held, attribute, link) }
        link.reads[attribute] = .some(value)
    }

    private func notify(_ value: Bytes, _ attribute: AttributeID, _ link: Link) {
        emit(.valueChanged(link.id, attribute, value))
    }
}
#endif
