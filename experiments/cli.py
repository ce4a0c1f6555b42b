"""The command ``kibitz``."""

import gc
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
                    "  and the weights of greedy, with horizon, greed or prior", highlight=False
                )
        console.print()
    console.print("[bold]mybots.py:Hoarder[/]  a class of yours", highlight=False)
    console.print("  with choose(view, legal, rng) -> action\n", highlight=False)
    console.print("Written as in: greedy, mcts:simulations=500, mcts:seconds=0.1,exploration=0.5")


@app.command()
def tournament(
    game: Annotated[str, typer.Argument(help="See: kibitz games")],
    agent: Annotated[list[str], typer.Argument(metavar="AGENTS...", help="See: kibitz agents")],
    players: Annotated[int | None, typer.Option(help="By default the fewest allowed.")] = None,
    matches: Annotated[int | None, typer.Option(help="How many matches in all.")] = None,
    blocks: Annotated[int | None, typer.Option(help="Or how many blocks of rotations.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same table.")] = 0,
    jobs: Annotated[int, typer.Option(help="Workers; -1 is one for each core.")] = -1,
    out: Annotated[Path | None, typer.Option(help="Folder for the results.")] = None,
    option: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Option of the game.")
    ] = None,
    table: Annotated[
        list[str] | None,
        typer.Option("--table", metavar="NAME=FILE", help="CSV file for a component table."),
    ] = None,
):
    """Let agents play each other; print the standings, keep table, pictures and manifest."""
    report, Tournament = _load_libraries()
    loaded = _load_game(game, players, option or [], table or [])
    plan = Tournament(loaded, agent, blocks=blocks, matches=matches, seed=seed)
    command = _command_line(plan, agent, jobs, out, option, table)
    console = Console(emoji=False)
    console.width = max(console.width, _MIN_WIDTH)
    report.play_and_report(plan, jobs, out, command, console)


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


def _load_libraries():
    """Import what a tournament needs, with Python's search for cycles out of the way.

    It would go through the hundreds of thousands of objects that libraries make while they load
    again and again: a sixth of the time of a short tournament.
    """
    import matplotlib.backends.backend_agg  # noqa: F401
    import matplotlib.figure  # noqa: F401

    from experiments import report
    from experiments.tournaments import Tournament

    gc.freeze()
    gc.enable()
    return report, Tournament


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


def _command_line(plan, agents, jobs, out, options, tables):
    """What to type to get the same; every choice spelled out."""
    words = ["kibitz", "tournament", plan.game.name, *agents]
    words += ["--players", plan.game.players, "--matches", plan.matches, "--seed", plan.seed]
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
