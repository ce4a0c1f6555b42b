"""Pictures, read back from what was drawn."""

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.colors import to_hex
from matplotlib.container import ErrorbarContainer
from matplotlib.figure import Figure

import experiments as ex
from experiments.plots import (
    colour_of,
    plot_ladder,
    plot_scores,
    plot_who_beats_whom,
    plot_win_shares,
)
from experiments.report import save_pictures

matplotlib.use("Agg")

AGENTS = ["random", "greedy", "mcts:simulations=20"]
LONG = "mcts:simulations=200,exploration=0.75,nodes=1000"


@pytest.fixture(scope="module")
def results():
    return ex.tournament("treelings", AGENTS, players=3, blocks=12, seed=1)


@pytest.fixture
def pictures(results):
    """The three functions, each with its table."""
    return [
        (plot_win_shares, ex.win_shares(results)),
        (plot_scores, ex.score_by_seat(results)),
        (plot_who_beats_whom, ex.who_beats_whom(results)),
    ]


@pytest.fixture(autouse=True)
def no_figures_of_other_tests():
    plt.close("all")
    yield
    plt.close("all")


def bars(ax):
    """Error bars in the order they were drawn."""
    return [item for item in ax.containers if isinstance(item, ErrorbarContainer)]


def points_of(bar):
    line = bar.lines[0]
    return np.column_stack([line.get_xdata(), line.get_ydata()]).astype(float)


def ends_of(bar):
    """One row per point: both ends of its bar, along the axis it runs on."""
    segments = np.array(bar.lines[2][0].get_segments())
    along = 0 if bar.has_xerr else 1
    return segments[:, :, along]


def colour_of_bar(bar):
    return to_hex(bar.lines[0].get_color())


def labels(texts):
    return [text.get_text() for text in texts]


def numbered(number):
    """A table of win shares of so many agents."""
    names = [f"agent {i}" for i in range(number)]
    share = np.linspace(0.9, 0.1, number)
    return pd.DataFrame(
        {
            "agent": names,
            "win_share": share,
            "low": share - 0.05,
            "high": share + 0.05,
            "fair": 0.5,
            "blocks": 10,
        }
    )


# Win shares ---------------------------------------------------------------------------------------


def test_win_shares_stand_where_the_table_says(results):
    table = ex.win_shares(results)
    ax = plot_win_shares(table)
    drawn = bars(ax)
    assert len(drawn) == 3
    for y, (bar, row) in enumerate(zip(drawn, table.itertuples(), strict=True)):
        assert points_of(bar).tolist() == [pytest.approx([100 * row.win_share, y])]
        assert ends_of(bar).tolist() == [pytest.approx([100 * row.low, 100 * row.high])]
    assert labels(ax.get_yticklabels()) == [
        "greedy" if row.agent == "greedy" else row.agent.replace(",", ",\n", 1)
        for row in table.itertuples()
    ]


def test_the_best_agent_is_on_top(results):
    low, high = plot_win_shares(ex.win_shares(results)).get_ylim()
    assert low > high


@pytest.mark.parametrize("players", [2, 3, 5])
def test_the_chance_line_is_where_equal_players_would_be(players):
    table = ex.win_shares(ex.tournament("treelings", ["random"], players=players, blocks=3))
    ax = plot_win_shares(table)
    (line,) = [line for line in ax.lines if line.get_linestyle() == "--"]
    assert list(line.get_xdata()) == pytest.approx([100 / players] * 2)
    assert f"chance {100 / players:.1f} %" in labels(ax.texts)


def test_the_axis_of_win_shares_holds_all_of_it_and_says_what_it_is(results):
    table = ex.win_shares(results)
    ax = plot_win_shares(table)
    assert ax.get_xlabel() == "win share (%)"
    assert ax.get_xlim() == (0, 100)
    assert "95 %" in ax.get_title()
    assert "12 blocks" in ax.get_title()


