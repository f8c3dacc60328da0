# What a cluster must have beside enough records: different values of some columns. Included by compiled.pyx.

cdef class Needs:
    """Of some columns so many different values at the least, counted over the items of a cluster.

    `codes` are columns x items; an item with code -1 has as many values, all of them its own, as it has records.
    """

    cdef const int32_t[:, ::1] codes
    cdef const int64_t[::1] least
    cdef int64_t[::1] offsets, found, marks
    cdef int64_t turn
    cdef Py_ssize_t columns, lacking

    def __init__(self, codes, least):
        if len(codes) != len(least):
            raise ValueError("needs: lengths differ")
        self.codes, self.least, self.columns = codes, least, len(least)
        sizes = np.asarray(codes).max(axis=1, initial=-1).astype(np.int64) + 1
        self.offsets = np.append(0, np.cumsum(sizes)).astype(np.int64)
        self.marks = np.zeros(self.offsets[self.columns], dtype=np.int64)
        self.found = np.zeros(self.columns, dtype=np.int64)
        self.turn = 0

    cdef void forget(self) noexcept nogil:
        """Begin with a cluster without items."""
        cdef Py_ssize_t v
        self.turn += 1
        self.lacking = 0
        for v in range(self.columns):
            self.found[v] = 0
            self.lacking += self.least[v] > 0

    cdef void note(self, Py_ssize_t item, int64_t count) noexcept nogil:
        """Add records of an item."""
        cdef Py_ssize_t v
        cdef int64_t more, at
        if self.lacking == 0:
            return
        for v in range(self.columns):
            if self.found[v] >= self.least[v]:
                continue
            if self.codes[v, item] < 0:
                more = count
            else:
                at = self.offsets[v] + self.codes[v, item]
                more = self.marks[at] != self.turn
                self.marks[at] = self.turn
            self.found[v] += more
            self.lacking -= self.found[v] >= self.least[v]

    cdef int64_t most_lacking(self) noexcept nogil:
        """How many records, at least, must join until nothing is lacking."""
        cdef Py_ssize_t v
        cdef int64_t most = 0
        if self.lacking:
            for v in range(self.columns):
                if self.least[v] - self.found[v] > most:
                    most = self.least[v] - self.found[v]
        return most

    cdef bint adds(self, Py_ssize_t item, int64_t least) noexcept nogil:
        """Whether an item has a new value in a column that lacks at least so many."""
        cdef Py_ssize_t v
        for v in range(self.columns):
            if self.least[v] - self.found[v] >= least and (
                    self.codes[v, item] < 0 or self.marks[self.offsets[v] + self.codes[v, item]] != self.turn):
                return True
        return False
