# Cuts of Mondrian (LeFevre, DeWitt, Ramakrishnan): segments of rows, each parted in two along one column. Included by
# compiled.pyx.

cdef enum:
    LINE = 0
    SET = 1
    TREE = 2     # cut between children of the closest common ancestor
    LEAVES = 3   # a tree that is cut anywhere between its leaves


cdef struct Tied:
    int64_t count
    int32_t rank


cdef struct Extent:
    int32_t low
    int32_t high
    int32_t distinct  # counted for sets alone
    int32_t stamp


cdef int by_rank(const void *one, const void *other) noexcept nogil:
    return (<const Tied *> one).rank - (<const Tied *> other).rank


cdef class Cutter:
    """Rows of ranks with counts, kept so that every segment lies together. A cut puts the rows of the lower part of a
    segment before those of the upper part; within a part the order of rows stays.

    Per column: its kind, the place of each rank (a line) or what is above each rank on each level and what that covers
    (a tree). Whatever a segment spans is a share of the column's domain, times the column's weight.
    """

    cdef int32_t[:, ::1] rows
    cdef int32_t[:, ::1] moved
    cdef int64_t[::1] counts
    cdef int64_t[::1] moved_counts
    cdef int32_t[::1] order
    cdef int32_t[::1] moved_order
    cdef const int32_t[::1] kinds
    cdef const int32_t[::1] ranks
    cdef const int32_t[::1] levels
    cdef const int64_t[::1] begins
    cdef const double[::1] places
    cdef const int32_t[::1] above
    cdef int64_t[::1] tally
    cdef int32_t[:, ::1] stamps
    cdef int32_t stamp
    cdef Tied *tied
    cdef Extent *extents   # of the segment, its lower and its upper part, by column
    cdef double[::1] cost
    cdef int32_t[::1] bound
    cdef int64_t k
    cdef bint by_loss
    cdef bint whole
    cdef Py_ssize_t columns
    cdef bint by_people
    cdef const int64_t[::1] people_of   # where the people of a row begin
    cdef const int32_t[::1] people
    cdef const int64_t[::1] records
    cdef int32_t nobody
    cdef int32_t[::1] seen              # per person the last part that it was seen in
    cdef int32_t parts_seen
    cdef public object open_segments
    cdef public object leaves

    def __cinit__(self, const int32_t[:, ::1] rows, *others):
        self.tied = <Tied *> calloc(<size_t> max(1, rows.shape[0]), sizeof(Tied))
        self.extents = <Extent *> calloc(<size_t> max(1, 3 * rows.shape[1]), sizeof(Extent))
        if self.tied == NULL or self.extents == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.tied)
        free(self.extents)

    def __init__(self, const int32_t[:, ::1] rows, const int64_t[::1] counts, axes, int64_t k, bint by_loss, bint whole):
        """`axes` are kinds, ranks, levels, begins, places and above, of all columns one after another; `whole`: equal
        ranks are never parted."""
        cdef Py_ssize_t n = rows.shape[0]
        self.kinds, self.ranks, self.levels, self.begins, self.places, self.above = axes
        self.columns = rows.shape[1]
        if counts.shape[0] != n or self.kinds.shape[0] != self.columns:
            raise ValueError("Cutter: lengths differ")
        self.rows = np.array(rows, dtype=np.int32, order="C")
        self.moved = np.empty((n, self.columns), dtype=np.int32)
        self.counts = np.array(counts, dtype=np.int64)
        self.moved_counts = np.empty(n, dtype=np.int64)
        self.order = np.arange(n, dtype=np.int32)
        self.moved_order = np.empty(n, dtype=np.int32)
        most = max(1, int(np.max(self.ranks, initial=1)))
        self.tally = np.zeros(most, dtype=np.int64)
        self.stamps = np.zeros((max(1, self.columns), most), dtype=np.int32)
        self.stamp = 0
        self.cost = np.zeros(max(1, self.columns))
        self.bound = np.zeros(max(1, self.columns), dtype=np.int32)
        self.k, self.by_loss, self.whole = k, by_loss, whole
        self.by_people = False
        self.open_segments = [(0, n)] if n else []
        self.leaves = []

    def count_people(self, const int64_t[::1] starts, const int32_t[::1] people, const int64_t[::1] records,
                     Py_ssize_t n_people, int32_t nobody):
        """From now on k is a number of people. Those of row i are from starts[i] to starts[i + 1], each once with its
        records; of more than k any k of them do. `nobody` stands for as many people as it has records."""
        if starts.shape[0] != self.rows.shape[0] + 1 or people.shape[0] != records.shape[0]:
            raise ValueError("count_people: lengths differ")
        self.by_people, self.nobody = True, nobody
        self.people_of, self.people, self.records = starts, people, records
        self.seen = np.zeros(n_people, dtype=np.int32)
        self.parts_seen = 0

    def work(self, Py_ssize_t rows):
        """Cut open segments as far as k allows, until about so many rows have been looked at; whether any are open."""
        cdef Py_ssize_t start, end, middle, seen = 0
        while self.open_segments and seen < rows:
            start, end = self.open_segments.pop()
            seen += end - start
            with nogil:
                middle = self.first_cut(start, end)
            if middle < 0:
                self.leaves.append((start, end))
            else:
                # The lower part is taken first, so that groups are numbered from low to high.
                self.open_segments.append((middle, end))
                self.open_segments.append((start, middle))
        return bool(self.open_segments)

    cdef Py_ssize_t first_cut(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Make the first cut, in order of preference, that leaves k on both sides."""
        cdef int32_t tries = 0
        cdef Py_ssize_t middle = self.cut(start, end, tries)
        while self.by_people and middle >= 0 and not (self.enough(start, middle) and self.enough(middle, end)):
            tries += 1
            middle = self.cut(start, end, tries)
        return middle

    cdef bint enough(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Whether these rows have k people."""
        cdef Py_ssize_t i, j, row
        cdef int64_t here = 0
        if self.parts_seen == INT32_MAX:
            self.seen[:] = 0
            self.parts_seen = 0
        self.parts_seen += 1
        for i in range(start, end):
            row = self.order[i]
            for j in range(self.people_of[row], self.people_of[row + 1]):
                if self.people[j] == self.nobody:
                    here += self.records[j]
                elif self.seen[self.people[j]] != self.parts_seen:
                    self.seen[self.people[j]] = self.parts_seen
                    here += 1
            if here >= self.k:
                return True
        return False

    def cuts(self, const int64_t[::1] starts, const int64_t[::1] ends, const int32_t[::1] tries):
        """Make the cut of each segment that comes at place `tries` in order of preference; where the parts meet, or
        -1 where there is no such cut."""
        found_array = np.empty(starts.shape[0], dtype=np.int64)
        cdef int64_t[::1] found = found_array
        cdef Py_ssize_t at
        if ends.shape[0] != starts.shape[0] or tries.shape[0] != starts.shape[0]:
            raise ValueError("cuts: lengths differ")
        with nogil:
            for at in range(starts.shape[0]):
                found[at] = self.cut(starts[at], ends[at], tries[at])
        return found_array

    def groups(self):
        """The number of each row's segment, as they are now, and how many there are."""
        # They lie side by side, so that their beginnings tell all.
        starts = np.sort(np.array([start for start, _ in self.leaves + self.open_segments], dtype=np.int64))
        found = np.empty(self.rows.shape[0], dtype=np.int32)
        lengths = np.diff(starts, append=self.rows.shape[0])
        found[np.asarray(self.order)] = np.repeat(np.arange(len(starts), dtype=np.int32), lengths)
        return found, len(starts)

    def arranged(self):
        """The rows in their present order, by their first numbers."""
        return np.array(self.order)

    cdef double span(self, Py_ssize_t a, const Extent *extent) noexcept nogil:
        """What a column spans from the lowest to the highest rank."""
        cdef Py_ssize_t begin = self.begins[a], level, n = self.ranks[a]
        if extent.low >= extent.high:
            return 0.0
        if self.kinds[a] >= TREE:
            level = self.ancestor(a, extent)
            return self.places[begin + level * n + extent.low]
        # Rank 0 is missing: together with anything else it leaves the whole domain open. Its place is the weight.
        if extent.low == 0:
            return self.places[begin]
        if self.kinds[a] == SET:
            return self.places[begin] * (extent.distinct - 1) / max(1, n - 2)
        return self.places[begin + extent.high] - self.places[begin + extent.low]

    cdef Py_ssize_t ancestor(self, Py_ssize_t a, const Extent *extent) noexcept nogil:
        """The lowest level on which both ends are the same."""
        cdef Py_ssize_t begin = self.begins[a], level = 1, n = self.ranks[a]
        while self.above[begin + level * n + extent.low] != self.above[begin + level * n + extent.high]:
            level += 1
        return level

    cdef void clear(self, Extent *extents) noexcept nogil:
        cdef Py_ssize_t a
        self.stamp += 1
        for a in range(self.columns):
            extents[a].low, extents[a].high = 2147483647, -1
            extents[a].distinct, extents[a].stamp = 0, self.stamp

    cdef inline void widen(self, Extent *extents, const int32_t *row) noexcept nogil:
        cdef Py_ssize_t a
        for a in range(self.columns):
            if row[a] < extents[a].low:
                extents[a].low = row[a]
            if row[a] > extents[a].high:
                extents[a].high = row[a]
            if self.kinds[a] == SET and self.stamps[a, row[a]] != extents[a].stamp:
                self.stamps[a, row[a]] = extents[a].stamp
                extents[a].distinct += 1

    cdef bint parts(self, Py_ssize_t a, const Extent *extent, int32_t low, int32_t high) noexcept nogil:
        """Whether a cut between two neighbouring ranks is one that the column allows: in a tree between two children of
        the closest common ancestor; where cells are missing, between those and the others."""
        cdef Py_ssize_t begin = self.begins[a], level, n = self.ranks[a]
        if self.kinds[a] == TREE:
            level = self.ancestor(a, extent) - 1
            return self.above[begin + level * n + low] != self.above[begin + level * n + high]
        return self.kinds[a] == LEAVES or extent.low != 0 or low == 0

    cdef Py_ssize_t count_ranks(self, Py_ssize_t a, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """The ranks of a segment in order, each once with its records, in `tied`; how many there are."""
        cdef Extent extent = self.extents[a]
        cdef Py_ssize_t i, n = end - start, found = 0
        cdef int32_t rank
        if extent.high - extent.low <= 8 * n + 64:
            for i in range(start, end):
                self.tally[self.rows[i, a]] += self.counts[i]
            for rank in range(extent.low, extent.high + 1):
                if self.tally[rank] != 0:
                    self.tied[found].rank, self.tied[found].count = rank, self.tally[rank]
                    self.tally[rank] = 0
                    found += 1
            return found
        for i in range(n):
            self.tied[i].rank, self.tied[i].count = self.rows[start + i, a], self.counts[start + i]
        qsort(self.tied, <size_t> n, sizeof(Tied), by_rank)
        for i in range(1, n):
            if self.tied[i].rank == self.tied[found].rank:
                self.tied[found].count += self.tied[i].count
            else:
                found += 1
                self.tied[found] = self.tied[i]
        return found + 1

    cdef int32_t best_bound(self, Py_ssize_t a, Py_ssize_t start, Py_ssize_t end, int64_t size) noexcept nogil:
        """The highest rank of the lower part: the cut nearest to the middle that leaves k on both sides, of two equally
        near ones the lower; -1 where there is none."""
        cdef Py_ssize_t i, n = self.count_ranks(a, start, end)
        cdef int64_t left = 0, off, least = 0
        cdef int32_t found = -1
        for i in range(n - 1):
            left += self.tied[i].count
            if left < self.k or size - left < self.k:
                continue
            if not self.parts(a, &self.extents[a], self.tied[i].rank, self.tied[i + 1].rank):
                continue
            off = 2 * left - size if 2 * left > size else size - 2 * left
            if found < 0 or off < least:
                found, least = self.tied[i].rank, off
        return found

    cdef double loss_of(self, Py_ssize_t a, int32_t bound, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """What all columns of both parts span, times their records."""
        cdef Extent *lower = self.extents + self.columns
        cdef Extent *upper = self.extents + 2 * self.columns
        cdef int64_t left = 0, right = 0
        cdef double low = 0.0, high = 0.0
        cdef Py_ssize_t i, b
        # One part after the other, because the stamps of sets serve one at a time.
        self.clear(lower)
        for i in range(start, end):
            if self.rows[i, a] <= bound:
                self.widen(lower, &self.rows[i, 0])
                left += self.counts[i]
        self.clear(upper)
        for i in range(start, end):
            if self.rows[i, a] > bound:
                self.widen(upper, &self.rows[i, 0])
                right += self.counts[i]
        for b in range(self.columns):
            low += self.span(b, &lower[b])
            high += self.span(b, &upper[b])
        return low * left + high * right

    cdef Py_ssize_t cut(self, Py_ssize_t start, Py_ssize_t end, int32_t tries) noexcept nogil:
        """Make the cut at place `tries`; where the upper part begins, or -1."""
        cdef int64_t size = 0
        cdef Py_ssize_t i, a, best
        cdef int32_t made
        for i in range(start, end):
            size += self.counts[i]
        if size < 2 * self.k:
            return -1
        self.clear(self.extents)
        for i in range(start, end):
            self.widen(self.extents, &self.rows[i, 0])
        for a in range(self.columns):
            # Negative, as the least cost comes first.
            self.cost[a] = -self.span(a, &self.extents[a])
            self.bound[a] = -2
        if not self.whole:
            return self.halve(start, end, size, tries)
        if self.by_loss:
            for a in range(self.columns):
                self.bound[a] = self.best_bound(a, start, end, size) if self.cost[a] < 0 else -1
                if self.bound[a] >= 0:
                    self.cost[a] = self.loss_of(a, self.bound[a], start, end)
        for made in range(tries + 1):
            best = -1
            while True:
                best = self.cheapest()
                if best < 0:
                    return -1
                if self.bound[best] == -2:
                    self.bound[best] = self.best_bound(best, start, end, size)
                if self.bound[best] >= 0:
                    break
            if made < tries:
                self.bound[best] = -1
        return self.part(best, self.bound[best], start, end)

    cdef Py_ssize_t cheapest(self) noexcept nogil:
        """The column of the least cost among those that may still be cut, the first of equal ones; -1 where none is."""
        cdef Py_ssize_t a, best = -1
        for a in range(self.columns):
            if self.bound[a] == -1 or self.extents[a].low >= self.extents[a].high:
                continue
            if not self.by_loss and self.cost[a] >= 0:
                continue
            if best < 0 or self.cost[a] < self.cost[best]:
                best = a
        return best

    cdef Py_ssize_t part(self, Py_ssize_t a, int32_t bound, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        """Rows of the lower part first; where the upper part begins."""
        cdef Py_ssize_t i, to = start, middle
        for i in range(start, end):
            if self.rows[i, a] <= bound:
                self.move(i, to)
                to += 1
        middle = to
        for i in range(start, end):
            if self.rows[i, a] > bound:
                self.move(i, to)
                to += 1
        self.put_back(start, end)
        return middle

    cdef Py_ssize_t halve(self, Py_ssize_t start, Py_ssize_t end, int64_t size, int32_t tries) noexcept nogil:
        """Relaxed: the widest column that comes at place `tries`, sorted; half of the records on each side."""
        cdef Py_ssize_t i, best = -1, to = start, n
        cdef int32_t made, lower = 0
        cdef int64_t left = 0, half = size // 2
        for made in range(tries + 1):
            best = self.cheapest()
            if best < 0:
                return -1
            if made < tries:
                self.bound[best] = -1
        n = self.count_ranks(best, start, end)
        while left + self.tied[lower].count <= half:
            left += self.tied[lower].count
            lower += 1
        # Below the middle rank, as many of that rank as fill the lower half, the others, above it. Every row is one
        # record here.
        for i in range(start, end):
            if self.rows[i, best] < self.tied[lower].rank:
                self.move(i, to)
                to += 1
        for i in range(start, end):
            if self.rows[i, best] == self.tied[lower].rank:
                self.move(i, to)
                to += 1
        for i in range(start, end):
            if self.rows[i, best] > self.tied[lower].rank:
                self.move(i, to)
                to += 1
        self.put_back(start, end)
        return start + half

    cdef inline void move(self, Py_ssize_t i, Py_ssize_t to) noexcept nogil:
        cdef Py_ssize_t a
        for a in range(self.columns):
            self.moved[to, a] = self.rows[i, a]
        self.moved_counts[to] = self.counts[i]
        self.moved_order[to] = self.order[i]

    cdef void put_back(self, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
        self.rows[start:end] = self.moved[start:end]
        self.counts[start:end] = self.moved_counts[start:end]
        self.order[start:end] = self.moved_order[start:end]
