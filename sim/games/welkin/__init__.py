"""Welkin.

Fabien Tanguy, Ankama 2019; 2 to 4 players. The rules followed are those of
``docs/rules/welkin.md`` (sections are named in the docstrings): players open building sites,
produce resources with two-sided chips, and place them where each token pays the number of trade
chips that show its resource.

Not modelled
------------
- The printed site cards: no readable list exists. The table ``sites`` is a reconstruction, as are
  most special effects, the starting coins and the deck sizes; replace the tables when more is
  known.
- The draw of the start player: seat 0 starts.
- The number of coins in the box, which does not limit.

A turn
------
1. Use any of the own special effects of finished sites.
2. Do one action. Open: take one of five sites; some let you turn over a trade chip.
3. Or produce: turn over own chips, the first is free; take a token for each "+1" that shows.
4. Or use: place tokens on own sites; a site that is complete pays at once.
5. Use further effects, and end the turn.

Actions
-------
============================  =========  ==================================================
block                         numbers    meaning
============================  =========  ==================================================
NO_FLIP                       0          open without turning over a trade chip
STOP                          1          take no more (``produce_exact = false``)
DONE                          2          place no more; complete sites are scored
END_TURN                      3          no more effects
USE_THIRD                     4          effect: one more site
FLIP_CHIP + chip              5 - 14     effect FLIP, or the left symbol of a site
USE_RETOOL + set - 1          15 - 45    effect: turn over a set of production chips
USE_GAIN + resource           46 - 50    effect: one token
USE_SWAP + 6 first + second   51 - 80    effect: return two tokens; second = 5: only one
OPEN + place                  81 - 85    a site that lies face up
PRODUCE                       86         action P, to be followed by
TURN_CHIPS + set - 1          87 - 117   turn over a set of production chips
TAKE + resource               118 - 122  one token, produced or swapped for
RETURN + resource             123 - 127  one token that the stock cannot hold
PLACE + 10 place + 2 r + w    128 - 167  one token of resource r; w = 1: on a wild spot
SCORE + place                 168 - 171  a completed site (``effects_timing = anytime``)
============================  =========  ==================================================

Bit r of a set is the chip of resource r; no set is empty. Tokens that are taken, returned or
placed come in ascending order, and the effects of one phase in the order THIRD, FLIP, RETOOL,
then GAIN and SWAP, FLIPs and RETOOLs ascending among themselves: they do not act on each other,
so that every legal turn is reached, in one order.

Rulings where the text is silent
--------------------------------
- A replacement lies where the site lay that was taken; a new site takes the first free place.
- The turn that ends the game at once counts as completed.
- With ``produce_exact = false`` the end of taking is always said.
- With edited trade chips an area holds any number of them.
"""

from sim.games.welkin import components, judgement, legal, play, words
from sim.protocol import Definition, register

GAME = register(
    Definition(
        name="welkin",
        home=__name__,
        doc=__doc__,
        players=range(2, components.MAX_PLAYERS + 1),
        rules=components.RULES,
        state=components.STATE,
        num_actions=components.NUM_ACTIONS,
        options=components.OPTIONS,
        tables=components.TABLES,
        feature_names=judgement.FEATURES,
        weights=judgement.WEIGHTS,
        search="exploration=0.5,prior=1,paired=1,horizon=6,greed=1,softness=8",
        describe=words.describe,
        action_text=words.action_text,
        setup=play.setup,
        legal_actions=legal.legal_actions,
        apply_action=play.apply_action,
        scores=play.scores,
        ranks=play.ranks,
        determinize=play.determinize,
        features=judgement.features,
        prepare=components.prepare,
    )
)
