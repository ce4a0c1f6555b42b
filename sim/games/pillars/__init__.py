"""The Pillars of the Earth.

Michael Rieneck and Stefan Stadler, Kosmos 2006; 2 to 4 players. The rules followed are those of
``docs/rules/pillars.md`` (sections are named in the docstrings): six rounds in which resource
cards and craftsmen are taken, builders are drawn from a bag and placed, and a cathedral is built.

Not modelled
------------
- The expansion, and the printed wording of the advantage and event cards.
- The choice of the first start player: it is drawn at random.

A round
-------
1. Phase I: in turn, take a resource card with workers or a craftsman with gold, or pass.
2. Phase II: builders are drawn from the bag and placed at falling cost; who passes waits.
3. Phase III, steps 1-8: event, bishop, wool mill, Kingsbridge, priory, production.
4. Steps 9-12: tax, Shiring, castle, market.
5. Steps 13-14: craftsmen turn cubes into victory points; five cubes are kept; new start player.

Actions
-------
========================  =========  ==============================================
block                     numbers    meaning
========================  =========  ==============================================
PASS                      0          phase I, a drawn builder, the market
STOP                      1          no further use of craftsmen
RETURN_BUILDER            2          veto: back into the bag
LET_STAND                 3          no veto
USE_THOMAS                4          discard Thomas
KEEP_THOMAS               5          keep him
USE_EXEMPTION             6          discard the tax exemption
KEEP_EXEMPTION            7          pay the tax
TAKE_RESOURCE + card      8 - 16     from the supply, with workers
TAKE_CRAFTSMAN + card     17 - 43    from the supply, or picked at Shiring
GIVE_UP + card            44 - 70    craftsman over the limit, or lost to the event
PLACE + space             71 - 87    the builder, at the cost or free
PLACE_REMIGIUS + space    88 - 104   free with Remigius
TAKE_CUBE + kind          105 - 108  of the bishop's seat
INSPIRE_CRAFTSMAN + card  109 - 135  capacity + 1
USE_CRAFTSMAN + card      136 - 162  once
RETURN_CUBE + kind        163 - 166  one cube over the limit
TAKE_ADVANTAGE + card     167 - 182  picked at Kingsbridge
BUY + 30 kind + n - 1     183 - 302  n cubes of a kind
SELL + 30 kind + n - 1    303 - 422  n cubes of a kind
========================  =========  ==============================================

Rulings where the text is silent or contradicts itself
------------------------------------------------------
- A builder that leaves the market (step 12) stays on its space until step 14; it only trades no
  more. The invariant of section 4.1 counts it as on the board.
- With a good event all players get its effect, then the bishop's cube is taken, then Thomas may be
  used (``thomas_on_good_events``); D8 lists what the market has, and falls away if it has nothing.
- With a bad event each player does D6 and D7 before the next one.
- D9 is asked of everybody away from court who owns the card, Francis's owner too.
- ``archbishop_excludes_fixed = false``: an inspired architect or toolmaker works twice.
- ``advantage_by_space`` and ``shiring_by_space = false``: a single card left is still a choice.
- ``conversion_outputs_chain = false``: the gold set aside is added as one sum, and capped once.
- ``winter_scope = per_kind``: once for the sum of a kind. No yield falls below 0.
- ``master_woodworker_counts``, ``improved_mortar_mixer_counts = false``: only starting cards count.
- Bans on resale and purchase hold for the player, over all his builders.
- ``glassblower_vp`` and ``philip_event_cap`` replace the number of the table only where they differ
  from their defaults.
- Prices, costs and counts are data; an action buys or sells 30 cubes at most.
"""

from sim.games.pillars import components, judgement, play, words
from sim.protocol import Definition, register

GAME = register(
    Definition(
        name="pillars",
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
        search="exploration=1,prior=1,paired=1,horizon=20,greed=1",
        describe=words.describe,
        action_text=words.action_text,
        setup=play.setup,
        legal_actions=play.legal_actions,
        apply_action=play.apply_action,
        scores=play.scores,
        ranks=play.ranks,
        determinize=play.determinize,
        features=judgement.features,
        prepare=components.prepare,
    )
)
