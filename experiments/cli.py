"""The command ``kibitz``."""

import gc
import importlib
import shlex
import sys
import textwrap
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table as RichTable

_USAGE_ERROR, _INTERRUPTED = 2, 130  # exit codes; the second is what Ctrl-C becomes
_MIN_WIDTH = 60
_BENCH_WIDTH = 110  # of its longest rows

app = typer.Typer(
    help="Plays thousands of games of a tabletop game and tells what matters.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main():
    """Run the command; what was typed wrongly is one line on standard error, not a traceback."""
    gc.disable()  # see _load_libraries
    errors = Console(stderr=True, emoji=False)
    try:
        app()
    except (ValueError, TypeError, OSError, RuntimeError, MemoryError) as error:
        errors.print(f"[bold red]error:[/] {escape(' '.join(str(error).split()))}", soft_wrap=True)
        sys.exit(_USAGE_ERROR)
    except SystemExit as stop:
        if stop.code == _INTERRUPTED:
            errors.print("interrupted; the same command goes on where it stopped", soft_wrap=True)
        raise


# What several commands take.
_Game = Annotated[str, typer.Argument(help="See: kibitz games")]
_Players = Annotated[int | None, typer.Option(help="By default the fewest allowed.")]
_Seed = Annotated[int, typer.Option(help="The same seed gives the same tables.")]
_Jobs = Annotated[int, typer.Option(help="Workers; -1 is one for each core.")]
_Out = Annotated[Path | None, typer.Option(help="Folder for the results.")]
_Options = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Option of the game.")
]
_Tables = Annotated[
    list[str] | None,
    typer.Option("--table", metavar="NAME=FILE", help="CSV file for a component table."),
]


@app.command()
def games():
    """List the games: players, options with their defaults, and what is not modelled."""
    import sim
    from sim.game import find_definition

    console = Console(emoji=False)
    for name in sim.known_games():
        game = find_definition(name)
        low, high = game.players.start, game.players.stop - 1
        players = f"{low} to {high} players" if low < high else f"{low} players"
        console.print(f"[bold]{name}[/]  {game.title}, {players}", highlight=False)
        for option in game.options:
            console.print(f"  {option.name}  {option.default}", highlight=False)
            _print_indented(console, f"{option.help} · {option.accepted}")
        for table in game.tables:
            console.print(f"  {table.name}  as published", highlight=False)
            _print_indented(console, "component table · a CSV file")
        console.print("  not modelled:", highlight=False)
        for entry in game.not_modelled:
            console.print(f"  - {entry}", highlight=False)
        console.print()


@app.command()
def agents():
    """List the agents and their parameters."""
    import sim
    from agents import KINDS
    from sim.game import find_definition

    console = Console(emoji=False)
    for kind in KINDS.values():
        console.print(f"[bold]{kind.name}[/]  {kind.help}", highlight=False)
        if kind.parameters or kind.judges:
            table = _table("parameter", "default", "accepted", "meaning")
            for p in kind.parameters:
                default = "" if p.default is None else f"{p.default:g}"
                table.add_row(p.name, default, f"{p.low:.10g} to {p.high:.10g}", p.help)
            for name in sim.known_games() if kind.name == "greedy" else ():
                game = find_definition(name)
                for feature, weight in zip(game.feature_names, game.weights, strict=True):
                    table.add_row(feature, f"{weight:g}", "a number", f"weight, in {name}")
            console.print(table)
            if kind.judges and kind.name != "greedy":
                console.print(
                    "  and the weights of greedy; see horizon, greed, prior", highlight=False
                )
        console.print()
    console.print("[bold]default[/]  mcts as it plays a game best", highlight=False)
    table = _table("game", "agent")
    for name in sim.known_games():
        table.add_row(name, find_definition(name).default_agent.replace(",", ", "))
    console.print(table)
    console.print("[bold]mybots.py:Hoarder[/]  a class of yours", highlight=False)
    console.print("  with choose(view, legal, rng) -> action\n", highlight=False)
    console.print("Written as in: greedy, mcts:simulations=500, mcts:seconds=0.1,exploration=0.5")


