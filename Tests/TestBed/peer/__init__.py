# SPDX-License-Identifier: MIT

"""The far side of the test bed: simulated controllers, an air between them, and far devices that tests declare."""