def test_all_and_nothing_can_be_drawn():
    """With any number of blocks: no end of a bar may pass its point, not by the last digit."""
    for num_blocks in range(1, 60):
        rows = [
            {
                "agent": agent,
                "block": block,
                "match": 2 * block + r,
                "seat": 1 + (r if agent == "x" else 1 - r),
                "utility": float(agent == "x"),
                "score": float(agent == "x"),
                "rank": 1 if agent == "x" else 2,
                "end": "finished",
            }
            for block in range(num_blocks)
            for r in range(2)
            for agent in "xy"
        ]
        table = pd.DataFrame(rows)
        shares = points_of(bars(plot_win_shares(ex.win_shares(table)))[0])
        assert shares[0, 0] == 100, num_blocks
        plot_scores(ex.score_by_seat(table))
        plot_who_beats_whom(ex.who_beats_whom(table))
        plt.close("all")


# Scores -------------------------------------------------------------------------------------------


def test_scores_stand_where_the_table_says(results):
    table = ex.score_by_seat(results)
    ax = plot_scores(table)
    drawn = bars(ax)
    assert len(drawn) == 3
    by_agent = {bar.get_label().replace("\n", ""): bar for bar in drawn}
    assert set(by_agent) == set(table.agent)
    for agent, rows in table.groupby("agent", observed=True):
        rows = rows.sort_values("seat")
        points = points_of(by_agent[agent])
        assert np.round(points[:, 0]).tolist() == rows.seat.tolist()
        assert points[:, 1].tolist() == pytest.approx(rows.score.tolist())
        expected = rows[["low", "high"]].to_numpy().ravel().tolist()
        assert ends_of(by_agent[agent]).ravel().tolist() == pytest.approx(expected)


def test_agents_stand_side_by_side_within_a_seat(results):
    places = [points_of(bar)[0, 0] for bar in bars(plot_scores(ex.score_by_seat(results)))]
    assert len(set(places)) == 3
    assert all(0.6 < place < 1.4 for place in places)


def test_the_axes_of_scores_say_what_they_are_in_which_unit(results):
    ax = plot_scores(ex.score_by_seat(results))
    assert ax.get_ylabel() == "mean score (points)"
    assert ax.get_xlabel() == "seat, in order of play"
    assert labels(ax.get_xticklabels()) == ["seat 1", "seat 2", "seat 3"]
    assert ax.get_ylim()[0] <= 0
    assert [text.replace("\n", "") for text in labels(ax.get_legend().get_texts())] == [
        *("greedy", "mcts:simulations=20,exploration=0.7", "random")
    ]


def test_negative_scores_are_within_the_picture():
    table = pd.DataFrame(
        {"agent": "a", "seat": [1, 2], "score": [-8.0, 3.0], "low": [-9.5, 2], "high": [-6, 4.0]}
    )
    low, high = plot_scores(table).get_ylim()
    assert low <= -9.5
    assert high >= 4


def test_one_block_is_drawn_without_bars():
    table = ex.tournament("treelings", ["random", "greedy"], players=2, blocks=1)
    ax = plot_scores(ex.score_by_seat(table))
    assert len(bars(ax)) == 2
    assert np.isfinite(ax.get_ylim()).all()
    ax.figure.draw_without_rendering()


# Who beats whom -----------------------------------------------------------------------------------


def test_the_matrix_holds_the_shares_of_the_table(results):
    table = ex.who_beats_whom(results)
    ax = plot_who_beats_whom(table)
    (image,) = ax.images
    shown = image.get_array()
    rows = [label.replace("\n", "") for label in labels(ax.get_yticklabels())]
    columns = [label.replace("\n", "") for label in labels(ax.get_xticklabels())]
    assert rows == columns
    assert set(rows) == set(table.agent)
    assert shown.shape == (3, 3)
    for row in table.itertuples():
        i, j = rows.index(row.agent), columns.index(row.opponent)
        assert shown[i, j] == pytest.approx(100 * row.share)
    assert np.ma.getmaskarray(np.ma.masked_invalid(shown)).diagonal().all()
    assert image.get_clim() == (0, 100)


def test_every_cell_of_the_matrix_says_its_share_and_interval(results):
    table = ex.who_beats_whom(results)
    ax = plot_who_beats_whom(table)
    names = [label.replace("\n", "") for label in labels(ax.get_yticklabels())]
    texts = {text.get_position(): text.get_text() for text in ax.texts}
    assert len(texts) == len(table)
    for row in table.itertuples():
        text = texts[names.index(row.opponent), names.index(row.agent)]
        assert text == f"{100 * row.share:.0f} %\n{100 * row.low:.0f} - {100 * row.high:.0f}"


