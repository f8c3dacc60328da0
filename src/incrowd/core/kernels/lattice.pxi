# Nodes of the lattice of levels: judged, and visited in an order. Included by compiled.pyx.

cdef enum:
    OPEN = 0
    FEW = 1
    MANY = 2


cdef class Judge:
    """Judges nodes by k-anonymity, of records or of people, and a cost of cells while they are counted, without listing
    their classes.

    For each column and level: the bits of a key that stay (of each word), what the level costs, and (of the first
    columns alone) where in `gaps` it begins what a lost cell costs beyond that, by its code. The codes are
    combinations x columns, since those of one combination are looked up together.
    """

    cdef Grouper grouper
    cdef int64_t k
    cdef int64_t budget
    cdef const uint64_t[:, :, ::1] masks
    cdef const double[:, ::1] parts
    cdef const int32_t[:, ::1] codes
    cdef const double[::1] gaps
    cdef const int64_t[:, ::1] begins
    cdef uint64_t[::1] mask
    cdef int64_t[::1] begin
    cdef int32_t[::1] nothing
    cdef int32_t[::1] of        # per key its class
    cdef int64_t[::1] begin_of  # per class where its members begin, and where they end
    cdef int32_t[::1] members
    cdef uint8_t[::1] state     # per class
    cdef int32_t[::1] seen      # per person the last class that it was seen in
    cdef int32_t classes_seen

    def __init__(self, Grouper grouper not None, int64_t k, int64_t budget, const uint64_t[:, :, ::1] masks,
                 const double[:, ::1] parts, const int32_t[:, ::1] codes, const double[::1] gaps,
                 const int64_t[:, ::1] begins):
        if parts.shape[0] != masks.shape[0] or parts.shape[1] != masks.shape[1] or begins.shape[0] > codes.shape[1]:
            raise ValueError("judge: columns differ")
        self.grouper, self.k, self.budget = grouper, k, budget
        self.masks, self.parts, self.codes, self.gaps, self.begins = masks, parts, codes, gaps, begins
        self.mask = np.empty(masks.shape[2], dtype=np.uint64)
        self.begin = np.empty(begins.shape[0], dtype=np.int64)
        self.nothing = np.empty(0, dtype=np.int32)
        self.of = self.members = self.seen = np.empty(0, dtype=np.int32)
        self.begin_of = np.empty(0, dtype=np.int64)
        self.state = np.empty(0, dtype=np.uint8)
        self.classes_seen = 0

    cdef double stand_at(self, tuple levels) except? -1:
        """What the levels cost; from now on the mask and the gaps are theirs."""
        cdef Py_ssize_t columns = self.masks.shape[0], c, w, level
        cdef double plain = 0.0
        if len(levels) != columns:
            raise ValueError("judge: another number of columns")
        for w in range(self.mask.shape[0]):
            self.mask[w] = 0
        for c in range(columns):
            level = levels[c]
            if not 0 <= level < self.masks.shape[1]:
                raise ValueError("judge: no such level")
            for w in range(self.mask.shape[0]):
                self.mask[w] |= self.masks[c, level, w]
            plain += self.parts[c, level]
            if c < self.begin.shape[0]:
                self.begin[c] = self.begins[c, level]
        return plain

    def judge(self, tuple levels, const uint64_t[:, ::1] keys, const int64_t[::1] counts, const int32_t[::1] origins):
        """Records in classes of fewer than k, classes of k or more, the smallest of those (0 for none), what the levels
        cost, and what losing those records adds. That is 0 where more records than the budget would be lost.

        The keys are those of classes below the node, each with an original combination that it holds."""
        cdef double plain = self.stand_at(levels), lost_cost = 0.0, each
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found, g, c
        cdef int64_t lost = 0, kept = 0, smallest = INT64_MAX, size
        if counts.shape[0] != n or origins.shape[0] != n or words != self.mask.shape[0] or words == 0:
            raise ValueError("judge: lengths differ")
        found = self.grouper.count(keys, self.mask, counts, self.nothing)
        cdef const int64_t *sums = self.grouper.groups.sums
        cdef const int32_t *first = self.grouper.groups.first
        with nogil:
            for g in range(found):
                size = sums[g]
                # Without a branch, which could not be foreseen.
                lost += size if size < self.k else 0
                kept += size >= self.k
                smallest = size if self.k <= size < smallest else smallest
            for g in range(found if 0 < lost <= self.budget else 0):
                if sums[g] < self.k:
                    each = 0.0
                    for c in range(self.begin.shape[0]):
                        each += self.gaps[self.begin[c] + self.codes[origins[first[g]], c]]
                    lost_cost += each * sums[g]
        return lost, kept, smallest if kept else 0, plain, lost_cost

    def judge_people(self, tuple levels, const uint64_t[:, ::1] keys, const int64_t[::1] counts,
                     const int32_t[::1] origins, const int64_t[::1] starts, const int32_t[::1] people,
                     const int64_t[::1] records, Py_ssize_t n_people, int32_t nobody):
        """The same for classes of fewer than k people, and those of k or more.

        Of class i below the node the people are those from starts[i] to starts[i + 1], each once with its records; of
        more than k any k of them do. `nobody` stands for as many people as it has records."""
        cdef double plain = self.stand_at(levels), lost_cost = 0.0, each
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found, g, c
        cdef int64_t lost = 0, kept = 0, smallest = INT64_MAX
        if counts.shape[0] != n or origins.shape[0] != n or words != self.mask.shape[0] or words == 0:
            raise ValueError("judge_people: lengths differ")
        if starts.shape[0] != n + 1 or people.shape[0] != records.shape[0]:
            raise ValueError("judge_people: lengths differ")
        self.make_room(n, n_people)
        found = self.grouper.count(keys, self.mask, counts, self.of[:n])
        cdef const int64_t *sums = self.grouper.groups.sums
        cdef const int32_t *first = self.grouper.groups.first
        with nogil:
            self.count_people(found, starts, people, records, nobody)
            for g in range(found):
                if self.state[g] == FEW:
                    lost += sums[g]
                else:
                    kept += 1
                    smallest = sums[g] if sums[g] < smallest else smallest
            for g in range(found if 0 < lost <= self.budget else 0):
                if self.state[g] == FEW:
                    each = 0.0
                    for c in range(self.begin.shape[0]):
                        each += self.gaps[self.begin[c] + self.codes[origins[first[g]], c]]
                    lost_cost += each * sums[g]
        return lost, kept, smallest if kept else 0, plain, lost_cost

    cdef int make_room(self, Py_ssize_t n, Py_ssize_t n_people) except -1:
        if self.begin_of.shape[0] < n + 1:
            self.of = np.empty(n, dtype=np.int32)
            self.members = np.empty(n, dtype=np.int32)
            self.begin_of = np.empty(n + 1, dtype=np.int64)
            self.state = np.empty(n, dtype=np.uint8)
        if self.seen.shape[0] < n_people or self.classes_seen > INT32_MAX - n:
            self.seen = np.zeros(max(n_people, self.seen.shape[0]), dtype=np.int32)
            self.classes_seen = 0
        return 0

    cdef void count_people(self, Py_ssize_t found, const int64_t[::1] starts, const int32_t[::1] people,
                           const int64_t[::1] records, int32_t nobody) noexcept nogil:
        """Which classes have k people. Most are decided by their records, or by one member that has so many."""
        cdef Py_ssize_t n = starts.shape[0] - 1, i, j, g, at
        cdef int64_t here
        for g in range(found):
            self.state[g] = FEW if self.grouper.groups.sums[g] < self.k else OPEN
            self.begin_of[g] = 0
        for i in range(n):
            if starts[i + 1] - starts[i] >= self.k:
                self.state[self.of[i]] = MANY
        for i in range(n):
            if self.state[self.of[i]] == OPEN:
                self.begin_of[self.of[i]] += 1
        here = 0
        for g in range(found):
            here += self.begin_of[g]
            self.begin_of[g] = here
        # Written backwards, so that begin_of[g] ends where class g begins.
        for i in range(n - 1, -1, -1):
            g = self.of[i]
            if self.state[g] == OPEN:
                self.begin_of[g] -= 1
                self.members[self.begin_of[g]] = <int32_t> i
        self.begin_of[found] = here
        for g in range(found):
            if self.state[g] != OPEN:
                continue
            self.classes_seen += 1
            here = 0
            at = self.begin_of[g]
            while at < self.begin_of[g + 1] and here < self.k:
                i = self.members[at]
                at += 1
                for j in range(starts[i], starts[i + 1]):
                    if people[j] == nobody:
                        here += records[j]
                    elif self.seen[people[j]] != self.classes_seen:
                        self.seen[people[j]] = self.classes_seen
                        here += 1
            self.state[g] = FEW if here < self.k else MANY


