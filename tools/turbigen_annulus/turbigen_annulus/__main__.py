"""turbigen with the solver `annulus`."""
import sys

from .solver import main

sys.exit(main())
