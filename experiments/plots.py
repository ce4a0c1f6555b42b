"""Pictures, each drawn from a table of `experiments.stats`; every function returns the Axes.

Without Axes to draw on, a picture comes in a new figure of pyplot, which notebooks show by
themselves. Agents keep one colour across all pictures: the colours of Okabe and Ito, which
colour-blind people can tell apart, in the alphabetical order of the agents. No global style is
changed.
"""

import numpy as np
from matplotlib import colormaps

from experiments.stats import check_columns

# M. Okabe and K. Ito, "Color universal design", 2008; without black, and yellow last.
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442")
_WIDTH, _ROW_HEIGHT, _FRAME_HEIGHT = 7.0, 0.5, 1.5  # inches
_CHANCE_STYLE = {"color": "0.4", "linestyle": "--", "linewidth": 1}
_LABEL_WIDTH = 26
_MANY_AGENTS = 3  # beyond these the labels of the matrix would overlap


def colour_of(agents):
    """Return a colour for each agent, the same in every picture of the same agents.

    Parameters
    ----------
    agents : iterable of str

    Returns
    -------
    dict of str to str
    """
    names = sorted({str(agent) for agent in agents})
    return {name: _COLOURS[i % len(_COLOURS)] for i, name in enumerate(names)}


def plot_win_shares(table, *, ax=None):
    """Draw the win share of each agent with its interval, and the chance line.

    Parameters
    ----------
    table : pd.DataFrame
        As `experiments.win_shares` returns it; needs agent, win_share, low, high, fair, blocks.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When a column is missing.
    """
    needed = ("agent", "win_share", "low", "high", "fair", "blocks")
    check_columns(table, "plot_win_shares", needed)
    ax = _axes(ax, _FRAME_HEIGHT + _ROW_HEIGHT * len(table))
    colours = colour_of(table.agent)
    for y, row in enumerate(table.itertuples()):
        ax.errorbar(
            100 * row.win_share,
            y,
            xerr=[[100 * (row.win_share - row.low)], [100 * (row.high - row.win_share)]],
            fmt="o",
            capsize=4,
            color=colours[str(row.agent)],
        )
    if table.fair.iloc[0] < 1:  # alone there is no chance to compare with
        ax.axvline(100 * table.fair.iloc[0], **_CHANCE_STYLE)
        ax.annotate(
            f"chance {100 * table.fair.iloc[0]:.1f} %",
            (100 * table.fair.iloc[0], 1),
            xycoords=("data", "axes fraction"),
            xytext=(3, -3),
            textcoords="offset points",
            va="top",
            color="0.4",
            fontsize="small",
        )
    ax.set_yticks(range(len(table)), [_short(agent) for agent in table.agent], parse_math=False)
    ax.set_ylim(len(table) - 0.4, -0.75)
    ax.set_xlim(0, 100)
    ax.set_xlabel("win share (%)")
    ax.set_title(
        f"Win shares, 95 % intervals over {table.blocks.max():,} blocks", fontsize="medium"
    )
    return ax


def plot_scores(table, *, ax=None):
    """Draw the mean score of each agent in each seat, with intervals.

    Parameters
    ----------
    table : pd.DataFrame
        As `experiments.score_by_seat` returns it; needs agent, seat, score, low, high.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When a column is missing.
    """
    check_columns(table, "plot_scores", ("agent", "seat", "score", "low", "high"))
    ax = _axes(ax, 4.0)
    colours = colour_of(table.agent)
    names = sorted(colours)
    for i, name in enumerate(names):
        rows = table[table.agent.astype(str) == name].sort_values("seat")
        shift = 0.5 * ((i + 0.5) / len(names) - 0.5)  # side by side, so that bars do not overlap
        ax.errorbar(
            rows.seat + shift,
            rows.score,
            yerr=[rows.score - rows.low, rows.high - rows.score],
            fmt="o",
            capsize=3,
            color=colours[name],
            label=_short(name),
        )
    seats = sorted(table.seat.unique())
    ax.set_xticks(seats, [f"seat {seat}" for seat in seats])
    ax.set_xlim(min(seats) - 0.5, max(seats) + 0.5)
    ax.set_ylim(bottom=min(0, ax.get_ylim()[0]))
    ax.set_xlabel("seat, in order of play")
    ax.set_ylabel("mean score (points)")
    ax.set_title("Scores by agent and seat, 95 % intervals", fontsize="medium")
    legend = ax.legend(frameon=False, loc="upper left", bbox_to_anchor=(1, 1))
    for text in legend.get_texts():
        text.set_parse_math(False)
    return ax