@app.command()
def tournament(
    game: Annotated[
        str, typer.Argument(help="See: kibitz games; or a TOML file, or a run's manifest.json.")
    ],
    agent: Annotated[
        list[str] | None, typer.Argument(metavar="AGENTS...", help="See: kibitz agents")
    ] = None,
    players: Annotated[
        str | None, typer.Option(help="Such as 2, or 2,3,4 for each; by default the fewest.")
    ] = None,
    format: Annotated[
        str | None,
        typer.Option(
            metavar="round-robin|gauntlet|fixed|mirror",
            help="Who sits together: every choice, the first against all others, all as given, "
            "each with itself. [default: round-robin]",
        ),
    ] = None,
    self_play: Annotated[
        bool, typer.Option("--self-play", help="In a round robin agents also meet themselves.")
    ] = False,
    seats: Annotated[
        str | None,
        typer.Option(
            metavar="rotations|permutations", help="The matches of a block. [default: rotations]"
        ),
    ] = None,
    matches: Annotated[int | None, typer.Option(help="How many matches in all.")] = None,
    blocks: Annotated[int | None, typer.Option(help="Or how many blocks of all seatings.")] = None,
    seed: Annotated[
        int | None, typer.Option(help="The same seed gives the same tables. [default: 0]")
    ] = None,
    until: Annotated[
        str | None,
        typer.Option(metavar="decided", help="End when who beats whom is decided, at any time."),
    ] = None,
    precision: Annotated[
        float | None, typer.Option(help="End when win shares are known so well, such as 0.01.")
    ] = None,
    indifference: Annotated[
        float | None, typer.Option(help="As near to half is as good as even. [default: 0.02]")
    ] = None,
    time_limit: Annotated[
        float | None, typer.Option(help="Seconds for a decision of a bot of yours. [default: 10]")
    ] = None,
    match_limit: Annotated[
        float | None, typer.Option(help="Seconds for all its decisions of a match. [default: 600]")
    ] = None,
    memory_limit: Annotated[
        int | None, typer.Option(help="Megabytes for a bot of yours. [default: 2048]")
    ] = None,
    jobs: _Jobs = -1,
    out: _Out = None,
    option: _Options = None,
    table: _Tables = None,
    against: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME=VALUE", help="Option of a second rule set, on the same seeds."),
    ] = None,
    backend: Annotated[
        str, typer.Option(metavar="local|dask", help="Who plays: this machine, or a cluster.")
    ] = "local",
    scheduler: Annotated[
        str | None, typer.Option(help="Address of the dask scheduler, such as tcp://host:8786.")
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Print who meets whom; play nothing.")
    ] = False,
):
    """Let agents play each other; print the standings, keep table, pictures and manifest."""
    report, tournaments = _load_libraries("tournaments")
    choices = {
        "format": format,
        "seats": seats,
        "self_play": self_play or None,
        "blocks": blocks,
        "matches": matches,
        "seed": seed,
        "until": until,
        "precision": precision,
        "indifference": indifference,
    }
    given = {name: value for name, value in choices.items() if value is not None}
    limits = {"decision": time_limit, "match": match_limit, "memory": memory_limit}
    limits = {name: value for name, value in limits.items() if value is not None}
    if limits:
        from agents import Limits

        given["limits"] = Limits(**limits)
    if game.endswith((".toml", ".json")):
        others = {"players": players, "set": option, "table": table, "against": against}
        others |= {"time-limit": time_limit, "match-limit": match_limit}
        others |= {"memory-limit": memory_limit}
        given.pop("limits", None)
        refused = [*given, *(name for name, value in others.items() if value)]
        if agent or refused:
            what = "agents" if agent else f"--{refused[0].replace('_', '-')}"
            raise ValueError(f"{game} says all of a tournament; {what} cannot be given beside it")
        from experiments.plans import load_plan

        plan = load_plan(game)
        command = _command_line(["tournament", game], None, None, jobs, out, None, None)
    else:
        numbers = _numbers(players)
        games = [_load_game(game, n, option or [], table or []) for n in numbers]
        if against:
            names = {text.partition("=")[0] for text in against}
            kept = [text for text in option or [] if text.partition("=")[0] not in names]
            games += [_load_game(game, n, [*kept, *against], table or []) for n in numbers]
        plan = tournaments.Tournament(games, agent or [], **given)
        words = ["tournament", game, *agent]
        for name in ("format", "seats", "until", "precision", "indifference"):
            words += [f"--{name}", choices[name]] if choices[name] else []
        for name, value in limits.items():
            words += [f"--{'time' if name == 'decision' else name}-limit", value]
        words += ["--self-play"] if self_play else []
        words += ["--matches", plan.matches]
        for text in against or ():
            words += ["--against", text]
        numbers = ",".join(str(game.players) for game in games[: len(numbers)])
        command = _command_line(words, numbers, plan.seed, jobs, out, option, table)
    if backend not in ("local", "dask") or (backend == "dask") != (scheduler is not None):
        raise ValueError(
            f"--backend {backend} --scheduler {scheduler} is not accepted; accepted: --backend "
            "local, or --backend dask --scheduler ADDRESS"
        )
    if scheduler is not None:
        command += f" --backend dask --scheduler {shlex.quote(scheduler)}"
    if dry_run:
        report.print_schedule(plan, _console())
    else:
        report.play_and_report(plan, jobs, out, command, _console(), scheduler)


