"""What tournaments, tunings, ladders and explanations look like in a terminal, with pictures."""

import itertools
import re
import time
from collections import Counter
from pathlib import Path

import joblib
from rich.console import Group
from rich.live import Live
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from agents.agent import with_parameters
from experiments import store, tuning
from experiments.explaining import explain
from experiments.ladders import ladder
from experiments.meetings import cycles
from experiments.merging import merge
from experiments.plans import load_players
from experiments.stats import match_length, score_by_seat, seat_effect, who_beats_whom, win_shares
from experiments.stopping import anytime
from experiments.tournaments import check_jobs, play_again, play_tournament, variant_in_words
from experiments.watching import Standing
from sim.match import MatchRecord

_PICTURE_WIDTH, _PICTURE_HEIGHT, _HEIGHT_PER_AGENT = 7.0, 2.0, 0.6  # inches
_LADDER_HEIGHT = 3.6
_DOTS_PER_INCH = 120
_MOST_REASONS = 5  # why matches were forfeited
_NUMBERS_WIDTH = 52  # of the columns beside the label
_FEW_DISTINCT = 0.9  # of the matches; below this share the repeats are pointed out


def play_and_report(plan, jobs, out, command, console, scheduler=None):
    """Play a tournament and print what it says.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament
    jobs : int
        Workers, as joblib counts them.
    out : Path or None
        Folder for the results; by default one below ``results`` named after the tournament.
    command : str
        What to type to get the same.
    console : rich.console.Console
    scheduler : str, optional
        Address of a cluster that plays instead of this machine.
    """
    check_jobs(jobs)
    folder = default_folder(plan) if out is None else out
    console.print(heading(plan), highlight=False, markup=False)
    if (folder / store.RESULTS).exists():
        console.print("played before: the results are read, nothing is played", highlight=False)
    results = _watched(play_tournament, plan, jobs, folder, console, scheduler=scheduler)
    names = _print_and_draw(results, plan, folder, console)
    places = {
        "results": f"{folder}/{store.RESULTS}",
        "pictures": _list_of(names, folder),
        "manifest": f"{folder}/{store.MANIFEST}",
        "command": command,
    }
    console.print()
    _print_places(places, console)


class _Watch:
    """A bar of matches with their number a second, the time left, and how the agents stand."""

    def __init__(self, plan, console):
        columns = (
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("matches · {task.fields[speed]:,.0f}/s ·"),
            TimeRemainingColumn(),
            TextColumn("left"),
        )
        self._standing, self._console, self._first = Standing(), console, None
        self._bar = Progress(*columns, console=console)
        self._task = self._bar.add_task("", total=plan.matches, speed=0.0)
        self._text = Text("", no_wrap=True, overflow="ellipsis")
        self._started = time.monotonic()
        self._live = Live(Group(self._bar, self._text), console=console, transient=True)

    def __enter__(self):
        if self._console.is_terminal:
            self._live.start()
        return self

    def __exit__(self, *error):
        self._live.stop()

    def add(self, results):
        self._standing.add(results)

    def __call__(self, num_matches):
        if self._first is None:  # what had been played before says nothing of the speed
            self._first = num_matches
        speed = (num_matches - self._first) / max(time.monotonic() - self._started, 1e-9)
        self._bar.update(self._task, completed=num_matches, speed=speed)
        shares = zip(*self._standing.table()[["agent", "win_share"]].values.T, strict=True)
        self._text.plain = " · ".join(f"{agent} {100 * share:.1f} %" for agent, share in shares)


def _watched(play, plan, jobs, folder, console, **how):
    """What comes of a plan, watched while somebody is there to see it."""
    with _Watch(plan, console) as watch:
        return play(plan, n_jobs=jobs, out=folder, progress=watch, **how)


def _print_places(places, console):
    width = max(map(len, places))
    for what, place in places.items():
        console.print(
            f"{what:{width}}  {place}", highlight=False, soft_wrap=True, markup=False, emoji=False
        )


