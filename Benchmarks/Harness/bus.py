# SPDX-License-Identifier: MIT

"""A private message bus, the peer on it, and clients that are run against both."""

import json
import os
import subprocess
import sys
import tempfile
import threading

CONFIGURATION = """<!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
 "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig>
  <listen>unix:path={folder}/bus</listen>
  <auth>EXTERNAL</auth>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/>
    <allow eavesdrop="true"/>
    <allow own="*"/>
  </policy>
  <!-- A client that is slow may let everything wait: nothing is lost, and the peer is not held up. -->
  <limit name="max_incoming_bytes">1000000000</limit>
  <limit name="max_outgoing_bytes">1000000000</limit>
  <limit name="max_message_size">134217728</limit>
</busconfig>
"""


class Failure(Exception):
    pass


class Bus:
    """A dbus-daemon of its own, as long as the context lasts."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory(prefix="pipeline-")
        file = os.path.join(self.folder.name, "bus.conf")
        with open(file, "w", encoding="ascii") as configuration:
            configuration.write(CONFIGURATION.format(folder=self.folder.name))
        self.address = f"unix:path={self.folder.name}/bus"
        log = os.path.join(self.folder.name, "bus.log")
        with open(log, "wb") as errors:
            self.daemon = subprocess.Popen(
                ["dbus-daemon", "--nofork", "--nopidfile", "--nosyslog", f"--config-file={file}", "--print-address"],
                stdout=subprocess.PIPE, stderr=errors)
        if not self.daemon.stdout.readline():
            with open(log, encoding="utf-8") as errors:
                raise Failure(f"dbus-daemon did not start: {errors.read()}")
        return self

    def __exit__(self, *_):
        self.daemon.terminate()
        self.daemon.wait()
        self.folder.cleanup()

    def run(self, peer, client, devices, traffic, limit, environment=None):
        """Runs a client against a new peer, and returns the figures that it printed.

        Every word that the client prints makes the peer do what `traffic` has for it.
        """
        bluetoothd = subprocess.Popen(
            [peer, self.address, str(devices)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            if bluetoothd.stdout.readline() != "ready\n":
                raise Failure("the peer did not start")
            return self.converse(bluetoothd, client, traffic, limit, environment or {})
        finally:
            bluetoothd.stdin.close()
            bluetoothd.wait()

    def converse(self, bluetoothd, client, traffic, limit, environment):
        variables = {**os.environ, **environment, "DBUS_SYSTEM_BUS_ADDRESS": self.address}
        process = subprocess.Popen(client, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL, text=True, env=variables)
        timer = threading.Timer(limit, process.kill)
        timer.start()
        figures = None
        try:
            for line in process.stdout:
                line = line.strip()
                if line.startswith("{"):
                    figures = json.loads(line)
                elif line in traffic:
                    print(traffic[line], file=bluetoothd.stdin, flush=True)
            # At the end of its output it ends, too.
            process.wait()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
        if figures is None:
            raise Failure(f"status {process.returncode} and no figures (limit {limit:g} s) from {' '.join(client)}")
        if figures.get("wrong"):
            raise Failure(f"{figures['wrong']} wrong of {figures['count']}: {' '.join(client)}")
        return figures