cdef class NodeSchedule:
    """The nodes of a listed lattice, visited in a given order: which are still open, and the least that each can score.

    A node is a tuple of levels, each from its column's lowest on; nodes are numbered as the places of an array of the
    given shape are, the last column running fastest.
    """

    cdef double[::1] bound
    cdef double[::1] extra
    cdef uint8_t[::1] closed
    cdef const int64_t[::1] order
    cdef const int64_t[::1] shape
    cdef const int64_t[::1] low
    cdef int64_t[::1] strides
    cdef int64_t[::1] here
    cdef int64_t[::1] height
    cdef Py_ssize_t place

    def __init__(self, double[::1] bound, const int64_t[::1] order, const int64_t[::1] shape, const int64_t[::1] low):
        cdef Py_ssize_t c
        if np.prod(shape) != bound.shape[0] or order.shape[0] != bound.shape[0] or low.shape[0] != shape.shape[0]:
            raise ValueError("board: lengths differ")
        self.bound = bound
        self.extra = np.zeros(bound.shape[0])
        self.closed = np.zeros(bound.shape[0], dtype=np.uint8)
        self.order, self.shape, self.low = order, shape, low
        self.strides = np.ones(shape.shape[0], dtype=np.int64)
        for c in range(shape.shape[0] - 2, -1, -1):
            self.strides[c] = self.strides[c + 1] * shape[c + 1]
        self.here = np.zeros(shape.shape[0], dtype=np.int64)
        self.height = np.zeros(shape.shape[0], dtype=np.int64)
        self.place = 0

    def next(self, double best):
        """The next open node that may score less than the best, closed by being given out; None where there is none."""
        cdef Py_ssize_t at, c
        while self.place < self.order.shape[0]:
            at = self.order[self.place]
            self.place += 1
            if not self.closed[at]:
                self.closed[at] = 1
                if self.bound[at] + self.extra[at] < best:
                    return tuple([self.low[c] + at // self.strides[c] % self.shape[c]
                                  for c in range(self.shape.shape[0])])
        return None

    def prune(self, tuple node, bint dead, double extra):
        """Of all nodes below or at the given one: that they are closed, or score at least their bound plus this."""
        cdef Py_ssize_t columns = self.shape.shape[0], last = columns - 1, at = 0, c, i, width
        if len(node) != columns:
            raise ValueError("board: another number of columns")
        for c in range(columns):
            self.here[c] = 0
            self.height[c] = <int64_t> node[c] - self.low[c]
            if not 0 <= self.height[c] < self.shape[c]:
                raise ValueError("board: no such node")
        width = self.height[last] + 1
        with nogil:
            while True:
                if dead:
                    for i in range(at, at + width):
                        self.closed[i] = 1
                else:
                    for i in range(at, at + width):
                        if self.extra[i] < extra:
                            self.extra[i] = extra
                c = last - 1
                while c >= 0 and self.here[c] == self.height[c]:
                    at -= self.here[c] * self.strides[c]
                    self.here[c] = 0
                    c -= 1
                if c < 0:
                    break
                self.here[c] += 1
                at += self.strides[c]

    def floor(self):
        """No open node scores less; infinite where none is open."""
        cdef double least = np.inf
        cdef Py_ssize_t i
        for i in range(self.bound.shape[0]):
            if not self.closed[i] and self.bound[i] + self.extra[i] < least:
                least = self.bound[i] + self.extra[i]
        return least