def tune_and_report(plan, jobs, out, command, confirm, console):
    """Tune an agent and print what came out.

    Parameters
    ----------
    plan : experiments.tuning.Tuning
    jobs : int
        Workers, as joblib counts them.
    out : Path or None
        Folder for the results; by default one below ``results`` named after the tuning.
    command : str
        What to type to get the same.
    confirm : callable
        ``(agent) -> str``, what to type to play the confirmation of that agent again.
    console : rich.console.Console
    """
    check_jobs(jobs)
    folder = tuning.default_folder(plan) if out is None else out
    num_tuned = f"{len(plan.ranges)} parameter{'s' * (len(plan.ranges) > 1)}"
    console.print(
        f"{_game_in_words(plan.game)} · {num_tuned} · seed {plan.seed}\n"
        f"{plan.trials} trials x {plan.blocks} blocks x {plan.rotations} rotations · "
        f"then {plan.confirm_blocks} blocks each",
        highlight=False,
        markup=False,
    )
    opponent = "the agent as given" if plan.is_against_itself else plan.opponent.label
    _print_places({"given": plan.given.label, "opponent": opponent}, console)
    if (folder / tuning.GAIN).exists():
        console.print("played before: the results are read, nothing is played", highlight=False)
    found = _watched(tuning.run_tuning, plan, jobs, folder, console)
    print_tuned(found, console)
    places = {
        "tuned agent": found.agent,
        "trials": f"{folder}/{tuning.TRIALS}, {tuning.FINALISTS}",
        "tables": f"{folder}/{tuning.PARAMETERS}, {tuning.GAIN}",
        "manifest": f"{folder}/{store.MANIFEST}",
        "command": command,
        "confirm": confirm(found.agent),
    }
    console.print()
    _print_places(places, console)


