"""Component tables: from a CSV file or a DataFrame into the rules record, and back.

A table has one row per kind of component. Its integer columns are fields of the rules record (one
array over the rows each), so that a changed number changes the game without compiling anything;
its text columns are for people. Nothing is corrected on the way: what does not fit is refused,
with the place where it stands.
"""

import csv
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Column:
    """One column of a component table.

    Attributes
    ----------
    name : str
        The header.
    field : str, optional
        The field of the rules record that holds the numbers; without it the column is text.
    low, high : int
        The accepted range of the numbers, both ends included.
    words : tuple of str
        Where given, the column holds these words, and the field the place of each in this tuple.
    at : int, optional
        The place of this column along the second axis of the field, where it has one.
    may_be_empty : bool
        Whether a text may be left out.
    """

    name: str
    field: str | None = None
    low: int = 0
    high: int = 0
    words: tuple = ()
    at: int | None = None
    may_be_empty: bool = False

    def parse(self, value, place):
        """Return a value as this column holds it.

        Parameters
        ----------
        value : object
        place : str
            Where it stands, for the message.

        Returns
        -------
        int or str

        Raises
        ------
        ValueError
            When it is not accepted.
        """
        if self.may_be_empty and (value is None or value != value):  # pandas: not a number
            value = ""
        if self.words:
            if value not in self.words:
                accepted = ", ".join(word or "nothing" for word in self.words)
                raise ValueError(f"{place}: {value!r} is not accepted; accepted: {accepted}")
            return value
        if self.field is None:
            if not isinstance(value, str) or not (value.strip() or self.may_be_empty):
                is_empty = value is None or value != value or not str(value).strip()
                got = "nothing" if is_empty else repr(value)
                raise ValueError(f"{place}: text is needed, got {got}")
            return value
        try:
            number = int(value)
            whole = re.fullmatch("-?[0-9]+", value) if isinstance(value, str) else number == value
        except (TypeError, ValueError, OverflowError):
            whole = False
        if not whole or isinstance(value, bool | np.bool_) or not self.low <= number <= self.high:
            raise ValueError(
                f"{place}: {value!r} is not accepted; accepted: whole numbers "
                f"{self.low} to {self.high}"
            )
        return number


@dataclass(frozen=True)
class Table:
    """The layout of a component table.

    Attributes
    ----------
    name : str
        As in ``game.components[name]`` and ``game.variant(name=...)``.
    file : Path
        The CSV file with the published components.
    key : str
        The column that names a row; no two rows share it.
    columns : tuple of Column
    min_rows, max_rows : int
        How many rows the rules record can hold.
    """

    name: str
    file: Path
    key: str
    columns: tuple
    min_rows: int
    max_rows: int

    def read(self, file=None):
        """Read a CSV file of components.

        Parameters
        ----------
        file : str or Path, optional
            By default that of the published components.

        Returns
        -------
        list of dict
            One per row.

        Raises
        ------
        ValueError
            Saying file, line and column, for anything that `check` refuses.
        """
        file = Path(file or self.file)
        if not file.is_file():
            raise ValueError(f"there is no file {str(file)!r} for the component table {self.name}")

        def place_of(row):
            return f"{file.name}, line {row + 2}"

        try:
            with file.open(newline="", encoding="utf-8") as lines:
                header, *lines = list(csv.reader(lines, strict=True)) or [[]]
        except (OSError, UnicodeDecodeError, csv.Error) as error:
            raise ValueError(
                f"{self.name}: {file} is no CSV file that can be read: {error}"
            ) from error
        for i, values in enumerate(lines):
            if len(values) != len(header):
                raise ValueError(f"{place_of(i)}: {len(header)} values are needed")
        rows = [dict(zip(header, values, strict=True)) for values in lines]
        return self.check(rows, header, place_of)

    def from_frame(self, frame):
        """Check a DataFrame of components; the counterpart of `to_frame`.

        Parameters
        ----------
        frame : pd.DataFrame

        Returns
        -------
        list of dict
            One per row.

        Raises
        ------
        ValueError
            Saying row and column, for anything that `check` refuses.
        """
        if not hasattr(frame, "to_dict") or not hasattr(frame, "columns"):
            raise TypeError(
                f"{self.name}: a DataFrame or the path of a CSV file is needed, got "
                f"{type(frame).__name__}"
            )
        rows = frame.to_dict("records")
        return self.check(rows, list(frame.columns), lambda i: f"{self.name}, row {i}")

    def check(self, rows, header, place_of):
        """Refuse missing, unknown or repeated columns, values out of range, and repeated names.

        Parameters
        ----------
        rows : list of dict
        header : sequence of str
        place_of : callable
            Row number to words for a message.

        Returns
        -------
        list of dict
            The rows with their numbers as `int`.
        """
        known = [column.name for column in self.columns]
        missing = [name for name in known if name not in header]
        unknown = [str(name) for name in header if name not in known]
        if missing or unknown or len(set(header)) != len(header):
            raise ValueError(
                f"{self.name}: the columns must be {', '.join(known)}"
                + (f"; missing: {', '.join(missing)}" if missing else "")
                + (f"; unknown: {', '.join(unknown)}" if unknown else "")
                + ("; a column stands twice" if len(set(header)) != len(header) else "")
            )
        if not self.min_rows <= len(rows) <= self.max_rows:
            raise ValueError(
                f"{self.name}: {len(rows)} rows; accepted: {self.min_rows} to {self.max_rows}"
            )
        checked = [
            {
                column.name: column.parse(row[column.name], f"{place_of(i)}, column {column.name}")
                for column in self.columns
            }
            for i, row in enumerate(rows)
        ]
        first_place = {}
        for i, row in enumerate(checked):
            if row[self.key] in first_place:
                raise ValueError(
                    f"{place_of(i)}, column {self.key}: {row[self.key]!r} stands already in "
                    f"{place_of(first_place[row[self.key]])}"
                )
            first_place[row[self.key]] = i
        return checked

    def fill(self, rows, rules):
        """Write rows into the fields of a rules record; fields beyond the last row become 0.

        Parameters
        ----------
        rows : list of dict
            As `check` returns them.
        rules : np.record
            Modified.
        """
        for column in self.columns:
            if column.field is not None:
                values = [row[column.name] for row in rows]
                if column.words:
                    values = [column.words.index(value) for value in values]
                field = rules[column.field]
                if column.at is not None:
                    field = field[:, column.at]
                field[:] = 0
                field[: len(rows)] = values

    def to_frame(self, rows):
        """Return checked rows as a DataFrame, one column each.

        Parameters
        ----------
        rows : list of dict

        Returns
        -------
        pd.DataFrame
        """
        import pandas as pd  # slow to import, and a match needs no frame

        return pd.DataFrame(rows, columns=[column.name for column in self.columns])
