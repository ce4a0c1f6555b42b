"""Expedition to Newdale, chapter 1.

Alexander Pfister, Lookout 2019; 1 to 4 players. The rules followed are those of
``docs/rules/newdale.md`` (sections are named in the docstrings): in seven rounds players plan
stones, produce goods with helpers from a common market, turn them into better ones in chains, and
build cards with which houses go from town to town.

Not modelled
------------
- Other chapters' extras: bridges, ships, action fields, numbered cards, the captain's area.
- The campaign: chapters are independent.
- Printed cards, map, events and tiles where the rules text has a reconstruction: replace the
  tables when more is known.

A round
-------
1. An event is turned up; all plan their stones on fields or on slots of their own areas.
2. Helpers are drawn; they and those of the event serve every production of the round.
3. Stones are carried out, all stones 1 first: buy a stone, trade, draw, progress, build, produce.
4. In turn order each builds a card or draws two.
5. Special buildings are used. After the last round chains are used once more.

Actions
-------
==========================  =========  ====================================================
block                       numbers    meaning
==========================  =========  ====================================================
SKIP                        0          leave it, no tile, no chain, done
GO                          1          no more tiles: on with the turn
TAKE_GOODS                  2          production with no helper missing
HIRE_HELPERS                3          production: pay for what is missing
TRADE_CARDS                 4          black market
EXCHANGE_CARDS              5          field hand cards
HELPERS_FIRST               6          ``chain_after_helpers = any_order``
CHAIN_FIRST                 7          the same
DRAW                        8          phase 5
PAY_THE_EVENT               9          phase 6
USE_BOON + kind             10 - 37    bonus tiles, then persons
CHOOSE_PERSON + person      38 - 49    at set-up
PLAN_FIELD + field          50 - 78    the next stone; 5 common fields, then 3 area + slot
BUY_STONE + stone - 1       79 - 82    offspring
TAKE_PROGRESS + tile        83 - 84    progress
DISCARD_CARD + card         85 - 212   one of those that are due
KEEP_CARD + card            213 - 340  field hand cards
BUILD_CARD + card           341 - 468  build and phase 5
USE_SPECIAL + card          469 - 596  phase 6
CHOOSE_TOWN_ACTION + town   597 - 628  of the building
CHOOSE_AREA_ACTION + area   629 - 636  of the building
TAKE_FROM_ZONE + area       637 - 646  bonus tile
PICK_KIND + kind            647 - 662  of a mixed stack
PAY_GOOD + place            663 - 686  one good, by its place in the pay order
GIVE_GOOD + good            687 - 710  swap
TAKE_GOOD + good            711 - 734  a kind of free choice
CHOOSE_COLOUR + colour      735 - 739  personal helper
CHAIN_UNITS + units - 1     740 - 866  chain of a building
CHAIN_AREA + area           867 - 874  last chains
==========================  =========  ====================================================

Chapters are data
-----------------
The tables are those of the rules text; the map is three of them (towns, roads, bonus areas), and
the columns that name a chapter (``in_chapter_1``, ``in_bag_ch1``, ``rations_ch1``) have lost the
number: a set of tables is one chapter. Another chapter is played with ``game.variant(towns=...,
roads=..., events=..., chapters=...)``.

Rulings where the text is silent
--------------------------------
- Goods are paid in ascending places of the pay order, cards discarded in the order of the table.
- Start houses come after the discards; persons are chosen last.
- A stone lies on its field until its action is over, the card for a void field included.
- A part that cannot be used is not asked; owned tiles are asked for at each start of a turn.
- ``any_time``: a decision is also asked if only a tile could be used; an empty area asks nothing.
- ``replace_building``: the old goods go with the old card, before the new one lies there.
- ``helper_any`` offers yellow, green, red and blue.
- With one player the scale of section 3.5 holds, whatever the options on military say; a game that
  is won has place 1, another one place 2, so that a win share is the share of games won.
- ``secret_start_town`` has one value and is no option; set-up row ``events`` yields to the chapter.
- A chain has at most 127 units.
"""

from sim.games.newdale import components, judgement, play, position, scoring, words
from sim.protocol import Definition, register

GAME = register(
    Definition(
        name="newdale",
        home=__name__,
        doc=__doc__,
        players=range(1, components.MAX_PLAYERS + 1),
        rules=components.RULES,
        state=position.STATE,
        num_actions=position.NUM_ACTIONS,
        options=components.OPTIONS,
        tables=components.TABLES,
        feature_names=judgement.FEATURES,
        weights=judgement.WEIGHTS,
        search="exploration=0.5,prior=1,paired=1,horizon=13,greed=1,softness=8",
        describe=words.describe,
        action_text=words.action_text,
        setup=play.setup,
        legal_actions=play.legal_actions,
        apply_action=play.apply_action,
        scores=scoring.scores,
        ranks=scoring.ranks,
        determinize=play.determinize,
        features=judgement.features,
        prepare=components.prepare,
    )
)
