"""Expedition to Newdale, chapter 1.

Not modelled
------------
- Later chapters.
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