def print_tuned(found, console):
    """Print the parameters that were found, and the gain with its intervals.

    Parameters
    ----------
    found : experiments.tuning.Tuned
    console : rich.console.Console
    """
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("parameter", overflow="fold")
    for header in ("given", "tuned", "tried"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in found.parameters.itertuples():
        given = "-" if row.given is None or row.given != row.given else f"{row.given:.6g}"
        tried = f"{row.low:.6g} to {row.high:.6g}"
        table.add_row(escape(row.name), given, f"{row.tuned:.6g}", tried)
    console.print()
    console.print(table, highlight=False)
    console.print()
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("confirmed on fresh seeds", overflow="fold")
    for header in ("came before", "95 % interval", "margin", "95 % interval"):
        table.add_column(header, justify="right", no_wrap=True)
    names = {found.opponent: "opponent", found.given: "given", found.agent: "tuned"}
    for (agent, opponent), rows in found.gain.groupby(["agent", "opponent"], sort=False):
        share, margin = rows.itertuples()
        table.add_row(
            f"{names[agent]} against {names[opponent]}",
            f"{100 * share.value:.1f} %",
            f"{100 * share.low:.1f} - {100 * share.high:.1f}",
            f"{margin.value:+.2f}",
            f"{margin.low:+.2f} to {margin.high:+.2f}",
        )
    console.print(table, highlight=False)
    first = found.gain.iloc[0]
    console.print(
        f"no gain would be 50 % and 0 · intervals over {first.blocks:,} blocks, "
        f"{first.matches:,} matches each",
        highlight=False,
    )
    console.print()
    console.print(_verdict_of_tuning(found), highlight=False)
    if found.trials[found.objective].nunique() == 1:
        console.print(
            "warning: all trials did equally well, so that the search had nothing to go by; an "
            "opponent of about the same strength says more",
            highlight=False,
        )


def _verdict_of_tuning(found):
    gain = found.gain[found.gain.measure == found.objective].iloc[0]
    nothing = {"share": "50 %", "margin": "a margin of 0"}[found.objective]
    if gain.low > gain.no_gain:
        return f"a gain: {nothing} lies below the interval"
    if gain.high < gain.no_gain:
        return f"no gain, but a loss: {nothing} lies above the interval; keep the agent as given"
    return (
        f"no gain is shown: {nothing} lies within the interval; keep the agent as given, or try "
        "more blocks or trials, or other ranges"
    )


def _game_in_words(game):
    changed = "".join(f", {name}={value}" for name, value in game.changed_options.items())
    changed += "".join(f", own {name}" for name in game.changed_components)
    return f"{game.name}{changed}, {game.players} players"


def default_folder(plan):
    """Return the folder of a tournament that names none: the first that is free or its own.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament

    Returns
    -------
    Path
    """
    numbers = "".join(f"-{n}p" for n in sorted({game.players for game in plan.games}))
    name = f"{plan.games[0].name}{numbers}-seed{plan.seed}"
    return store.free_folder("results", name, plan.manifest())


def heading(plan):
    """Return one line that says what is played.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament

    Returns
    -------
    str
    """
    first, *others = plan.games
    numbers = sorted({game.players for game in plan.games})
    words = _game_in_words(first).rpartition(", ")[0]
    if len({game.rules_hash for game in others if game.players == first.players}):
        words += " and other rules"
    line_ups = plan.schedule.line_ups
    sizes = {len(line_up.seatings) for line_up in line_ups}
    text = f"{words}, {' and '.join(map(str, numbers))} players · "
    text += f"{len(line_ups)} line-ups · " if len(line_ups) > 1 else ""
    if len(sizes) == 1:
        return text + f"{plan.blocks} blocks x {sizes.pop()} {plan.seats} · seed {plan.seed}"
    return text + f"{plan.blocks} blocks, {plan.matches} matches · seed {plan.seed}"


def print_schedule(plan, console):
    """Print who meets whom, a row for each line-up.

    Parameters
    ----------
    plan : experiments.tournaments.Tournament
    console : rich.console.Console
    """
    console.print(heading(plan), highlight=False, markup=False)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("line-up", overflow="fold")
    for header in ("players", "blocks", "seatings", "matches"):
        table.add_column(header, justify="right", no_wrap=True)
    is_one = len({variant_in_words(game) for game in plan.games}) == 1
    line_ups = plan.schedule.line_ups
    for line_up in line_ups:
        labels = "\n".join(plan.agents[i].label for i in line_up.seatings[0])
        variant = "" if is_one else f"{variant_in_words(plan.games[line_up.game])}:\n"
        blocks = plan.blocks // len(line_ups)
        numbers = (line_up.players, blocks, len(line_up.seatings), blocks * len(line_up.seatings))
        table.add_row(escape(variant + labels), *(f"{number:,}" for number in numbers))
    console.print(table, highlight=False)
    console.print(f"{plan.matches:,} matches in all · nothing was played", highlight=False)


def by_variant(results):
    """Return the results of each rule set and number of players.

    Parameters
    ----------
    results : pd.DataFrame

    Returns
    -------
    dict of str to pd.DataFrame
        By what tells them apart in words; nothing where there is only one.
    """
    names = [name for name in ("variant", "players") if results[name].nunique() > 1]
    if not names:
        return {"": results}
    found = {}
    for values, rows in results.groupby(names, observed=True, sort=False):
        pairs = zip(names, values, strict=True)
        words = [f"{value} players" if name == "players" else value for name, value in pairs]
        found[", ".join(words)] = rows
    return found


def print_standings(results, console):
    """Print win shares, scores, the seat effect, and how matches ended.

    Parameters
    ----------
    results : pd.DataFrame
        As `experiments.tournament` returns it.
    console : rich.console.Console
    """
    shares = win_shares(results)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("agent", overflow="fold")
    for header in ("win share", "95 % interval", "score", "rank", "matches"):
        table.add_column(header, justify="right", no_wrap=True)
    for row in shares.itertuples():
        table.add_row(
            escape(_label_for(row.agent, console.width)),
            f"{100 * row.win_share:.1f} %",
            f"{100 * row.low:.1f} - {100 * row.high:.1f}",
            f"{row.score:.1f}",
            f"{row.rank:.2f}",
            f"{row.matches:,}",
        )
    console.print(table, highlight=False)
    chance = f"fair share of a seat: {100 * shares.fair[0]:.1f} %"
    if shares.fair[0] == 1:
        chance = "alone one wins by reaching the goal of the game"
    console.print(f"{chance} · intervals over {shares.blocks.max():,} blocks", highlight=False)
    console.print("\nwin share of each seat", highlight=False)
    for row in seat_effect(results).itertuples():
        verdict = ""
        if not row.low <= row.fair <= row.high:
            verdict = "   less than fair" if row.high < row.fair else "   more than fair"
        console.print(
            f"  seat {row.seat}  {100 * row.win_share:5.1f} %   "
            f"{100 * row.low:.1f} - {100 * row.high:.1f}{verdict}",
            highlight=False,
        )
    turns, decisions = match_length(results).itertuples()
    console.print(
        f"\na match: {turns.mean:.1f} turns ({turns.low:.1f} - {turns.high:.1f}), "
        f"{decisions.mean:.1f} decisions ({decisions.low:.1f} - {decisions.high:.1f})",
        highlight=False,
    )
    for circle in cycles(results):
        console.print(
            f"\nwarning: these beat each other in a circle, which no ranking shows: "
            f"{', '.join(circle)}",
            highlight=False,
            markup=False,
        )
    console.print(how_matches_ended(results), highlight=False)
    for note, count in forfeit_reasons(results).items():
        console.print(f"  {count} x {note}", highlight=False, markup=False)


def print_anytime(found, plan, console):
    """Print what is decided, by intervals that may be looked at at any time, beside the plain ones.

    Parameters
    ----------
    found : pd.DataFrame
        As `anytime` returns it for all results, here of one rule set and number of players.
    plan : experiments.tournaments.Tournament
    console : rich.console.Console
    """
    of_pairs = plan.precision is None
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column("who beats whom" if of_pairs else "win share", overflow="fold")
    for header in ("share", "plain", "at any time", "verdict")[: 5 if of_pairs else 3]:
        table.add_column(header, justify="right", no_wrap=True)
    width = console.width // (2 if of_pairs else 1)
    for row in found.itertuples():
        names = [_label_for(name, width) for name in (row.agent, row.opponent) if name]
        cells = [
            f"{100 * row.share:.1f} %",
            f"{100 * row.plain_low:.1f} - {100 * row.plain_high:.1f}",
            f"{100 * row.anytime_low:.1f} - {100 * row.anytime_high:.1f}",
        ]
        table.add_row(escape("\n".join(names)), *cells, *([row.verdict] if of_pairs else []))
    console.print()
    console.print(table, highlight=False)
    limit = plan.blocks // len(plan.schedule.line_ups)
    console.print(
        f"after {found.rounds.iloc[0] if len(found) else 1:,} rounds, {limit:,} at most · plain "
        "intervals are too narrow where the results said when to end; those at any time are not",
        highlight=False,
    )


def _label_for(agent, width):
    """A long label on several lines where the terminal is narrow, broken at its commas."""
    label = str(agent)
    return label.replace(",", ",\n") if len(label) > width - _NUMBERS_WIDTH else label


def how_matches_ended(results):
    """Return a line that counts distinct, capped and forfeited matches.

    Parameters
    ----------
    results : pd.DataFrame

    Returns
    -------
    str
    """
    matches = results[results.seat == 1]
    ends = matches.end.value_counts()
    num_matches = len(matches)
    num_distinct = matches.fingerprint.nunique()
    played_out = matches[matches.end != "forfeit"]
    capped, forfeited = (int(ends.get(word, 0)) for word in ("capped", "forfeit"))
    text = (
        f"{num_matches:,} matches, {num_distinct:,} of them distinct, "
        f"{capped or 'none'} capped, {forfeited or 'none'} forfeited"
    )
    if played_out.fingerprint.nunique() < _FEW_DISTINCT * len(played_out):
        text += (
            "\nwarning: many matches repeat each other move by move; they say less than they seem"
        )
    return text


def forfeit_reasons(results):
    """Return why matches were forfeited, and how often.

    Parameters
    ----------
    results : pd.DataFrame

    Returns
    -------
    dict of str to int
        ``"agent: reason"`` to matches, the most frequent first.
    """
    rows = results[results.note != ""]
    reasons = Counter(
        f"{agent}: {note.partition(';')[0]}"
        for agent, note in zip(rows.agent, rows.note, strict=True)
    )
    return dict(reasons.most_common(_MOST_REASONS))


def climb_and_report(game, agent, console, *, out, **how):
    """Play a ladder and print it.

    Parameters
    ----------
    game : sim.Game
    agent : str
        Spec of a search.
    console : rich.console.Console
    out : Path or None
        Folder for table, picture and the results of the duels; by default one below ``results``.
    **how
        As `experiments.ladder` takes it.
    """
    from experiments import plots  # slow to import

    check_jobs(how["n_jobs"])
    folder = out
    if out is None:  # another one for each ladder, as duels refuse what is not theirs
        told_apart = joblib.hash((with_parameters(agent, game), game.rules_hash, how["blocks"]))[:6]
        name = f"ladder-{game.name}-{game.players}p-seed{how['seed']}-{told_apart}"
        folder = Path("results", name)
    console.print(
        f"{game!r}\n{with_parameters(agent, game, simulations='')}", highlight=False, markup=False
    )
    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("duels in"), TimeElapsedColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=None)
        duels = ladder(
            game,
            agent,
            out=folder,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
            **how,
        )
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for header in ("simulations", "against", "share", "95 % interval", "points more", "ms"):
        table.add_column(header, justify="left" if header == "against" else "right", no_wrap=True)
    for row in duels.itertuples():
        table.add_row(
            f"{row.simulations:,}" if row.simulations else "greedy",
            row.against,
            f"{100 * row.share:.1f} %",
            f"{100 * row.share_low:.1f} - {100 * row.share_high:.1f}",
            f"{row.margin:+.1f}",
            f"{row.milliseconds:.2f}",
        )
    console.print(table, highlight=False)
    console.print(
        f"half is even · {duels.blocks.iloc[0]:,} blocks of each duel, seed {how['seed']} · "
        "ms of a decision",
        highlight=False,
    )
    duels.to_csv(folder / "ladder.csv", index=False)
    _save_picture(plots.plot_ladder, duels, folder / "ladder.png", _LADDER_HEIGHT)
    console.print()
    places = {"table": folder / "ladder.csv", "picture": folder / "ladder.png"}
    _print_places(places, console)


