"""The random stream of a match in plain Python, for readings that draw for themselves."""

MASK = (1 << 64) - 1


class Sfc64:
    """Chris Doty-Humphrey's sfc64, started from its four words."""

    def __init__(self, words):
        self.words = [int(word) for word in words]

    def next_word(self):
        a, b, c, counter = self.words
        word = (a + b + counter) & MASK
        rotated = ((c << 24) | (c >> 40)) & MASK
        self.words = [b ^ (b >> 11), (c + (c << 3)) & MASK, (rotated + word) & MASK, counter + 1]
        return word

    def below(self, limit):
        """Lemire's bounded integer, of the upper 32 bits."""
        threshold = (1 << 32) % limit
        while True:
            product = (self.next_word() >> 32) * limit
            if product % (1 << 32) >= threshold:
                return product >> 32