def test_the_strongest_is_first_in_the_matrix(results):
    table = ex.who_beats_whom(results)
    ax = plot_who_beats_whom(table)
    means = table.groupby("agent", observed=True).share.mean()
    names = [label.replace("\n", "") for label in labels(ax.get_yticklabels())]
    assert means[names].is_monotonic_decreasing
    assert ax.get_ylim()[0] > ax.get_ylim()[1]


def test_the_axes_of_the_matrix_say_who_comes_before_whom(results):
    ax = plot_who_beats_whom(ex.who_beats_whom(results))
    assert ax.get_ylabel() == "this agent"
    assert ax.get_xlabel() == "comes before this one"
    (bar,) = [other for other in ax.figure.axes if other is not ax]
    assert bar.get_ylabel() == "places before the other (%)"


def test_the_words_in_the_matrix_can_be_read_on_their_colour():
    """The least contrast that W3C asks of text is 4.5 to 1."""
    shares = np.linspace(0, 1, 21)
    table = pd.DataFrame(
        {
            "agent": [f"a{i:02d}" for i in range(21)],
            "opponent": [f"a{(i + 1) % 21:02d}" for i in range(21)],
            "share": shares,
            "low": shares,
            "high": shares,
        }
    )
    ax = plot_who_beats_whom(table)
    (image,) = ax.images

    def luminance(colour):
        linear = np.array(matplotlib.colors.to_rgb(colour))
        linear = np.where(linear <= 0.04045, linear / 12.92, ((linear + 0.055) / 1.055) ** 2.4)
        return linear @ [0.2126, 0.7152, 0.0722]

    contrasts = {}
    for text in ax.texts:
        share = float(text.get_text().split()[0])
        both = luminance(text.get_color()), luminance(image.cmap(image.norm(share)))
        contrasts[share] = (max(both) + 0.05) / (min(both) + 0.05)
    assert {share: c for share, c in contrasts.items() if c < 4.5} == {}


def test_an_agent_that_only_met_itself_has_no_matrix():
    results = ex.tournament("treelings", ["random"], players=3, blocks=3)
    ax = plot_win_shares(ex.win_shares(results))
    assert len(bars(ax)) == 1
    assert len(bars(plot_scores(ex.score_by_seat(results)))) == 1
    with pytest.raises(ValueError, match="plot_who_beats_whom needs at least one row"):
        plot_who_beats_whom(ex.who_beats_whom(results))


# All three ----------------------------------------------------------------------------------------


def test_an_agent_keeps_its_colour_across_pictures(results):
    shares, scores = ex.win_shares(results), ex.score_by_seat(results)
    in_shares = dict(
        zip(shares.agent, map(colour_of_bar, bars(plot_win_shares(shares))), strict=True)
    )
    in_scores = {
        bar.get_label().replace("\n", ""): colour_of_bar(bar) for bar in bars(plot_scores(scores))
    }
    assert in_shares == in_scores
    assert len(set(in_shares.values())) == 3
    assert {name: to_hex(colour) for name, colour in colour_of(shares.agent).items()} == in_shares
    pairs = ex.who_beats_whom(results)
    assert colour_of(pairs.agent) == colour_of(pairs.opponent) == colour_of(shares.agent)


def test_the_order_of_agents_does_not_change_their_colours():
    assert colour_of(["b", "a", "c"]) == colour_of(["c", "b", "a", "a"])
    assert colour_of(pd.Series(["b", "a"], dtype="category")) == colour_of(["a", "b"])


def test_seven_agents_have_seven_colours():
    drawn = bars(plot_win_shares(numbered(7)))
    assert len({colour_of_bar(bar) for bar in drawn}) == 7


def test_the_axes_that_are_given_are_drawn_on_and_returned(pictures):
    for plot, table in pictures:
        own = Figure().add_subplot()
        assert plot(table, ax=own) is own
        assert own.has_data()
    assert plt.get_fignums() == [], "pyplot would keep them alive"