def explain_and_report(file, num_actions, agent, seed, console):
    """Search a position of a match on record, and print what each action came to.

    Parameters
    ----------
    file : Path
        As `sim.match.MatchRecord.save` writes it.
    num_actions : int or None
        The position is the one after so many actions; by default the last before the end.
    agent : str
        Spec of a search.
    seed : int
        Of the search.
    console : rich.console.Console
    """
    record = MatchRecord.load(file)
    game = record.load_game()
    last = len(record.actions) - 1
    num_actions = last if num_actions is None else num_actions
    if not 0 <= num_actions <= last:
        raise ValueError(f"--actions {num_actions} is not accepted; accepted: 0 to {last}")
    state = next(itertools.islice(record.replay(), num_actions, None))
    table = explain(game, state, agent, seed=seed)
    player = table.attrs["player"]
    console.print(
        game.describe(game.view(state, player - 1)), highlight=False, markup=False, soft_wrap=True
    )
    console.print(f"\n{table.attrs['agent']}, seed {seed}", highlight=False, markup=False)
    shown = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    shown.add_column("action", overflow="fold")
    for header in ("visits", "value", "95 % interval", "points"):
        shown.add_column(header, justify="right", no_wrap=True)
    for row in table.to_dict("records"):
        shown.add_row(
            escape(row["words"]),
            f"{row['visits']:,}",
            f"{100 * row[f'value_{player}']:.1f} %",
            f"{100 * row[f'low_{player}']:.1f} - {100 * row[f'high_{player}']:.1f}",
            f"{row[f'score_{player}']:.1f}",
        )
    console.print(shown, highlight=False)
    played = game.action_text(state, record.actions[num_actions])
    console.print(f"played in the match: {played}", highlight=False, markup=False)


