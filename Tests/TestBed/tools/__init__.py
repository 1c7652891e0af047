# SPDX-License-Identifier: MIT

"""Programs that run inside the bed: the proof of the peer's commands, and the recorder of D-Bus traces."""
