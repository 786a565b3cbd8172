"""Annulus in Python: meshes, snapshots and runs of the flow solver."""
