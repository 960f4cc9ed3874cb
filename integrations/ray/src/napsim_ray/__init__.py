"""Spread an experiment of napsim over a Ray cluster."""

from napsim_ray.driver import Progress, sweep
from napsim_ray.program import Experiment, Interrupted, NapsimError, Unit

__all__ = ["Experiment", "Interrupted", "NapsimError", "Progress", "Unit", "sweep"]
