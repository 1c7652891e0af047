import BlueCapCore

extension BLESIGGATTProfiles {
    /// The services for sensing, moving and control.
    static var sensing: [ServiceProfile] { [] }
}
