"""One match on record, and its replay.

A record holds all that is needed to play the match again: the game with everything that differs
from the published rules, the seed of the deal, and the actions. Agents are not needed for it.
"""

import dataclasses
import json
from pathlib import Path

from sim import game as games

_FORMAT = 1


@dataclasses.dataclass(frozen=True)
class MatchRecord:
    """A match from set-up to result.

    Attributes
    ----------
    game : str
    players : int
    options : dict
        The options that differ from their defaults.
    components : dict
        The component tables that differ from the published ones, as lists of rows.
    rules_hash : str
    seed : int
        Of the deal.
    actions : tuple of int
    scores, ranks : tuple of int
        As they stood after the last action, by seat.
    end : str
        "finished", "capped", "forfeit", or "open" for a match that goes on.
    """

    game: str
    players: int
    options: dict
    components: dict
    rules_hash: str
    seed: int
    actions: tuple
    scores: tuple
    ranks: tuple
    end: str

    def save(self, file):
        """Write the record as JSON.

        Parameters
        ----------
        file : str or Path
        """
        content = {"format": _FORMAT, **dataclasses.asdict(self)}
        Path(file).write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, file):
        """Read a record written by `save`.

        Parameters
        ----------
        file : str or Path

        Returns
        -------
        MatchRecord

        Raises
        ------
        ValueError
            When the file is not a record of a match.
        """
        try:
            content = json.loads(Path(file).read_text(encoding="utf-8"))
            if content.pop("format") != _FORMAT:
                raise KeyError("format")
            for name in ("actions", "scores", "ranks"):
                content[name] = tuple(content[name])
            return cls(**content)
        except (KeyError, TypeError, AttributeError, json.JSONDecodeError) as error:
            raise ValueError(f"{file} is not the record of a match ({error})") from error

    def load_game(self):
        """Return the game with the rules of the match.

        Returns
        -------
        sim.Game

        Raises
        ------
        ValueError
            When the rules have changed since.
        """
        game = games.restore(self.game, self.players, self.options, self.components)
        if game.rules_hash != self.rules_hash:
            raise ValueError(
                f"the match was played by rules {self.rules_hash}, these are {game.rules_hash}: "
                "the published rules or components of the game have changed since"
            )
        return game

    def replay(self):
        """Play the match again, position by position.

        Yields
        ------
        np.record
            The state before the first action and after each; every one is a copy.

        Raises
        ------
        ValueError
            When an action is not legal, or the result is another one.
        """
        game = self.load_game()
        state = game.new(self.seed)
        yield game.copy(state)
        for action in self.actions:
            game.apply(state, action)
            yield game.copy(state)
        scores, ranks = tuple(game.scores(state).tolist()), tuple(game.ranks(state).tolist())
        is_over = END_WORDS[state.over] == self.end if state.over else self.end in _UNFINISHED
        if not is_over:
            raise ValueError(f"the replay ends {END_WORDS[state.over]}, the record {self.end}")
        if (scores, ranks) != (self.scores, self.ranks):
            raise ValueError(
                f"the replay ends with scores {scores} and ranks {ranks}, "
                f"the record with {self.scores} and {self.ranks}"
            )


END_WORDS = ("open", "finished", "capped", "forfeit")  # the first three as state.over
FORFEIT = END_WORDS.index("forfeit")
_UNFINISHED = ("open", "forfeit")


def record_of(game, seed, actions, state, end):
    """Put a match on record.

    Parameters
    ----------
    game : sim.Game
    seed : int
        Of the deal.
    actions : sequence of int
    state : np.record
        After the last action.
    end : str
        One of `END_WORDS`.

    Returns
    -------
    MatchRecord
    """
    return MatchRecord(
        game=game.name,
        players=game.players,
        options=game.changed_options,
        components=game.changed_components,
        rules_hash=game.rules_hash,
        seed=int(seed),
        actions=tuple(int(action) for action in actions),
        scores=tuple(game.scores(state).tolist()),
        ranks=tuple(game.ranks(state).tolist()),
        end=end,
    )
