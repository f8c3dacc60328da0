# Microaggregation: groups of k around outer records. Included by compiled.pyx.

cdef enum:
    MODE = 0    # the centre of a column is its most frequent rank
    MEAN = 1    # ... the mean of the positions, missing not counted
    MEDIAN = 2  # ... the lower median of the ranks, missing not counted


cdef struct Near:
    int64_t distance
    Py_ssize_t at


cdef inline bint nearer(Near one, Near other) noexcept nogil:
    return one.distance < other.distance or (one.distance == other.distance and one.at < other.at)


cdef class Averager(Spreads):
    """MDAV (Domingo-Ferrer and Torra 2005): k records around the one furthest from the centre of all that are left, k
    around the one furthest from that, and so on; of equals the first in order.

    Distances are squared, column by column: of places and nodes what they span, of other values all or nothing.
    """

    cdef int32_t[:, ::1] ranks
    cdef const int32_t[::1] centres
    cdef int64_t[::1] left, offsets, histogram, squares, sums, known, distances, centre
    cdef int32_t[::1] at
    cdef int64_t[:, ::1] taken
    cdef Near *heap
    cdef Py_ssize_t n, dead, n_taken
    cdef int64_t k, records, clusters

    def __cinit__(self):
        self.heap = NULL

    def __dealloc__(self):
        free(self.heap)

    def __init__(self, measure, centres, ranks, counts, k):
        super().__init__(*measure)
        if len(centres) != self.columns or len(ranks) != self.columns or ranks.shape[1] != len(counts):
            raise ValueError("averager: lengths differ")
        if k < 1:
            raise ValueError("averager: no such k")
        self.ranks, self.left, self.centres = ranks.copy(), counts.copy(), centres
        self.n, self.k, self.records = len(counts), k, int(counts.sum())
        self.at = np.arange(self.n, dtype=np.int32)
        self.distances = np.zeros(self.n, dtype=np.int64)
        self.offsets = np.append(0, np.cumsum(np.asarray(self.ranks_in, dtype=np.int64)))
        self.histogram, self.squares = np.zeros((2, self.offsets[self.columns]), dtype=np.int64)
        self.sums, self.known, self.centre = np.zeros((3, self.columns), dtype=np.int64)
        self.taken = np.empty((3, 1024), dtype=np.int64)
        self.heap = <Near *> calloc(<size_t> self.n + 1, sizeof(Near))
        if self.heap == NULL:
            raise MemoryError()
        cdef Py_ssize_t i
        for i in range(self.n):
            self.weigh(i, self.left[i])

    cdef void weigh(self, Py_ssize_t i, int64_t count) noexcept nogil:
        """So many records more, or less, of a combination are left."""
        cdef Py_ssize_t c
        cdef int32_t rank
        for c in range(self.columns):
            rank = self.ranks[c, i]
            self.histogram[self.offsets[c] + rank] += count
            if rank:
                self.known[c] += count
                if self.centres[c] == MEAN:
                    self.sums[c] += count * self.table[self.begins[c] + rank]

    cdef void find_centre(self) noexcept nogil:
        """The centre of what is left: positions of means, ranks of the others; -1 where a mean has no record."""
        cdef Py_ssize_t c
        cdef int32_t rank
        cdef int64_t most, seen
        for c in range(self.columns):
            if self.centres[c] == MEAN:
                self.centre[c] = -1
                if self.known[c]:
                    self.centre[c] = (2 * self.sums[c] + self.known[c]) // (2 * self.known[c])
                continue
            self.centre[c] = 0
            most = seen = 0
            for rank in range(self.ranks_in[c]):
                if self.centres[c] == MODE:
                    if self.histogram[self.offsets[c] + rank] > most:
                        most = self.histogram[self.offsets[c] + rank]
                        self.centre[c] = rank
                elif rank and 2 * seen < self.known[c]:
                    seen += self.histogram[self.offsets[c] + rank]
                    self.centre[c] = rank

    cdef inline int64_t apart(self, Py_ssize_t c, int32_t one, int32_t other) noexcept nogil:
        """What two ranks are apart."""
        if one == other:
            return 0
        if self.kinds[c] == VALUES:
            return self.fulls[c]
        return self.between(c, one if one < other else other, one if one > other else other)

    cdef inline int64_t squared(self, Py_ssize_t c, int32_t rank, bint of_means) noexcept nogil:
        """The square of what a rank is apart from the centre, which is a mean or a rank."""
        cdef int64_t found
        if of_means and self.centres[c] == MEAN:
            found = self.from_mean(c, rank)
        else:
            found = self.apart(c, <int32_t> self.centre[c], rank)
        return found * found

    cdef inline int64_t from_mean(self, Py_ssize_t c, int32_t rank) noexcept nogil:
        cdef int64_t found
        if rank == 0:
            return self.fulls[c] if self.centre[c] >= 0 else 0
        if self.centre[c] < 0:
            return self.fulls[c]
        found = self.table[self.begins[c] + rank] - self.centre[c]
        return found if found >= 0 else -found

    cdef Py_ssize_t measure_all(self, bint of_means) noexcept nogil:
        """How far everything is from the centre, which may be a record; where the furthest one is."""
        cdef Py_ssize_t i, c, furthest = -1
        cdef int64_t offset, most = -1
        cdef int32_t rank
        for i in range(self.n):
            self.distances[i] = 0
        for c in range(self.columns):
            if self.ranks_in[c] <= self.n:
                offset = self.offsets[c]
                for rank in range(self.ranks_in[c]):
                    self.squares[offset + rank] = self.squared(c, rank, of_means)
                for i in range(self.n):
                    self.distances[i] += self.squares[offset + self.ranks[c, i]]
            else:
                for i in range(self.n):
                    self.distances[i] += self.squared(c, self.ranks[c, i], of_means)
        for i in range(self.n):
            if self.left[i] and self.distances[i] > most:
                most, furthest = self.distances[i], i
        return furthest

    cdef int take(self, Py_ssize_t i, int64_t count) except -1 nogil:
        if self.n_taken == self.taken.shape[1]:
            with gil:
                self.taken = np.concatenate([self.taken, np.empty_like(self.taken)], axis=1)
        self.taken[0, self.n_taken] = self.at[i]
        self.taken[1, self.n_taken] = count
        self.taken[2, self.n_taken] = self.clusters
        self.n_taken += 1
        self.weigh(i, -count)
        self.left[i] -= count
        self.records -= count
        self.dead += self.left[i] == 0
        return 0

    cdef Py_ssize_t gather(self, Py_ssize_t around) except -2 nogil:
        """A group of a record and the k - 1 nearest to it; where the record is that is then furthest from it."""
        cdef Py_ssize_t i, c, size = 0, furthest = -1
        cdef int64_t inside = 0, missing, most = -1
        cdef Near near
        for c in range(self.columns):
            self.centre[c] = self.ranks[c, around]
        self.measure_all(False)
        self.take(around, 1)
        missing = self.k - 1
        # The nearest so far are a heap, the furthest of them on top.
        for i in range(self.n):
            if self.left[i] and missing:
                near.distance, near.at = self.distances[i], i
                if inside >= missing and not nearer(near, self.heap[0]):
                    continue
                size = self.push(near, size)
                inside += self.left[i]
                while inside - self.left[self.heap[0].at] >= missing:
                    inside -= self.left[self.heap[0].at]
                    size = self.pop(size)
        while size:
            # The furthest one gives no more records than are wanted.
            i = self.heap[0].at
            inside -= self.left[i]
            self.take(i, self.left[i] if inside + self.left[i] <= missing else missing - inside)
            missing = inside
            size = self.pop(size)
        self.clusters += 1
        for i in range(self.n):
            if self.left[i] and self.distances[i] > most:
                most, furthest = self.distances[i], i
        return furthest

    cdef Py_ssize_t push(self, Near near, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t at = size
        while at and nearer(self.heap[(at - 1) // 2], near):
            self.heap[at] = self.heap[(at - 1) // 2]
            at = (at - 1) // 2
        self.heap[at] = near
        return size + 1

    cdef Py_ssize_t pop(self, Py_ssize_t size) noexcept nogil:
        cdef Py_ssize_t at = 0, child = 1
        cdef Near last = self.heap[size - 1]
        size -= 1
        while child < size:
            if child + 1 < size and nearer(self.heap[child], self.heap[child + 1]):
                child += 1
            if not nearer(last, self.heap[child]):
                break
            self.heap[at] = self.heap[child]
            at = child
            child = 2 * at + 1
        self.heap[at] = last
        return size

    cdef void leave_out(self) noexcept nogil:
        """Forget the combinations that are used up; the others keep their order."""
        cdef Py_ssize_t c, i, to
        for c in range(self.columns):
            to = 0
            for i in range(self.n):
                if self.left[i]:
                    self.ranks[c, to] = self.ranks[c, i]
                    to += 1
        to = 0
        for i in range(self.n):
            if self.left[i]:
                self.left[to], self.at[to] = self.left[i], self.at[i]
                to += 1
        self.n = to
        self.dead = 0

    def run(self, int64_t work):
        """Go on for about so many steps; whether fewer than 2 k records are left."""
        cdef Py_ssize_t furthest
        cdef bint two
        with nogil:
            while work > 0 and self.records >= 2 * self.k:
                if 8 * self.dead > self.n:
                    self.leave_out()
                two = self.records >= 3 * self.k
                self.find_centre()
                furthest = self.gather(self.measure_all(True))
                if two:
                    self.gather(furthest)
                work -= 4 * self.n * self.columns
        return self.records < 2 * self.k

    def settle(self):
        """What is left is a group of its own."""
        cdef Py_ssize_t i
        if self.records:
            for i in range(self.n):
                if self.left[i]:
                    self.take(i, self.left[i])
            self.clusters += 1

    def pieces(self):
        """The combination, the count and the group of each piece, in the order in which they were taken."""
        return tuple(np.asarray(self.taken[row, : self.n_taken]).copy() for row in range(3))
