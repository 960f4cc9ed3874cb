"""Have a next-action predictor for spreadsheets measured by napsim.

Subclass :class:`Predictor`, hand it to :func:`serve`, and run::

    napsim run --predictor 'exec:python3 my_predictor.py'
"""

from napsim.action import Action, Area, column_letters, column_number
from napsim.answer import Answer, PredictorError, Suggestion, Usage
from napsim.fingerprint import fingerprint_of
from napsim.predictor import Call, Predictor
from napsim.serving import serve
from napsim.version import __version__

__all__ = [
    "Action",
    "Answer",
    "Area",
    "Call",
    "Predictor",
    "PredictorError",
    "Suggestion",
    "Usage",
    "__version__",
    "column_letters",
    "column_number",
    "fingerprint_of",
    "serve",
]
