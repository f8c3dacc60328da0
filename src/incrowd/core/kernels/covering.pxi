# Rows that cover combinations, each on levels of its own (k-anonymity revisited). Included by compiled.pyx.
#
# The values of all columns stand in one row: a value's place. `met` tells for one combination, by place, the lowest level
# of the column on which it and the value are the same; above the column's top where there is none.

# Sums in another order differ by less.
cdef double ROUNDING = 1e-9


cdef class Covering:
    """Combinations: which of them a row covers, and what their own rows cost more when they cover another one."""

    cdef const int32_t[:, ::1] places
    cdef const double[:, ::1] prices
    cdef const int16_t[::1] top
    cdef Py_ssize_t n, columns, all_places

    def __init__(self, const int32_t[:, ::1] places, const double[:, ::1] prices, const int16_t[::1] top):
        """`places`: combinations x columns; `prices`: levels x places, higher levels cost no less; `top`: by column the
        highest level allowed."""
        cdef Py_ssize_t c, i
        self.n, self.columns, self.all_places = places.shape[0], places.shape[1], prices.shape[1]
        if top.shape[0] != self.columns:
            raise ValueError("Covering: lengths differ")
        for c in range(self.columns):
            if not 0 <= top[c] < prices.shape[0]:
                raise ValueError("Covering: a top without a price")
        for i in range(self.n):
            for c in range(self.columns):
                if not 0 <= places[i, c] < self.all_places:
                    raise ValueError("Covering: no such place")
        self.places, self.prices, self.top = places, prices, top

    def covered(self, const int16_t[::1] met, const int16_t[::1] levels, uint8_t[::1] found):
        """Mark the combinations that meet one on levels of its row."""
        cdef Py_ssize_t c, i, n = self.n, columns = self.columns
        cdef const int32_t[:, ::1] places = self.places
        cdef uint8_t inside
        if met.shape[0] != self.all_places or levels.shape[0] != columns or found.shape[0] != n:
            raise ValueError("covered: lengths differ")
        with nogil:
            for i in range(n):
                inside = 1
                for c in range(columns):
                    if met[places[i, c]] > levels[c]:
                        inside = 0
                        break
                found[i] = inside

    def dearer(self, const int16_t[::1] met, const int16_t[:, ::1] levels, Py_ssize_t wanted, double[::1] found):
        """What the row of each combination costs more where it covers one, of those that cost least.

        Infinite where it does already or never can, and where `wanted` others cost less. `levels`: combinations x
        columns."""
        cdef Py_ssize_t c, i, at, kept = 0, n = self.n, columns = self.columns
        cdef const int32_t[:, ::1] places = self.places
        cdef const double[:, ::1] prices = self.prices
        cdef const int16_t[::1] top = self.top
        cdef int16_t level, needed
        cdef int32_t place
        cdef double before, after, more, most
        cdef bint wider
        if (met.shape[0] != self.all_places or levels.shape[0] != n or levels.shape[1] != columns
                or found.shape[0] != n or wanted < 1):
            raise ValueError("dearer: lengths differ")
        cdef double[::1] least = np.full(wanted, np.inf)  # what those cost, the cheapest first
        with nogil:
            most = HUGE_VAL
            for i in range(n):
                found[i] = HUGE_VAL
                more = 0.0
                wider = False
                for c in range(columns):
                    place = places[i, c]
                    level, needed = levels[i, c], met[place]
                    if needed > level:
                        wider = True
                        more += prices[needed, place] - prices[level, place] if needed <= top[c] else HUGE_VAL
                        if more > most + ROUNDING:
                            break
                if not wider or more > most + ROUNDING or more == HUGE_VAL:
                    continue
                # Summed up as what whole rows cost, so that equal costs are equal.
                before = after = 0.0
                for c in range(columns):
                    place = places[i, c]
                    level, needed = levels[i, c], met[place]
                    before += prices[level, place]
                    after += prices[needed if needed > level else level, place]
                more = after - before
                found[i] = more
                if more >= most:
                    continue
                at = kept if kept < wanted else wanted - 1
                kept = kept + 1 if kept < wanted else wanted
                while at > 0 and least[at - 1] > more:
                    least[at] = least[at - 1]
                    at -= 1
                least[at] = more
                most = least[wanted - 1]
            for i in range(n):
                if found[i] > most:
                    found[i] = HUGE_VAL
