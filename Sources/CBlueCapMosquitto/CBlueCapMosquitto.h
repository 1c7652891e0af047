// SPDX-License-Identifier: MIT

// libmosquitto by its own header, from the package libmosquitto-dev (Debian, Ubuntu) or mosquitto-devel (Fedora).
#include <mosquitto.h>
#include <mqtt_protocol.h>
