// SPDX-License-Identifier: MIT

// What the peer has: one adapter, a device with services to connect to, and as many others as are asked for.
#pragma once
#include "wire.h"

#define BLUEZ "org.bluez"
#define ADAPTER "/org/bluez/hci0"
#define DEVICE_INTERFACE "org.bluez.Device1"
#define CHARACTERISTIC_INTERFACE "org.bluez.GattCharacteristic1"
// The device that is called Target, and its first characteristic.
#define TARGET ADAPTER "/dev_C0_DE_00_00_00_01"
#define CHARACTERISTIC TARGET "/service0010/char0011"

enum { CHARACTERISTICS = 64, VALUE = 20 };

// The path of one of the other devices; the text is overwritten by the next call.
const char *device_path(int index);
// Adds the one argument of an answer to GetManagedObjects.
void write_objects(Wire *wire, int devices);
