"""An evaluation while it runs: its progress, and now and then its result so far."""

import time
from collections.abc import Callable

from sandbox.evaluation.runs.read import evaluations
from sandbox.files.storage import Store
from sandbox.progress import Progress
from sandbox.ui.evaluate.session import EvaluateSession
from sandbox.ui.evaluate.tab import EvaluateTab
from sandbox.ui.parts.progress import progress_html, sentence_html
from sandbox.ui.parts.wiring import Updates

REDRAW_SECONDS = 2.0
"""The result so far is read and drawn at most this often, and in a twentieth of the time."""

KEEP_OPEN = sentence_html("keep this page open; if it is closed, Resume goes on from there")


class Running:
    """One evaluation from its start to its end."""

    def __init__(
        self,
        store: Store,
        session: EvaluateSession,
        tab: EvaluateTab,
        redraw: Callable[[EvaluateSession], Updates],
        warnings: str,
    ) -> None:
        """Watch what is begun from now on; `redraw` draws the result so far, `warnings` is HTML."""
        self._store = store
        self._session = session
        self._tab = tab
        self._redraw = redraw
        self._warnings = warnings
        self._known = {one.id for one in evaluations(store)}
        self._own = ""
        self._next_drawing = time.monotonic() + REDRAW_SECONDS

    def draw(self, progress: Progress) -> Updates:
        """How far it is; with the result so far where that is due."""
        updates: Updates = {
            self._tab.progress: f"{progress_html(progress)}{self._warnings}{KEEP_OPEN}"
        }
        measuring = progress.stage in ("answer", "score")
        if measuring and time.monotonic() >= self._next_drawing:
            started = time.monotonic()
            self.find()
            updates |= self._redraw(self._session)
            taken = time.monotonic() - started
            self._next_drawing = started + max(REDRAW_SECONDS, 20 * taken)
        return updates

    def find(self) -> None:
        """Show the evaluation that was begun; a resumed one is shown already."""
        if not self._own:
            found = evaluations(self._store)
            new = next((one for one in found if one.id not in self._known), None)
            if new is not None:
                self._own = new.id
                self._session.show(new)
                return
        self._session.show(self._session.evaluation)
