"""Checks of a test program in Python: they are counted, and `finish` ends the program with the result."""
import sys

failed = 0


def check(good, what):
    """Prints and counts a check that failed."""
    global failed
    if not good:
        failed += 1
        print("FAULT: " + what)


def finish():
    print(f"{failed} faults")
    sys.exit(1 if failed else 0)
