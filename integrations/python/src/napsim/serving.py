"""Serves a predictor to napsim."""

from __future__ import annotations

import os
from collections.abc import Callable

from napsim.pipes import serve_pipes
from napsim.predictor import Predictor
from napsim.service import SESSIONS_MAX, Service


def serve(
    predictor: Predictor | Callable[[], Predictor],
    *,
    http: tuple[str, int] | None = None,
    sessions_max: int = SESSIONS_MAX,
    parallel: bool = False,
) -> None:
    """Answers napsim until it says good-bye: over standard input and output, or as a service over HTTP.

    While it serves over standard input and output these are for messages alone: ``print`` and everything else that
    prints goes to standard error, ``input()`` finds the end. They stay so when it returns. What a program prints before
    it serves is not kept away from napsim; ``python -m napsim MODULE:NAME`` does that, too.

    :param predictor: a predictor, or what makes one: a class or a function. Over HTTP several trajectories may be
        under way at once, so there it has to be what makes one, and each trajectory gets its own. What is big, such as
        the weights of a model, should be loaded before and be shared.
    :param http: host and port to listen on, such as ``("127.0.0.1", 8000)`` or ``("::1", 8000)``; port 0 for any that
        is free. The address is printed on standard error. Where ``NAPSIM_PREDICTOR_TOKEN`` is set, only requests that
        carry it are answered.
    :param sessions_max: most trajectories under way at once over HTTP; of more, the one not heard of for longest is
        forgotten.
    :param parallel: whether predictors may be asked at the same time, each from a thread of its own, over HTTP.
    :raises TypeError: if the predictor is neither, or a single one is to be served over HTTP.
    :raises OSError: if the address cannot be listened on.
    :raises SystemExit: if the predictor ends the program, or is interrupted within a call.
    """
    if not isinstance(predictor, Predictor) and not callable(predictor):
        raise TypeError(f"serve takes a Predictor or what makes one, not {type(predictor).__name__}")
    if http is None:
        serve_pipes(lambda: _made(predictor))
        return
    if isinstance(predictor, Predictor):
        raise TypeError(
            "over HTTP several trajectories may be under way at once: serve a class or a function that makes predictors"
        )
    token = os.environ.get("NAPSIM_PREDICTOR_TOKEN") or None
    service = Service(lambda: _made(predictor), http, sessions_max=sessions_max, parallel=parallel, token=token)
    service.run()


def _made(predictor: Predictor | Callable[[], Predictor]) -> Predictor:
    if isinstance(predictor, Predictor):
        return predictor
    made = predictor()
    if not isinstance(made, Predictor):
        raise TypeError(f"what makes predictors made a {type(made).__name__}")
    return made