def _numbers(players):
    """The numbers of players that ``--players`` lists; None for the game's own."""
    if players is None:
        return [None]
    try:
        return [int(number) for number in players.split(",")]
    except ValueError:
        raise ValueError(
            f"--players {players} is not accepted; accepted: such as 2, or 2,3,4"
        ) from None


@app.command()
def tune(
    game: _Game,
    agent: Annotated[str, typer.Argument(help="greedy or mcts, as given; see: kibitz agents")],
    opponent: Annotated[
        str | None, typer.Option(help="Whom every trial meets; by default the agent as given.")
    ] = None,
    parameter: Annotated[
        list[str] | None,
        typer.Option(
            "--tune",
            metavar="NAME=LOW:HIGH",
            help="What is tuned, and its range; NAME alone has the usual one. By default all "
            "weights of greedy, and what the spec of mcts names.",
        ),
    ] = None,
    objective: Annotated[
        str, typer.Option("--for", metavar="share|margin", help="Pairings won, or score margin.")
    ] = "share",
    trials: Annotated[int, typer.Option(help="Besides the agent as given.")] = 100,
    blocks: Annotated[
        int | None, typer.Option(help="Of each trial; by default 100 for each line-up.")
    ] = None,
    confirm_blocks: Annotated[
        int | None,
        typer.Option(help="Of each finalist, and to confirm; by default 500 for each line-up."),
    ] = None,
    players: _Players = None,
    seed: _Seed = 0,
    jobs: _Jobs = -1,
    out: _Out = None,
    option: _Options = None,
    table: _Tables = None,
):
    """Look for better weights or search parameters; confirm the gain on fresh seeds."""
    report, tuning = _load_libraries("tuning")
    loaded = _load_game(game, players, option or [], table or [])
    plan = tuning.Tuning(
        loaded,
        agent,
        opponent=opponent,
        parameters=_ranges(parameter),
        trials=trials,
        blocks=blocks,
        confirm_blocks=confirm_blocks,
        objective=objective,
        seed=seed,
    )
    words = ["tune", game, agent]
    words += [] if opponent is None else ["--opponent", opponent]
    for text in parameter or ():
        words += ["--tune", text]
    words += ["--for", objective, "--trials", plan.trials, "--blocks", plan.blocks]
    words += ["--confirm-blocks", plan.confirm_blocks]
    players = plan.game.players
    command = _command_line(words, players, plan.seed, jobs, out, option, table)

    def confirm(tuned):
        words = ["tournament", game, tuned, plan.given.label, "--blocks", plan.confirm_blocks]
        return _command_line(words, players, plan.confirm_seed, jobs, None, option, table)

    report.tune_and_report(plan, jobs, out, command, confirm, _console())


@app.command()
def ladder(
    game: _Game,
    agent: Annotated[str, typer.Option(help="The search that climbs.")] = "default",
    players: _Players = None,
    top: Annotated[int, typer.Option(help="Most simulations; doubled from 16 on.")] = 4096,
    blocks: Annotated[int, typer.Option(help="Of each duel.")] = 40,
    seed: _Seed = 0,
    jobs: _Jobs = -1,
    out: _Out = None,
    option: _Options = None,
    table: _Tables = None,
):
    """Play a search with more and more simulations against itself with half as many."""
    from experiments.report import climb_and_report

    if top < 16:
        raise ValueError(f"--top {top} is not accepted; accepted: 16 or more")
    budgets = [2**i for i in range(4, top.bit_length()) if 2**i <= top]
    loaded = _load_game(game, players, option or (), table or ())
    climb_and_report(
        loaded,
        agent,
        _console(),
        budgets=budgets,
        blocks=blocks,
        seed=seed,
        n_jobs=jobs,
        out=out,
    )


@app.command()
def explain(
    record: Annotated[Path, typer.Argument(help="A match on record, a JSON file.")],
    actions: Annotated[
        int | None, typer.Option(help="After so many actions; by default before the last.")
    ] = None,
    agent: Annotated[str, typer.Option(help="The search that explains.")] = "default",
    seed: Annotated[int, typer.Option(help="Of the search.")] = 0,
):
    """Show what a search thinks of a position of a match on record."""
    from experiments.report import explain_and_report

    explain_and_report(record, actions, agent, seed, _console())


