"""The version of this package and of the protocol that it speaks."""

from __future__ import annotations

__version__ = "0.1.0"

PROTOCOL = "napsim-predictor/1"
