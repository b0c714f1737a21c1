"""The commands of `groundswell talos`."""