def merge_and_report(out, runs, console):
    """Join runs, and print what they say together.

    Parameters
    ----------
    out : Path
        A new folder.
    runs : sequence of Path
        Folders of runs.
    console : rich.console.Console
    """
    results = merge(out, runs)
    console.print(f"{len(runs)} runs, {results.block.nunique():,} blocks", highlight=False)
    names = _print_and_draw(results, None, out, console)
    console.print()
    places = {
        "results": f"{out}/{store.RESULTS}",
        "pictures": _list_of(names, out),
        "manifest": f"{out}/{store.MANIFEST}",
    }
    _print_places(places, console)


def _print_and_draw(results, plan, folder, console):
    """Standings and pictures of each rule set and number of players; return the pictures' names."""
    names = []
    may_stop = plan is not None and plan.may_stop
    if may_stop:  # of all together, since they share the error
        is_of_pairs = plan.precision is None
        decided = anytime(results, of_pairs=is_of_pairs, indifference=plan.indifference)
    for words, rows in by_variant(results).items():
        if words:
            console.rule(words, align="left", characters="-", style="bold")
        print_standings(rows, console)
        if may_stop:
            print_anytime(_of_the_variant(decided, rows), plan, console)
        names += save_pictures(rows, folder, words)
    return names


def _of_the_variant(table, rows):
    """Rows of a table of several rule sets and numbers of players; one that is empty stays so."""
    if table.empty:
        return table
    variant, players = rows.variant.iloc[0], rows.players.iloc[0]
    return table[(table.variant == variant) & (table.players == players)]


