"""Who plays the pieces of a tournament: threads or processes of this machine, or a cluster."""

import joblib
from joblib.externals.loky import get_reusable_executor

from agents.hosting import close_hosts

_HOW_TO = "pip install 'kibitz[cluster]'"


class Local:
    """The machine that we are on.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament
        Compiled agents play in threads, as they hold no lock; those written in Python in processes.
    n_jobs : int
        As joblib counts them.
    """

    def __init__(self, plan, n_jobs):
        self._plan, self._n_jobs = plan, n_jobs

    def get_ready(self):
        """Compile before any worker starts: workers find the code on disk."""
        self._plan.warm_up()

    def parallel(self, num_pieces):
        """Return what hands out some pieces.

        Parameters
        ----------
        num_pieces : int

        Returns
        -------
        joblib.Parallel
        """
        backend = "threading" if self._plan.is_compiled else "loky"
        num_workers = min(self._n_jobs, num_pieces) if self._n_jobs > 0 else self._n_jobs
        return joblib.Parallel(num_workers, backend=backend, return_as="generator_unordered")

    def close(self):
        """End the worker processes, and with them those of the agents."""
        close_hosts(self._plan.token)
        if not self._plan.is_compiled and self._n_jobs != 1:
            get_reusable_executor().shutdown(wait=True)


class Cluster:
    """A cluster of dask.distributed, through joblib. What a lost worker had is played by another.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament
    scheduler : str
        Its address.

    Raises
    ------
    ValueError
        When dask.distributed is not installed, or nobody answers there.
    """

    def __init__(self, plan, scheduler):
        self._plan = plan
        try:
            from distributed import Client
        except ImportError:
            raise ValueError(f"a cluster needs dask.distributed: {_HOW_TO}") from None
        try:
            self._client = Client(scheduler, timeout=10, set_as_default=False)
        except (OSError, ValueError, TypeError) as error:
            raise ValueError(f"no scheduler answers at {scheduler!r}: {error}") from error

    def get_ready(self):
        """Nothing: every worker compiles what it plays, or has it on its disk."""

    def parallel(self, num_pieces):
        """Return what hands out some pieces; as `Local.parallel` for `num_pieces`."""
        with joblib.parallel_config(backend="dask", client=self._client):
            return joblib.Parallel(-1, batch_size=1, return_as="generator_unordered")

    def close(self):
        """End the processes of the agents, and leave the cluster to others."""
        self._client.run(close_hosts, self._plan.token)
        self._client.close()
