"""Nodes of a CGNS file in HDF5, written with h5py: files of known content for tests."""
import h5py
import numpy as np


def root(path):
    """A new file, the caller's to close."""
    file = h5py.File(path, "w")
    file.attrs.create("label", np.bytes_("Root Node of HDF5 File"), dtype="S33")
    return file


def node(parent, name, label, kind="MT", data=None):
    group = parent.create_group(name)
    for key, value, size in (("name", name, 33), ("label", label, 33), ("type", kind, 3)):
        group.attrs.create(key, np.bytes_(value), dtype=f"S{size}")
    if data is not None:
        group.create_dataset(" data", data=data)
    return group


def characters(text):
    """Data of a node of type C1."""
    return np.frombuffer(text.encode(), np.int8)
