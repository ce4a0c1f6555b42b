import numpy as np
import pandas as pd
import pytest

import sim
from sim.tables import Column, Table

TEXT = "name,count,source\nred,18,a\nblue,17,b\n"


@pytest.fixture
def table(tmp_path):
    def make(text):
        file = tmp_path / "parts.csv"
        file.write_text(text)
        columns = (Column("name"), Column("count", "part_count", low=0, high=24), Column("source"))
        return Table("parts", file, "name", columns, min_rows=1, max_rows=3)

    return make


def test_a_table_is_read_with_its_numbers_as_integers(table):
    assert table(TEXT).read() == [
        {"name": "red", "count": 18, "source": "a"},
        {"name": "blue", "count": 17, "source": "b"},
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("name,source\nred,a\n", "missing: count"),
        ("name,count,cost,source\nred,1,2,a\n", "unknown: cost"),
        ("name,count,count,source\nred,1,2,a\n", "a column stands twice"),
        ("name,count,source\nred,25,a\n", r"parts.csv, line 2, column count: '25' .* 0 to 24"),
        ("name,count,source\nred,1,a\nblue,-1,b\n", r"parts.csv, line 3, column count: '-1'"),
        ("name,count,source\nred,1.5,a\n", r"line 2, column count: '1.5'"),
        ("name,count,source\nred,,a\n", r"line 2, column count: ''"),
        ("name,count,source\nred,many,a\n", r"line 2, column count: 'many'"),
        ("name,count,source\nred,1,\n", r"line 2, column source: text is needed"),
        ("name,count,source\nred,1\n", r"line 2: 3 values are needed"),
        ("name,count,source\nred,1,a,b\n", r"line 2: 3 values are needed"),
        (
            "name,count,source\nred,1,a\nred,2,b\n",
            r"line 3, column name: 'red' stands already in parts.csv, line 2",
        ),
        ("name,count,source\n", r"0 rows; accepted: 1 to 3"),
        ("name,count,source\n" + "".join(f"n{i},1,a\n" for i in range(4)), r"4 rows"),
        ("", "missing: name, count, source"),
    ],
)
def test_what_does_not_fit_is_refused_with_its_place(table, text, message):
    with pytest.raises(ValueError, match=message):
        table(text).read()


def test_a_table_goes_into_the_rules_and_back_to_a_frame(table):
    parts = table(TEXT)
    rules = np.zeros(1, [("part_count", np.int16, 3)])[0]
    rules["part_count"][:] = 99
    parts.fill(parts.read(), rules)
    assert rules["part_count"].tolist() == [18, 17, 0]
    frame = parts.to_frame(parts.read())
    assert parts.from_frame(frame) == parts.read()


@pytest.mark.parametrize(
    ("edit", "message"),
    [
        (lambda t: t.drop(columns="count"), "missing: count"),
        (lambda t: t.assign(extra=1), "unknown: extra"),
        (lambda t: t.assign(count=25), r"guilds, row 0, column count: 25 .* 0 to 24"),
        (lambda t: t.assign(count=-1), r"guilds, row 0, column count: -1"),
        (lambda t: t.assign(count=1.5), r"column count: 1.5"),
        (lambda t: t.assign(count=np.nan), r"column count: nan"),
        (lambda t: t.assign(count=True), r"column count: True"),
        (lambda t: t.assign(count="18x"), r"column count: '18x'"),
        (lambda t: t.assign(name="red"), r"row 1, column name: 'red' stands already in .* row 0"),
        (lambda t: t.iloc[:5], r"5 rows; accepted: 6 to 6"),
        (lambda t: pd.concat([t, t]), r"12 rows"),
        (lambda t: t.to_dict(), "a DataFrame or the path of a CSV file is needed, got dict"),
    ],
)
def test_an_edited_component_table_is_checked(edit, message):
    game = sim.load("treelings", players=3)
    with pytest.raises((ValueError, TypeError), match=message):
        game.variant(guilds=edit(game.components["guilds"]))


def test_whole_numbers_that_pandas_made_floats_are_accepted():
    game = sim.load("treelings", players=3)
    frame = game.components["guilds"].astype({"count": float})
    assert game.variant(guilds=frame).rules_hash == game.rules_hash
