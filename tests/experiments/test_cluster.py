"""The same tournament on a cluster: a real one, of two processes, one of which is killed."""

import psutil
import pytest
from distributed import LocalCluster

import experiments as ex


class Plays:
    def choose(self, view, legal, rng):
        return rng.choice(legal)


@pytest.fixture(scope="module")
def cluster():
    with LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None
    ) as cluster:
        yield cluster


def without_times(table):
    return table.drop(columns="seconds")


@pytest.mark.compiled_only
@pytest.mark.parametrize("agents", [["random", "greedy", "mcts:simulations=50"], ["random", Plays]])
def test_a_cluster_plays_what_this_machine_plays(cluster, tmp_path, agents):
    arguments = ("connect_four", agents)
    how = {"blocks": 30, "seed": 4}
    expected = ex.tournament(*arguments, **how)
    there = ex.tournament(
        *arguments, **how, scheduler=cluster.scheduler_address, out=tmp_path / "run"
    )
    assert without_times(there).equals(without_times(expected))
    assert ex.load_results(tmp_path / "run").equals(there)


@pytest.mark.compiled_only
def test_a_worker_that_is_killed_costs_only_time(cluster):
    arguments = ("connect_four", ["random", "mcts:simulations=2000"])
    how = {"blocks": 24, "seed": 5}
    expected = ex.tournament(*arguments, **how)
    killed = []

    def kill_a_worker(num_matches):
        if num_matches > 8 and not killed:
            workers = [
                process
                for process in psutil.Process().children(recursive=True)
                if process.status() != psutil.STATUS_ZOMBIE
                and "multiprocessing.spawn" in " ".join(process.cmdline())
            ]
            killed.append(workers[0].pid)
            workers[0].kill()

    there = ex.tournament(
        *arguments, **how, scheduler=cluster.scheduler_address, progress=kill_a_worker
    )
    assert killed
    assert without_times(there).equals(without_times(expected))


def test_no_scheduler_is_said():
    with pytest.raises(ValueError, match="no scheduler answers at 'tcp://127.0.0.1:9'"):
        ex.tournament("connect_four", ["random"], blocks=1, scheduler="tcp://127.0.0.1:9")
