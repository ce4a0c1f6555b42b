"""Runs of the same tournament with other seeds, as one."""

import datetime
import json
from pathlib import Path

import numpy as np
import pandas as pd

from experiments import store

_OWN = ("seed", "blocks")  # what runs that belong together need not have in common


def merge(out, runs):
    """Join finished runs of one tournament that were played from different seeds.

    Parameters
    ----------
    out : str or Path
        A new folder for the results and a manifest that holds those of all runs.
    runs : sequence of str or Path
        Folders, two or more.

    Returns
    -------
    pd.DataFrame
        The results of all, as `experiments.tournament` returns them; blocks and matches are
        numbered on from run to run.

    Raises
    ------
    ValueError
        For a folder that holds no finished run, runs of other tournaments, runs that share a
        block, runs that may have ended early (their number of blocks says something of their
        results, so that no interval would hold), and an `out` that is there already.
    """
    runs = [Path(run) for run in runs]
    if len(runs) < 2:
        raise ValueError(f"{len(runs)} runs cannot be merged; accepted: two and more")
    out = Path(out)
    if out.exists():
        raise ValueError(f"{out} is there already; name a new folder")
    manifests = [store.read_manifest(run, store.Run) for run in runs]
    first = manifests[0]
    for run, manifest in zip(runs, manifests, strict=True):
        if manifest["until"] is not None or manifest["precision"] is not None:
            raise ValueError(
                f"{run} may have ended early; only runs of all their blocks are merged"
            )
        if "merged" in manifest:
            raise ValueError(f"{run} is merged itself; name the runs it was merged from")
        different = [
            key for key in store.Run.identity if key not in _OWN and manifest[key] != first[key]
        ]
        if different:
            raise ValueError(
                f"{run} is not the tournament of {runs[0]}; different: {', '.join(different)}"
            )
    tables = [store.load_results(run) for run in runs]
    seen = {}
    blocks = matches = 0
    for run, manifest, table in zip(runs, manifests, tables, strict=True):
        keys = set(map(tuple, table[["rules_hash", "seed"]].drop_duplicates().astype(str).values))
        for other, others in seen.items():
            if keys & others:
                raise ValueError(f"{run} and {other} hold the same blocks; accepted: other seeds")
        seen[run] = keys
        table["block"] = (table.block + blocks).astype(np.int32)
        table["match"] = (table.match + matches).astype(np.int32)
        blocks += manifest["blocks"]
        matches += manifest["matches"]
    merged = pd.concat(tables, ignore_index=True)
    manifest = first | {
        "seed": None,
        "blocks": blocks,
        "matches": matches,
        "versions": store.versions(),
        "machine": store.machine(),
        "started": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "merged": manifests,
    }
    with store.Run(out, json.loads(json.dumps(manifest))) as run:
        run.finish(merged)
    return merged
