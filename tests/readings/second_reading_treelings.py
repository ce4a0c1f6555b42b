"""A second, slow reading of the rules of Treelings, to compare a fast engine with.

Everything here follows the rules text, and the section numbers in the docstrings are those of
that text. A turn is played in small steps: one move takes cards from the market, and then one
move for every guild that needs a new column says on which side of the row it opens.
"""

GUILDS = (0, 1, 2, 3, 4, 5)

OPTIONS = {
    "refill_timing": ("end", "start"),
    "winner_tie": ("shared", "most_cards", "later_seat"),
    "two_player_edges": ("ring", "open"),
    "initial_order": ("dealt", "chosen"),
    "multi_new": ("free", "same_side"),
    "tie_columns": ("score", "no_score"),
}


class Treelings:
    """One table of Treelings, from the shuffled pack to the last turn."""

    def __init__(
        self,
        players,
        deck,
        *,
        market_size=5,
        cards_dealt=3,
        cards_below_festival=20,
        refill_timing="end",
        winner_tie="shared",
        two_player_edges="ring",
        initial_order="dealt",
        multi_new="free",
        tie_columns="score",
    ):
        """Set up the table (section 1): deal, festival card, market, seat 0 starts.

        `deck` is the whole shuffled pack of guild cards in drawing order. The published game
        has 108 of them; any other number is played by the same rules.
        """
        chosen_options = {
            "refill_timing": refill_timing,
            "winner_tie": winner_tie,
            "two_player_edges": two_player_edges,
            "initial_order": initial_order,
            "multi_new": multi_new,
            "tie_columns": tie_columns,
        }
        for name, value in chosen_options.items():
            if value not in OPTIONS[name]:
                raise ValueError(f"{name} must be one of {OPTIONS[name]}, not {value!r}")
        if players not in (2, 3, 4, 5):
            raise ValueError("Treelings is a game for 2 to 5 players")
        if market_size < 1 or cards_dealt < 0 or cards_below_festival < 0:
            raise ValueError("the market needs a place, and numbers of cards are not negative")
        if any(guild not in GUILDS for guild in deck):
            raise ValueError("guilds are numbered 0 to 5")

        self.players = players
        self.deck = [int(guild) for guild in deck]
        self.market_size = market_size
        self.cards_dealt = cards_dealt
        self.cards_below_festival = cards_below_festival
        self.refill_timing = refill_timing
        self.winner_tie = winner_tie
        self.two_player_edges = two_player_edges
        self.initial_order = initial_order
        self.multi_new = multi_new
        self.tie_columns = tie_columns

        self.rows = [[] for _ in range(players)]
        self.heights = [{} for _ in range(players)]
        self.hand = [[0 for _ in GUILDS] for _ in range(players)]
        self.market = [0 for _ in GUILDS]
        self.num_drawn = 0
        self.last_round = False
        self.over = False
        self.turn = 0
        self.to_move = 0
        self.side_of_turn = None
        self.ordering_start = initial_order == "chosen"

        self._deal()
        self._refill_market()
        if self.ordering_start:
            self._find_next_to_order()

    # ---- set-up ------------------------------------------------------------------------------

    def _deal(self):
        """Deal the starting cards, all of seat 0 first, then of seat 1 and so on (section 1).

        Equal guilds share a column. With initial_order "dealt" new columns are appended to the
        right in the order dealt; with "chosen" the cards wait in hand (section 6).
        """
        for seat in range(self.players):
            for _ in range(self.cards_dealt):
                # The festival card goes into the pack after the deal, so dealing never meets it.
                if self.num_drawn == len(self.deck):
                    return
                guild = self.deck[self.num_drawn]
                self.num_drawn += 1
                self.hand[seat][guild] += 1
                if self.initial_order == "dealt":
                    self._put_down(seat, guild, "right")

    def _find_next_to_order(self):
        """Pass the ordering of the starting columns on in seat order (section 6).

        When nobody holds dealt cards any more, seat 0 begins the first turn.
        """
        for seat in range(self.players):
            if sum(self.hand[seat]) > 0:
                self.to_move = seat
                return
        self.ordering_start = False
        self.to_move = 0
        self._begin_turn()

    # ---- the pack and the market -------------------------------------------------------------

    def _refill_market(self):
        """Draw until the market is full again or the pack is empty (section 2, step 3)."""
        while sum(self.market) < self.market_size:
            self._meet_festival_card()
            if self.num_drawn == len(self.deck):
                return
            guild = self.deck[self.num_drawn]
            self.num_drawn += 1
            self.market[guild] += 1

    def _meet_festival_card(self):
        """Switch on the last round if the card to be drawn now is the festival card.

        It lies on top of the last guild cards of the pack, so it is met by the first attempt to
        draw once only these are left, not by drawing the card above it (sections 1 and 4.4,
        E4). It is set aside and takes no place in the market (section 2, step 3).
        """
        cards_left = len(self.deck) - self.num_drawn
        if cards_left <= self.cards_below_festival:
            self.last_round = True

    # ---- moves -------------------------------------------------------------------------------

    def moves(self):
        """List the legal moves, sorted; forced moves are listed too (section 6)."""
        if self.over:
            return []
        if self.ordering_start:
            return sorted(self._ordering_moves())
        if sum(self.hand[self.to_move]) > 0:
            return sorted(self._placing_moves())
        return sorted(self._taking_moves())

    def _ordering_moves(self):
        """Say which starting column may come next, from left to right (section 6)."""
        return [("place", guild, "right") for guild in self._guilds_in_hand()]

    def _taking_moves(self):
        """List decision A (section 2, step 1): one guild whole, or all singles together.

        A lone single is listed only as its guild. Nothing may be taken only from an empty
        market (section 3).
        """
        present = [guild for guild in GUILDS if self.market[guild] >= 1]
        if not present:
            return [("take_nothing",)]
        choices = [("take", guild) for guild in present]
        if len(self._singles()) >= 2:
            choices.append(("take_singles",))
        return choices

    def _placing_moves(self):
        """List decision B (section 2, step 2): the next new guild, at the far left or right.

        With multi_new "same_side" the first new column of a turn binds the others (section 6).
        """
        if self.multi_new == "same_side" and self.side_of_turn is not None:
            sides = [self.side_of_turn]
        else:
            sides = ["left", "right"]
        return [("place", guild, side) for guild in self._guilds_in_hand() for side in sides]

    def _singles(self):
        """Name the guilds that occur exactly once in the market (terms)."""
        return [guild for guild in GUILDS if self.market[guild] == 1]

    def _guilds_in_hand(self):
        """Name the guilds of which the player to move still holds cards."""
        return [guild for guild in GUILDS if self.hand[self.to_move][guild] > 0]

    def play(self, move):
        """Play one legal move; a turn with nothing left to place ends by itself (section 2)."""
        if move not in self.moves():
            raise ValueError(f"illegal move: {move!r}")
        kind = move[0]
        if kind == "place":
            _, guild, side = move
            self._put_down(self.to_move, guild, side)
            self.side_of_turn = side
        elif kind == "take":
            self._take([move[1]])
        elif kind == "take_singles":
            self._take(self._singles())
        else:
            self._take([])

        if self.ordering_start:
            self._find_next_to_order()
        elif sum(self.hand[self.to_move]) == 0:
            self._end_turn()

    def _take(self, guilds):
        """Take all market cards of these guilds; known guilds grow at once (section 2)."""
        seat = self.to_move
        for guild in guilds:
            self.hand[seat][guild] += self.market[guild]
            self.market[guild] = 0
            if guild in self.rows[seat]:
                self._put_down(seat, guild, None)

    def _put_down(self, seat, guild, side):
        """Lay all cards of a guild from the hand into the own district (section 2, step 2).

        A column that stands already grows where it is and `side` has no meaning. Otherwise a
        new column opens at the far left or at the far right of the row.
        """
        row = self.rows[seat]
        if guild not in row:
            if side == "left":
                row.insert(0, guild)
            else:
                row.append(guild)
            self.heights[seat][guild] = 0
        self.heights[seat][guild] += self.hand[seat][guild]
        self.hand[seat][guild] = 0

    # ---- the course of the turns -------------------------------------------------------------

    def _begin_turn(self):
        """Start the turn of the seat to move, with its refill if it comes first (section 2)."""
        self.side_of_turn = None
        if self.refill_timing == "start":
            self._refill_market()

    def _end_turn(self):
        """Finish the turn: refill if it comes last, end test, next seat (sections 2 and 3).

        The game ends after a turn of the last seat once the festival card has appeared, so that
        everybody has had the same number of turns.
        """
        if self.refill_timing == "end":
            self._refill_market()
        self.turn += 1
        last_seat = self.players - 1
        if self.last_round and self.to_move == last_seat:
            self.over = True
            return
        self.to_move = (self.to_move + 1) % self.players
        self._begin_turn()

    # ---- scoring -----------------------------------------------------------------------------

    def scores(self):
        """Count the points of every player as the table stands (section 3)."""
        points = [0 for _ in range(self.players)]
        for seat, height, neighbours in self._columns_with_neighbours():
            if self._column_scores(height, neighbours):
                points[seat] += height
        return points

    def _column_scores(self, height, neighbours):
        """Tell whether a column is at least as high as each of its neighbours (section 3).

        With tie_columns "no_score" it has to be strictly higher (section 6).
        """
        if self.tie_columns == "score":
            return all(height >= other for other in neighbours)
        return all(height > other for other in neighbours)

    def _columns_with_neighbours(self):
        """List (seat, height, heights of the neighbours) of every column on the table."""
        if self.players == 2 and self.two_player_edges == "open":
            return self._open_rows()
        return self._ring()

    def _row_heights(self, seat):
        """Read the heights of one row from left to right, as its owner sees it."""
        return [self.heights[seat][guild] for guild in self.rows[seat]]

    def _ring(self):
        """Join all rows into one ring of columns (section 3, adjacency).

        The left neighbour of seat i is seat i + 1, and its rightmost column meets the leftmost
        of seat i. Read from left to right the ring is therefore the row of the last seat, then
        of the seat before it, down to seat 0, and then the row of the last seat again. A player
        without columns is not in it.
        """
        ring = []
        for seat in reversed(range(self.players)):
            for height in self._row_heights(seat):
                ring.append((seat, height))
        size = len(ring)
        if size == 1:
            # A column alone on the table is not its own neighbour.
            seat, height = ring[0]
            return [(seat, height, [])]
        columns = []
        for position, (seat, height) in enumerate(ring):
            left = ring[(position - 1) % size][1]
            right = ring[(position + 1) % size][1]
            columns.append((seat, height, [left, right]))
        return columns

    def _open_rows(self):
        """Compare columns only inside the own row, for two_player_edges "open" (section 6)."""
        columns = []
        for seat in range(self.players):
            row = self._row_heights(seat)
            for position, height in enumerate(row):
                neighbours = []
                if position > 0:
                    neighbours.append(row[position - 1])
                if position < len(row) - 1:
                    neighbours.append(row[position + 1])
                columns.append((seat, height, neighbours))
        return columns

    def ranks(self):
        """Give every player a place; equal players share the better one (section 3).

        The option winner_tie orders equal scores on all places (section 6): by cards in the
        district, by the higher seat number, or not at all.
        """
        standings = self._standings()
        return [1 + sum(other > own for other in standings) for own in standings]

    def _standings(self):
        """Give every player a tuple to compare; the greater one has the better place."""
        standings = []
        for seat, points in enumerate(self.scores()):
            if self.winner_tie == "most_cards":
                standings.append((points, sum(self._row_heights(seat))))
            elif self.winner_tie == "later_seat":
                standings.append((points, seat))
            else:
                standings.append((points,))
        return standings