def _list_of(names, folder):
    return f"{folder}/{', '.join(names) if len(names) <= 3 else '*.png'}"


def replay_and_report(folder, match, out, console):
    """Play a match of a run again, and print it move by move.

    Parameters
    ----------
    folder : Path
        Of the run.
    match : int
        Its number in the table of results.
    out : Path or None
        File for its record, which `kibitz explain` reads.
    console : rich.console.Console
    """
    games, agents, limits = load_players(folder / store.MANIFEST)
    results = store.load_results(folder)
    rows = results[results.match == match]
    if rows.empty:
        raise ValueError(f"no match {match}; accepted: 0 to {results.match.max()}")
    first = rows.iloc[0]
    (game,) = (
        game
        for game in games
        if (game.rules_hash, game.players) == (first.rules_hash, first.players)
    )
    record = play_again(results, match, game, agents, limits=limits)
    agents = rows.sort_values("seat").agent.tolist()
    console.print(f"{_game_in_words(game)} · match {match}, seed {record.seed}", highlight=False)
    for seat, agent in enumerate(agents, 1):
        console.print(f"seat {seat}  {agent}", highlight=False, markup=False)
    console.print()
    turn = None
    for number, (state, action) in enumerate(zip(record.replay(), record.actions, strict=False)):
        if state.turn != turn:
            turn = state.turn
            console.print(f"turn {turn + 1}", highlight=False)
        text = f"  {number:4}  seat {state.to_move + 1}  {game.action_text(state, action)}"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    console.print(f"\n{record.end}", highlight=False)
    notes = rows.sort_values("seat").note
    ends = zip(agents, record.scores, record.ranks, notes, strict=True)
    for seat, (agent, score, rank, note) in enumerate(ends, 1):
        text = f"seat {seat}  rank {rank}  {score} points  {agent}{f': {note}' if note else ''}"
        console.print(text, highlight=False, markup=False, soft_wrap=True)
    if out is not None:
        record.save(out)
        _print_places({"record": out}, console)


def _save_picture(plot, table, file, height=_PICTURE_HEIGHT):
    from matplotlib.figure import Figure  # slow to import

    figure = Figure(figsize=(_PICTURE_WIDTH, height), layout="constrained")
    plot(table, ax=figure.add_subplot())
    figure.savefig(file, dpi=_DOTS_PER_INCH)


def save_pictures(results, folder, prefix=""):
    """Draw the three pictures of a tournament into a folder.

    Parameters
    ----------
    results : pd.DataFrame
        Of one rule set and number of players.
    folder : Path
    prefix : str, default: ""
        Of the names of the files, in words.

    Returns
    -------
    list of str
        The names of the files.
    """
    from experiments import plots

    pictures = {
        "win_shares.png": (plots.plot_win_shares, win_shares(results)),
        "scores.png": (plots.plot_scores, score_by_seat(results)),
        "who_beats_whom.png": (plots.plot_who_beats_whom, who_beats_whom(results)),
    }
    drawn = []
    start = re.sub(r"[^A-Za-z0-9=.]+", "-", prefix) + "-" if prefix else ""
    for name, (plot, table) in pictures.items():
        name = start + name
        if len(table):  # nobody beats anybody where one agent plays itself
            height = _PICTURE_HEIGHT + _HEIGHT_PER_AGENT * results.agent.nunique()
            _save_picture(plot, table, folder / name, height)
            drawn.append(name)
    return drawn
