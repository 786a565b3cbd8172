"""What goes wrong because of what the user gave."""


class InputError(Exception):
    """What the user gave cannot be used; the text says why."""
