"""Machines that run Talos, through `talosctl`, and the Image Factory: the parts of the node layer that ask and act."""
