# Clusters with guarantees: what is near the whole cluster, while it spans little and its Range Diversity is low
# (Loukides' Algorithm 6). Included by compiled.pyx.


cdef class Contributing(Scale):
    """How the sensitive values of one or more columns contribute to Range Diversity: each two of a block as much as
    they are near. All contributions of a group are summed over pairs of records, an ordered pair at a time."""

    cdef const int32_t[::1] blocks
    cdef const int64_t[::1] block_begins

    def __init__(self, scale, blocks, block_begins):
        Scale.__init__(self, scale)
        self.blocks, self.block_begins = blocks, block_begins

    cdef inline int64_t both(self, Py_ssize_t r, int32_t one, int32_t other) noexcept nogil:
        """What two values contribute to each other."""
        if self.kinds[r] == BY_PAIR:
            return self.units[self.begins[r] + one * self.widths[r] + other]
        if self.blocks[self.block_begins[r] + one] != self.blocks[self.block_begins[r] + other]:
            return 0
        return 2 * (self.full[r] - self.pair(r, one, other))


cdef class NearCluster(Scale):
    """Greedy clustering with guarantees: a cluster takes the record with which its group diversity is least, while it
    spans no more than `most` and, from k records on, no Range Diversity is above its limit."""

    cdef Contributing values
    cdef const int32_t[:, ::1] ranks
    cdef const int32_t[:, ::1] sensitive
    cdef const int64_t[::1] at
    cdef int64_t[::1] left
    cdef const int64_t[::1] starts
    cdef int64_t[::1] alive, out_at, out_counts, stamps, near, summed
    cdef int64_t[::1] near_begins
    cdef int32_t[::1] present
    cdef int64_t[::1] present_begins
    cdef int64_t[::1] value_stamps
    cdef const double[::1] limits
    cdef Held *held
    cdef Py_ssize_t subspace, living, out
    cdef int64_t most, k, size, stamp, value_stamp
    cdef double share, finest
    cdef bint is_open
    cdef list ends
    cdef list holding

    def __cinit__(self):
        self.held = NULL

    def __dealloc__(self):
        free(self.held)

    def __init__(self, scale, Contributing values, const int32_t[:, ::1] ranks, const int32_t[:, ::1] sensitive,
                 subspaces, int64_t k, int64_t most, const double[::1] limits, double finest):
        """`limits`: per sensitive column the Range Diversity allowed, in its units; `finest`: the units of group
        diversity in one unit of Range Diversity."""
        Scale.__init__(self, scale)
        self.at, counts, self.starts = subspaces
        cdef Py_ssize_t n = self.at.shape[0], r
        if ranks.shape[0] != self.columns or sensitive.shape[0] != values.columns or len(counts) != n:
            raise ValueError("NearCluster: lengths differ")
        if limits.shape[0] != values.columns:
            raise ValueError("NearCluster: lengths differ")
        self.values, self.ranks, self.sensitive = values, ranks, sensitive
        self.k, self.most, self.limits = k, most, limits
        self.share, self.finest = 1.0 / max(1, self.columns), finest
        self.left = np.array(counts, dtype=np.int64)
        records = int(np.sum(counts))
        self.alive = np.empty(int(np.diff(self.starts).max(initial=0)), dtype=np.int64)
        self.out_at, self.out_counts = np.empty(records, dtype=np.int64), np.empty(records, dtype=np.int64)
        self.stamps = np.zeros(int(np.sum(self.widths)), dtype=np.int64)
        widths = np.asarray(values.widths)
        self.near_begins = np.append(0, np.cumsum(widths)).astype(np.int64)
        self.near = np.zeros(int(widths.sum()), dtype=np.int64)
        self.value_stamps = np.zeros(int(widths.sum()), dtype=np.int64)
        self.present = np.empty(int(widths.sum()), dtype=np.int32)
        self.present_begins = np.zeros(values.columns + 1, dtype=np.int64)
        self.summed = np.zeros(values.columns, dtype=np.int64)
        self.held = <Held *> calloc(<size_t> self.columns + 1, sizeof(Held))
        if self.held == NULL:
            raise MemoryError()
        self.subspace, self.living, self.out, self.stamp, self.value_stamp = -1, 0, 0, 0, 0
        self.is_open = False
        self.size = 0
        self.ends = [0]
        self.holding = []

    def work(self, Py_ssize_t cells):
        """Grow clusters until about so many cells have been compared; whether records are left."""
        cdef Py_ssize_t seen = 0
        cdef bint grew
        while seen < cells:
            if not self.is_open:
                while self.living == 0:
                    self.subspace += 1
                    if self.subspace + 1 >= self.starts.shape[0]:
                        return False
                    with nogil:
                        self.enter()
                with nogil:
                    self.begin()
                self.is_open = True
            seen += (self.living + 1) * (self.columns + self.values.columns)
            with nogil:
                grew = self.grow()
            if not grew:
                self.ends.append(self.out)
                self.holding.append(self.size >= self.k and self.safe())
                self.is_open = False
        return True

    def clusters(self):
        """The positions and counts of all pieces, cluster by cluster in the order in which they were added, where each
        begins, and which clusters are large and safe enough."""
        ends = list(self.ends)
        holding = list(self.holding)
        if self.is_open:
            ends.append(self.out)
            holding.append(self.size >= self.k and self.safe())
        return (
            np.asarray(self.out_at)[: self.out].copy(),
            np.asarray(self.out_counts)[: self.out].copy(),
            np.array(ends, dtype=np.int64),
            np.array(holding, dtype=np.bool_),
        )

    cdef bint safe(self):
        cdef Py_ssize_t r
        for r in range(self.values.columns):
            if <double> self.summed[r] > self.limits[r] * <double> (self.size * self.size):
                return False
        return True

    cdef void enter(self) noexcept nogil:
        """The pieces of the next subspace, and the sensitive values that it has."""
        cdef Py_ssize_t i, r, seen = 0
        cdef int32_t value
        self.living = self.starts[self.subspace + 1] - self.starts[self.subspace]
        for i in range(self.living):
            self.alive[i] = self.starts[self.subspace] + i
        self.value_stamp += 1
        for r in range(self.values.columns):
            self.present_begins[r] = seen
            for i in range(self.living):
                value = self.sensitive[r, self.at[self.alive[i]]]
                if self.value_stamps[self.near_begins[r] + value] != self.value_stamp:
                    self.value_stamps[self.near_begins[r] + value] = self.value_stamp
                    self.present[seen] = value
                    seen += 1
        self.present_begins[self.values.columns] = seen

    cdef void begin(self) noexcept nogil:
        """A cluster of the first record that is left."""
        cdef Py_ssize_t c, i, r
        self.stamp += 1
        self.size = 0
        for c in range(self.columns):
            self.held[c].low = self.held[c].high = self.held[c].distinct = self.held[c].missing = 0
        for r in range(self.values.columns):
            self.summed[r] = 0
            for i in range(self.present_begins[r], self.present_begins[r + 1]):
                self.near[self.near_begins[r] + self.present[i]] = 0
        self.put(0)

    cdef void put(self, Py_ssize_t which) noexcept nogil:
        """One more record."""
        cdef Py_ssize_t c, i, r, begin = 0
        cdef int64_t piece = self.alive[which], at = self.at[piece]
        cdef int32_t rank, value
        cdef bint new
        for c in range(self.columns):
            rank = self.ranks[c, at]
            new = self.stamps[begin + rank] != self.stamp
            self.stamps[begin + rank] = self.stamp
            self.add(c, &self.held[c], rank, new)
            begin += self.widths[c]
        for r in range(self.values.columns):
            value = self.sensitive[r, at]
            begin = self.near_begins[r]
            self.summed[r] += self.near[begin + value] + self.values.full[r]
            for i in range(self.present_begins[r], self.present_begins[r + 1]):
                self.near[begin + self.present[i]] += self.values.both(r, value, self.present[i])
        self.size += 1
        self.left[piece] -= 1
        if self.size > 1 and self.out_at[self.out - 1] == at:
            self.out_counts[self.out - 1] += 1
        else:
            self.out_at[self.out] = at
            self.out_counts[self.out] = 1
            self.out += 1
        if self.left[piece] == 0:
            self.living -= 1
            for i in range(which, self.living):
                self.alive[i] = self.alive[i + 1]

    cdef bint grow(self) noexcept nogil:
        """Whether the record with which group diversity is least could be taken."""
        cdef Py_ssize_t i, c, r, begin, best = -1
        cdef int64_t at, spans, found, least = FARTHEST, least_spans = 0
        cdef int32_t rank
        cdef double squared = <double> ((self.size + 1) * (self.size + 1))
        cdef double per_pair = self.finest / squared
        for i in range(self.living):
            at = self.at[self.alive[i]]
            spans, begin = 0, 0
            for c in range(self.columns):
                rank = self.ranks[c, at]
                spans += self.grown(c, &self.held[c], rank, self.stamps[begin + rank] != self.stamp)
                begin += self.widths[c]
            found = <int64_t> (<double> spans * self.share)
            if found >= least:
                continue
            for r in range(self.values.columns):
                begin = self.near_begins[r] + self.sensitive[r, at]
                found += <int64_t> (<double> (self.summed[r] + self.near[begin] + self.values.full[r]) * per_pair)
            if found < least:
                least, best, least_spans = found, i, spans
        if best < 0 or least_spans > self.most:
            return False
        if self.size + 1 >= self.k:
            at = self.at[self.alive[best]]
            for r in range(self.values.columns):
                begin = self.near_begins[r] + self.sensitive[r, at]
                found = self.summed[r] + self.near[begin] + self.values.full[r]
                if <double> found > self.limits[r] * squared:
                    return False
        self.put(best)
        return True