def plot_who_beats_whom(table, *, ax=None):
    """Draw the matrix of who comes before whom; half is even.

    Parameters
    ----------
    table : pd.DataFrame
        As `experiments.who_beats_whom` returns it; needs agent, opponent, share, low, high.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When a column is missing, or no two agents met.
    """
    check_columns(table, "plot_who_beats_whom", ("agent", "opponent", "share", "low", "high"))
    strength = table.groupby("agent", observed=True).share.mean()
    names = [str(name) for name in strength.sort_values(ascending=False, kind="stable").index]
    shares = np.full((len(names), len(names)), np.nan)
    ax = _axes(ax, _FRAME_HEIGHT + 0.9 * len(names))
    for row in table.itertuples():
        i, j = names.index(str(row.agent)), names.index(str(row.opponent))
        shares[i, j] = row.share
        ax.text(
            j,
            i,
            f"{100 * row.share:.0f} %\n{100 * row.low:.0f} - {100 * row.high:.0f}",
            ha="center",
            va="center",
            fontsize="small",
            color="black" if 0.15 < row.share < 0.85 else "white",
        )
    ax.set_facecolor("0.85")  # where nobody met
    image = ax.imshow(100 * shares, cmap=colormaps["PuOr"], vmin=0, vmax=100, aspect="auto")
    labels = [_short(name) for name in names]
    ax.set_yticks(range(len(names)), labels, parse_math=False)
    slanting = {"rotation": 30, "ha": "right"} if len(names) > _MANY_AGENTS else {}
    ax.set_xticks(range(len(names)), labels, parse_math=False, **slanting)
    ax.set_ylabel("this agent")
    ax.set_xlabel("comes before this one")
    ax.set_title("Who beats whom (%), 95 % intervals", fontsize="medium")
    ax.figure.colorbar(image, ax=ax, label="places before the other (%)")
    return ax


def plot_ladder(table, *, ax=None):
    """Draw how search fares against its step below and against `greedy`, by its budget.

    Parameters
    ----------
    table : pd.DataFrame
        As `experiments.ladder` returns it; needs simulations, against, share, share_low,
        share_high.
    ax : matplotlib.axes.Axes, optional
        By default those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ValueError
        When a column is missing.
    """
    check_columns(
        table, "plot_ladder", ("simulations", "against", "share", "share_low", "share_high")
    )
    ax = _axes(ax, 4.0)
    table = table[table.simulations > 0]
    names = {"step below": "against half the simulations", "greedy": "against greedy"}
    for i, (against, name) in enumerate(names.items()):
        rows = table[table.against == against].sort_values("simulations")
        share = 100 * rows.share
        ax.errorbar(
            rows.simulations * (1.0, 1.06)[i],  # side by side, so that bars do not overlap
            share,
            yerr=[share - 100 * rows.share_low, 100 * rows.share_high - share],
            fmt="o-",
            capsize=3,
            label=name,
        )
    ax.axhline(50, color="0.6", linewidth=1, zorder=0)
    budgets = sorted(table.simulations.unique())
    ax.set_xscale("log", base=2)
    ax.set_xticks(budgets, [f"{budget:,}" for budget in budgets])
    ax.minorticks_off()
    ax.set_ylim(-2, 102)
    ax.set_xlabel("simulations of each decision")
    ax.set_ylabel("share (%)")
    ax.set_title("Strength by simulations, 95 % intervals", fontsize="medium")
    ax.legend(frameon=False, loc="lower right")
    return ax


def _axes(ax, height):
    """The given Axes, or those of a new figure."""
    if ax is not None:
        return ax
    from matplotlib import pyplot  # slow to import, and not needed to draw into a file

    return pyplot.subplots(figsize=(_WIDTH, height), layout="constrained")[1]


def _short(label):
    """A long label on several lines, broken at its commas."""
    lines = [""]
    for part in str(label).split(","):
        if lines[-1] and len(lines[-1]) + len(part) >= _LABEL_WIDTH:
            lines[-1] += ","
            lines.append(part)
        else:
            lines[-1] += ("," if lines[-1] else "") + part
    return "\n".join(lines)