def test_axes_of_a_new_figure_are_returned_when_none_are_given(pictures, tmp_path):
    """A figure of pyplot for each, so that a notebook shows it."""
    for number, (plot, table) in enumerate(pictures, start=1):
        ax = plot(table)
        assert isinstance(ax, Axes)
        assert len(plt.get_fignums()) == number
        assert plt.gcf() is ax.figure
        ax.figure.savefig(tmp_path / "picture.png")
        assert (tmp_path / "picture.png").stat().st_size > 1000


def test_pictures_of_a_run_leave_no_figure_to_pyplot(results, tmp_path):
    names = save_pictures(results, tmp_path)
    assert names == ["win_shares.png", "scores.png", "who_beats_whom.png"]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(names)
    assert plt.get_fignums() == []


def test_nothing_global_is_changed(pictures):
    before = matplotlib.rcParams.copy()
    for plot, table in pictures:
        kept = table.copy()
        plot(table)
        pd.testing.assert_frame_equal(table, kept)
    assert matplotlib.rcParams == before


def test_options_are_given_by_name_only(pictures):
    for plot, table in pictures:
        with pytest.raises(TypeError):
            plot(table, Figure().add_subplot())


def test_a_missing_column_is_named(pictures):
    needed = {
        plot_win_shares: ["agent", "win_share", "low", "high", "fair", "blocks"],
        plot_scores: ["agent", "seat", "score", "low", "high"],
        plot_who_beats_whom: ["agent", "opponent", "share", "low", "high"],
    }
    for plot, table in pictures:
        for column in needed[plot]:
            with pytest.raises(ValueError, match=f"{plot.__name__} needs .*missing: {column}$"):
                plot(table.drop(columns=column))


def test_only_the_columns_that_are_named_are_needed(pictures):
    needed = {
        plot_win_shares: ["agent", "win_share", "low", "high", "fair", "blocks"],
        plot_scores: ["agent", "seat", "score", "low", "high"],
        plot_who_beats_whom: ["agent", "opponent", "share", "low", "high"],
    }
    for plot, table in pictures:
        plot(table[needed[plot]])


def test_long_labels_are_broken_at_their_commas():
    table = numbered(2).assign(agent=[LONG, "random"])
    label = labels(plot_win_shares(table).get_yticklabels())[0]
    assert label.replace("\n", "") == LONG
    lines = label.split("\n")
    assert len(lines) > 1
    assert all(line.endswith(",") for line in lines[:-1])
    assert max(map(len, lines)) <= 30


def test_labels_do_not_run_out_of_the_picture():
    table = numbered(2).assign(agent=[LONG, "random"])
    ax = plot_win_shares(table)
    figure = ax.figure
    figure.draw_without_rendering()
    edge = figure.get_window_extent()
    for text in [*ax.get_yticklabels(), ax.title, ax.xaxis.label]:
        extent = text.get_window_extent()
        assert extent.x0 >= edge.x0
        assert extent.x1 <= edge.x1
        assert extent.y0 >= edge.y0
        assert extent.y1 <= edge.y1
    assert ax.get_window_extent().width > edge.width / 3


def test_a_ladder_shows_both_series_with_their_intervals():
    table = pd.DataFrame(
        {
            "simulations": [0, 16, 16, 32, 32],
            "against": ["random", "random", "greedy", "step below", "greedy"],
            "share": [1.0, 0.9, 0.2, 0.7, 0.4],
            "share_low": [0.9, 0.8, 0.1, 0.6, 0.3],
            "share_high": [1.0, 1.0, 0.3, 0.8, 0.5],
        }
    )
    ax = plot_ladder(table)
    below, greedy = ax.containers
    assert below.lines[0].get_ydata().tolist() == pytest.approx([70])
    assert greedy.lines[0].get_ydata().tolist() == pytest.approx([20, 40])
    (bars,) = greedy.lines[2]
    assert [segment[:, 1].tolist() for segment in bars.get_segments()] == [
        pytest.approx([10, 30]),
        pytest.approx([30, 50]),
    ]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["16", "32"]
    with pytest.raises(ValueError, match="against"):
        plot_ladder(table.drop(columns="against"))
