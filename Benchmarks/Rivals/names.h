// SPDX-License-Identifier: MIT

// What the peer is called and where its things are; see ../Bluetoothd/objects.h.
#pragma once

#define BLUEZ "org.bluez"
#define ADAPTER "/org/bluez/hci0"
#define ADAPTER_INTERFACE "org.bluez.Adapter1"
#define DEVICE_INTERFACE "org.bluez.Device1"
#define CHARACTERISTIC_INTERFACE "org.bluez.GattCharacteristic1"
#define PROPERTIES "org.freedesktop.DBus.Properties"
#define CHARACTERISTIC_FORMAT ADAPTER "/dev_C0_DE_00_00_00_01/service0010/char%04x"
#define CHARACTERISTIC ADAPTER "/dev_C0_DE_00_00_00_01/service0010/char0011"
#define RULE "type='signal',sender='" BLUEZ "',interface='" PROPERTIES "',member='PropertiesChanged'"
