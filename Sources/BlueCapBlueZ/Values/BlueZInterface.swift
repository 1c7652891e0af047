// SPDX-License-Identifier: MIT

#if BlueZ && os(Linux)
package enum BlueZInterface {
    package static let adapter = "org.bluez.Adapter1"
    package static let device = "org.bluez.Device1"
    package static let service = "org.bluez.GattService1"
    package static let characteristic = "org.bluez.GattCharacteristic1"
    package static let descriptor = "org.bluez.GattDescriptor1"
    package static let battery = "org.bluez.Battery1"
    package static let advertisingManager = "org.bluez.LEAdvertisingManager1"
    package static let gattManager = "org.bluez.GattManager1"
    package static let agentManager = "org.bluez.AgentManager1"
    package static let agent = "org.bluez.Agent1"
    package static let advertisement = "org.bluez.LEAdvertisement1"
    package static let advertisementMonitorManager = "org.bluez.AdvertisementMonitorManager1"
    package static let advertisementMonitor = "org.bluez.AdvertisementMonitor1"
}
#endif