@app.command()
def merge(
    out: Annotated[Path, typer.Argument(help="A new folder.")],
    run: Annotated[list[Path], typer.Argument(metavar="RUNS...", help="Folders of tournaments.")],
):
    """Join runs of one tournament that were played from different seeds."""
    report, _ = _load_libraries("tournaments")
    report.merge_and_report(out, run, _console())


@app.command()
def replay(
    run: Annotated[Path, typer.Argument(help="The folder of a tournament.")],
    match: Annotated[int, typer.Argument(help="Its number in the table of results.")],
    out: Annotated[
        Path | None, typer.Option(help="File for its record, see: kibitz explain")
    ] = None,
):
    """Show a match of a tournament move by move."""
    from experiments.report import replay_and_report

    replay_and_report(run, match, out, _console())


@app.command()
def bench(
    quick: Annotated[bool, typer.Option("--quick", help="Leave out what takes minutes.")] = False,
):
    """Measure the speed of this machine and print it as a table."""
    from experiments.bench import run

    console = Console(emoji=False)
    console.width = max(console.width, _BENCH_WIDTH)
    run(console, quick=quick)


def _print_indented(console, text):
    indent = " " * 6
    lines = textwrap.wrap(text, console.width, initial_indent=indent, subsequent_indent=indent)
    for line in lines:
        console.print(line, highlight=False, markup=False)


def _table(name, *headers):
    """A bare table whose first column, the names to type, is never cut."""
    table = RichTable(box=None, pad_edge=False, padding=(0, 1, 0, 2))
    table.add_column(name, header_style="italic", no_wrap=True)
    for header in headers:
        table.add_column(header, header_style="italic")
    return table


def _console():
    console = Console(emoji=False)
    console.width = max(console.width, _MIN_WIDTH)
    return console


def _load_libraries(name):
    """Import what a command needs, with the module of that name.

    Python's search for cycles is out of the way meanwhile. It would go through the hundreds of
    thousands of objects that libraries make while they load again and again: a sixth of the time
    of a short tournament.
    """
    import matplotlib.backends.backend_agg  # noqa: F401
    import matplotlib.figure  # noqa: F401

    from experiments import report

    module = importlib.import_module(f"experiments.{name}")
    gc.freeze()
    gc.enable()
    return report, module


def _load_game(name, players, options, tables):
    """The game with what ``--set`` and ``--table`` say."""
    import sim
    from sim.game import find_definition, unknown_name

    definition = find_definition(name)
    known = {option.name: option for option in definition.options}
    table_names = [table.name for table in definition.tables]
    changes = {}
    for text in options:
        key, value = _split(text, "--set", changes)
        if key in table_names:
            raise ValueError(f"{key} is a component table; accepted: --table {key}=FILE.csv")
        changes[key] = known[key].parse(value) if key in known else value
    for text in tables:
        key, value = _split(text, "--table", changes)
        if key not in table_names:
            raise unknown_name(f"component table of {name}", key, table_names)
        changes[key] = Path(value)
    return sim.load(name, players=players, **changes)


def _split(text, flag, given):
    key, equals, value = text.partition("=")
    if not equals or not key or not value:
        raise ValueError(f"{flag} {text} is not accepted; accepted: {flag} name=value")
    if key in given:
        raise ValueError(f"{key} is given twice")
    return key, value


def _ranges(texts):
    """What ``--tune`` says, as `tune` takes it."""
    if not texts:
        return None
    ranges = {}
    for text in texts:
        name, equals, ends = text.partition("=")
        low, colon, high = ends.partition(":")
        if not name or bool(equals) != bool(colon and low and high):
            raise ValueError(f"--tune {text} is not accepted; accepted: --tune NAME=LOW:HIGH")
        if name in ranges:
            raise ValueError(f"{name} is given twice")
        ranges[name] = (low, high) if equals else None
    return ranges


def _command_line(words, players, seed, jobs, out, options, tables):
    """What to type to get the same; every choice spelled out."""
    words = ["kibitz", *words]
    words += [] if players is None else ["--players", players]
    words += [] if seed is None else ["--seed", seed]
    words += ["--jobs", jobs]
    for value in options or ():
        words += ["--set", value]
    for value in tables or ():
        words += ["--table", value]
    if out is not None:
        words += ["--out", out]
    return shlex.join(str(word) for word in words)


if __name__ == "__main__":
    main()
