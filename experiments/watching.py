"""How a tournament stands while it is played."""

import time

import pandas as pd


class Standing:
    """Adds up what has been played.

    Attributes
    ----------
    matches : int
    """

    def __init__(self):
        self.matches = 0
        self._sums = None

    def add(self, results):
        """Take the rows of some more blocks.

        Parameters
        ----------
        results : pd.DataFrame
            As `experiments.tournament` returns them.
        """
        sums = results.groupby("agent", observed=True)[["utility", "score"]].sum()
        sums["seats"] = results.agent.value_counts()
        self._sums = sums if self._sums is None else self._sums.add(sums, fill_value=0)
        self.matches += results.match.nunique()

    def table(self):
        """Return the win share so far.

        Returns
        -------
        pd.DataFrame
            ``agent, win_share, score, seats``, the best first; see `experiments.win_shares` for
            intervals, when all is played.
        """
        if self._sums is None:
            return pd.DataFrame(columns=["agent", "win_share", "score", "seats"])
        seats = self._sums.seats
        table = pd.DataFrame(
            {
                "win_share": self._sums.utility / seats,
                "score": self._sums.score / seats,
                "seats": seats.astype(int),
            }
        )
        table = table.rename_axis("agent").reset_index().astype({"agent": object})
        return table.sort_values("win_share", ascending=False, kind="stable", ignore_index=True)


class LiveTable:
    """The standings of a tournament in a notebook, renewed while it is played.

    Parameters
    ----------
    every : float, default: 1.0
        Seconds between two looks.

    Examples
    --------
    >>> import experiments as ex
    >>> live = LiveTable(every=0)
    >>> results = ex.tournament("connect_four", ["random", "greedy"], blocks=4, progress=live)
    ... # doctest: +SKIP
    """

    def __init__(self, every=1.0):
        self._standing = Standing()
        self._every, self._shown_at, self._display = every, None, None
        self._started = time.monotonic()

    def add(self, results):
        """Take the rows of some more blocks; see `Standing.add` for `results`."""
        self._standing.add(results)

    def __call__(self, num_matches):
        """Show how it stands after so many matches.

        Parameters
        ----------
        num_matches : int
        """
        from IPython.display import HTML, display  # comes with every notebook

        now = time.monotonic()
        if self._shown_at is not None and now < self._shown_at + self._every:
            return
        self._shown_at = now
        speed = self._standing.matches / max(now - self._started, 1e-9)
        table = self._standing.table().to_html(
            index=False,
            formatters={"win_share": "{:.1%}".format, "score": "{:.1f}".format},
        )
        shown = HTML(f"{num_matches:,} matches, {speed:,.0f} a second{table}")
        if self._display is None:
            self._display = display(shown, display_id=True)
        else:
            self._display.update(shown)
