# The nearest of many clusters: where left-over records go (Loukides' Algorithm 5 and the end of Algorithm 6), and what a
# group that fails is merged with. Included by compiled.pyx.
#
# Clusters lie in the order in which they were made, near ones mostly side by side. A record looks at those around its own
# place. Over them stands a tree: what is below a node tells how little any of its clusters can span with the record, so
# that many are never looked at.


cdef struct Below:
    # What is known of all clusters below a node, in one column.
    int64_t least       # the least that one of them spans
    uint64_t values     # of a set: the ranks modulo 64 that any of them has
    int32_t low
    int32_t high        # below `low` where none has a value
    int32_t distinct    # the fewest different values of one
    int32_t bare        # whether one of them is missing throughout


cdef class Neighbors(Scale):
    """Clusters that take in records, each where it then spans least, where it adds least to what is spanned, or where
    there then is the least group diversity within limits."""

    cdef Contributing values
    cdef const int32_t[:, ::1] ranks
    cdef const int32_t[:, ::1] sensitive
    cdef Held *held          # of each cluster, column by column
    cdef uint64_t *has       # of each cluster and set the ranks modulo 64
    cdef Below *below        # of each node
    cdef int64_t *least      # of each node: the least that one of its clusters has already
    cdef int64_t *own        # of each cluster: what it spans in the quasi-identifiers and lacks in all other columns
    cdef Held *asked         # what is looked for
    cdef uint64_t *asked_has
    cdef int64_t[::1] sizes, head, chain_at, chain_counts, chain_next, summed
    cdef int32_t[::1] asked_values
    cdef int64_t[::1] asked_begins
    cdef const double[::1] limits
    cdef Py_ssize_t n, leaves, quasi, used, window, low, high
    cdef int64_t most, best_score, largest
    cdef double share, finest
    cdef Py_ssize_t best
    cdef bint rising         # clusters are compared by how much they rise

    def __cinit__(self):
        self.held = NULL
        self.has = NULL
        self.below = NULL
        self.least = NULL
        self.own = NULL
        self.asked = NULL
        self.asked_has = NULL

    def __dealloc__(self):
        free(self.held)
        free(self.has)
        free(self.below)
        free(self.least)
        free(self.own)
        free(self.asked)
        free(self.asked_has)

    def __init__(self, scale, Py_ssize_t quasi, const int32_t[:, ::1] ranks, clusters, Py_ssize_t more,
                 Py_ssize_t window, Contributing values=None, const int32_t[:, ::1] sensitive=None, int64_t most=FARTHEST,
                 const double[::1] limits=None, double finest=0.0, int64_t largest=FARTHEST):
        """`more`: how many pieces will be added; `window`: how many clusters are looked at; `most`, `limits` and `finest` as in NearCluster; no cluster grows
        beyond `largest` records."""
        Scale.__init__(self, scale)
        cdef const int64_t[::1] at, counts, starts
        at, counts, starts = clusters
        cdef Py_ssize_t c, i, r, pieces = at.shape[0]
        self.n = starts.shape[0] - 1
        if ranks.shape[0] != self.columns or counts.shape[0] != pieces:
            raise ValueError("Neighbors: lengths differ")
        if values is not None and (sensitive.shape[0] != values.columns or limits.shape[0] != values.columns):
            raise ValueError("Neighbors: lengths differ")
        self.values, self.ranks, self.sensitive, self.limits = values, ranks, sensitive, limits
        self.quasi, self.most, self.finest, self.largest, self.window = quasi, most, finest, largest, window
        self.share = 1.0 / max(1, self.columns)
        self.rising = False
        self.leaves = 1
        while self.leaves < self.n:
            self.leaves *= 2
        rated = 0 if values is None else values.columns
        self.held = <Held *> calloc(<size_t> (self.n * self.columns + 1), sizeof(Held))
        self.has = <uint64_t *> calloc(<size_t> (self.n * self.columns + 1), sizeof(uint64_t))
        self.below = <Below *> calloc(<size_t> (2 * self.leaves * self.columns + 1), sizeof(Below))
        self.least = <int64_t *> calloc(<size_t> (2 * self.leaves + 1), sizeof(int64_t))
        self.own = <int64_t *> calloc(<size_t> self.n + 1, sizeof(int64_t))
        self.asked = <Held *> calloc(<size_t> self.columns + 1, sizeof(Held))
        self.asked_has = <uint64_t *> calloc(<size_t> self.columns + 1, sizeof(uint64_t))
        if self.held == NULL or self.has == NULL or self.below == NULL:
            raise MemoryError()
        if self.least == NULL or self.own == NULL or self.asked == NULL or self.asked_has == NULL:
            raise MemoryError()
        self.sizes, self.head = np.zeros(self.n, dtype=np.int64), np.full(self.n, -1, dtype=np.int64)
        room = pieces + more
        self.chain_at, self.chain_counts = np.empty(room, dtype=np.int64), np.empty(room, dtype=np.int64)
        self.chain_next = np.empty(room, dtype=np.int64)
        self.summed = np.zeros(self.n * rated, dtype=np.int64)
        self.asked_values = np.zeros(int(np.max(self.widths, initial=1)) * max(1, self.columns), dtype=np.int32)
        self.asked_begins = np.zeros(self.columns + 1, dtype=np.int64)
        self.used = 0
        with nogil:
            for c in range(self.n):
                for i in range(starts[c], starts[c + 1]):
                    self.put(c, at[i], counts[i])
            for i in range(self.leaves, 2 * self.leaves):
                self.refresh_leaf(i)
            for i in range(self.leaves - 1, 0, -1):
                self.refresh(i)

    def place(self, const int64_t[::1] at, const int64_t[::1] counts, const int64_t[::1] around, int64_t[::1] found,
              Py_ssize_t first, Py_ssize_t last, bint rising=False):
        """Put pieces into the clusters where they fit best, one after the other; -1 where none may take one. `around`:
        the cluster around which each piece looks; `rising`: the best is the one that rises least."""
        cdef Py_ssize_t i
        if rising and self.values is not None:
            raise ValueError("place: clusters with limits are compared by what they have")
        if not (at.shape[0] == counts.shape[0] == around.shape[0] == found.shape[0]) or first < 0 or last > at.shape[0]:
            raise ValueError("place: lengths differ")
        self.rising = rising
        with nogil:
            for i in range(first, last):
                self.ask_record(at[i])
                self.look_around(around[i])
                self.search(at[i], counts[i], -1)
                found[i] = self.best
                if self.best >= 0:
                    self.put(self.best, at[i], counts[i])
                    self.renew(self.best)
        self.rising = False

    def nearest(self, Py_ssize_t cluster):
        """The cluster with which one spans least together, and how much; -1 where there is no other."""
        if not 0 <= cluster < self.n:
            raise ValueError("nearest: no such cluster")
        with nogil:
            self.ask_cluster(cluster)
            self.look_around(cluster)
            self.search(-1, self.sizes[cluster], cluster)
            if self.best < 0:
                self.low, self.high = 0, self.n
                self.search(-1, self.sizes[cluster], cluster)
        return self.best, self.best_score

    def join(self, Py_ssize_t cluster, Py_ssize_t other):
        """The cluster goes into the other one and is empty from now on."""
        cdef int64_t link, following
        if cluster == other or not 0 <= cluster < self.n or not 0 <= other < self.n:
            raise ValueError("join: no such clusters")
        if self.values is not None:
            raise ValueError("join: clusters with limits are not joined")
        with nogil:
            link = self.head[cluster]
            self.head[cluster] = -1
            self.sizes[cluster] = 0
            while link >= 0:
                following = self.chain_next[link]
                self.hold(other, self.chain_at[link])
                self.sizes[other] += self.chain_counts[link]
                self.chain_next[link] = self.head[other]
                self.head[other] = link
                link = following
            self.renew(cluster)
            self.renew(other)

    cdef void look_around(self, Py_ssize_t cluster) noexcept nogil:
        self.high = cluster + (self.window + 1) // 2
        if self.high > self.n:
            self.high = self.n
        self.low = self.high - self.window
        if self.low < 0:
            self.low = 0
            self.high = self.window if self.window < self.n else self.n

    cdef bint is_in(self, Py_ssize_t cluster, Py_ssize_t c, int32_t rank) noexcept nogil:
        """Whether a cluster has a value of a set."""
        cdef int64_t link
        if not self.has[cluster * self.columns + c] >> (rank & 63) & 1:
            return False
        if self.widths[c] <= 64:
            return True
        link = self.head[cluster]
        while link >= 0:
            if self.ranks[c, self.chain_at[link]] == rank:
                return True
            link = self.chain_next[link]
        return False

    cdef void hold(self, Py_ssize_t cluster, int64_t at) noexcept nogil:
        cdef Py_ssize_t c, slot = cluster * self.columns
        cdef int32_t rank
        cdef bint new = False
        for c in range(self.columns):
            rank = self.ranks[c, at]
            if self.kinds[c] == IN_SET and rank:
                new = not self.is_in(cluster, c, rank)
                self.has[slot + c] |= <uint64_t> 1 << (rank & 63)
            self.add(c, &self.held[slot + c], rank, new)

    cdef void put(self, Py_ssize_t cluster, int64_t at, int64_t count) noexcept nogil:
        cdef Py_ssize_t r
        self.hold(cluster, at)
        if self.values is not None:
            for r in range(self.values.columns):
                self.summed[cluster * self.values.columns + r] += self.adds(cluster, r, at, count)
        self.sizes[cluster] += count
        self.chain_at[self.used] = at
        self.chain_counts[self.used] = count
        self.chain_next[self.used] = self.head[cluster]
        self.head[cluster] = self.used
        self.used += 1

    cdef int64_t adds(self, Py_ssize_t cluster, Py_ssize_t r, int64_t at, int64_t count) noexcept nogil:
        """What a piece adds to the contributions of a cluster."""
        cdef int64_t link = self.head[cluster], found = 0
        cdef int32_t value = self.sensitive[r, at]
        while link >= 0:
            found += self.chain_counts[link] * self.values.both(r, value, self.sensitive[r, self.chain_at[link]])
            link = self.chain_next[link]
        return found * count + count * count * self.values.full[r]

    cdef void refresh_leaf(self, Py_ssize_t node) noexcept nogil:
        cdef Py_ssize_t c, cluster = node - self.leaves
        cdef Below *of
        cdef Held *held
        self.least[node] = FARTHEST
        if cluster < self.n and self.sizes[cluster] > 0:
            self.least[node] = self.has_already(cluster)
            self.own[cluster] = 0
        for c in range(self.columns):
            of = &self.below[node * self.columns + c]
            of.low, of.high, of.values, of.bare = 0x7FFFFFFF, -1, 0, 0
            of.least = FARTHEST
            of.distinct = 0x7FFFFFFF
            if cluster >= self.n or self.sizes[cluster] == 0:
                continue
            held = &self.held[cluster * self.columns + c]
            of.least = self.span(c, held)
            self.own[cluster] += of.least if c < self.quasi else self.full[c] - of.least
            of.distinct = held.distinct
            of.values = self.has[cluster * self.columns + c]
            if held.distinct:
                of.low, of.high = held.low, held.high
            else:
                of.bare = 1

    cdef int64_t has_already(self, Py_ssize_t cluster) noexcept nogil:
        """What a cluster scores at least with one more record, whatever it is."""
        cdef Py_ssize_t c
        cdef int64_t spans = 0
        for c in range(self.quasi):
            spans += self.span(c, &self.held[cluster * self.columns + c])
        if self.values is None:
            return spans
        return <int64_t> (<double> spans * self.share) + self.told(cluster)

    cdef int64_t told(self, Py_ssize_t cluster) noexcept nogil:
        """Range Diversity that stays with one more record: its own contributions, and that of the record to itself."""
        cdef Py_ssize_t r
        cdef int64_t found = 0
        cdef double squared = <double> ((self.sizes[cluster] + 1) * (self.sizes[cluster] + 1))
        for r in range(self.values.columns):
            found += <int64_t> (
                <double> (self.summed[cluster * self.values.columns + r] + self.values.full[r]) * (self.finest / squared)
            )
        return found

    cdef void refresh(self, Py_ssize_t node) noexcept nogil:
        cdef Py_ssize_t c
        cdef Below *of
        cdef Below *one
        cdef Below *other
        self.least[node] = self.least[2 * node]
        if self.least[2 * node + 1] < self.least[node]:
            self.least[node] = self.least[2 * node + 1]
        for c in range(self.columns):
            of = &self.below[node * self.columns + c]
            one = &self.below[2 * node * self.columns + c]
            other = &self.below[(2 * node + 1) * self.columns + c]
            of.least = one.least if one.least < other.least else other.least
            of.distinct = one.distinct if one.distinct < other.distinct else other.distinct
            of.low = one.low if one.low < other.low else other.low
            of.high = one.high if one.high > other.high else other.high
            of.values = one.values | other.values
            of.bare = one.bare | other.bare

    cdef void renew(self, Py_ssize_t cluster) noexcept nogil:
        cdef Py_ssize_t node = self.leaves + cluster
        self.refresh_leaf(node)
        node //= 2
        while node > 0:
            self.refresh(node)
            node //= 2

    cdef void ask_record(self, int64_t at) noexcept nogil:
        cdef Py_ssize_t c
        cdef int32_t rank
        for c in range(self.columns):
            rank = self.ranks[c, at]
            self.asked[c].low = self.asked[c].high = self.asked[c].distinct = self.asked[c].missing = 0
            self.add(c, &self.asked[c], rank, True)
            self.asked_begins[c] = c
            self.asked_values[c] = rank
            self.asked_has[c] = <uint64_t> 1 << (rank & 63) if self.kinds[c] == IN_SET and rank else 0
        self.asked_begins[self.columns] = self.columns

    cdef void ask_cluster(self, Py_ssize_t cluster) noexcept nogil:
        cdef Py_ssize_t c, i, seen = 0
        cdef int64_t link
        cdef int32_t rank
        for c in range(self.columns):
            self.asked[c] = self.held[cluster * self.columns + c]
            self.asked_has[c] = self.has[cluster * self.columns + c]
            self.asked_begins[c] = seen
            if self.kinds[c] != IN_SET:
                continue
            link = self.head[cluster]
            while link >= 0:
                rank = self.ranks[c, self.chain_at[link]]
                i = self.asked_begins[c]
                while i < seen and self.asked_values[i] != rank:
                    i += 1
                if i == seen and rank:
                    self.asked_values[seen] = rank
                    seen += 1
                link = self.chain_next[link]
        self.asked_begins[self.columns] = seen

    cdef int64_t together(self, Py_ssize_t cluster, Py_ssize_t c) noexcept nogil:
        """What a cluster and what is looked for span in a column."""
        cdef Held both = self.held[cluster * self.columns + c]
        cdef Held *more = &self.asked[c]
        cdef Py_ssize_t i
        both.missing |= more.missing
        if more.distinct == 0:
            return self.span(c, &both)
        if both.distinct == 0:
            both.low, both.high, both.distinct = more.low, more.high, more.distinct
            return self.span(c, &both)
        if more.low < both.low:
            both.low = more.low
        if more.high > both.high:
            both.high = more.high
        if self.kinds[c] == IN_SET:
            for i in range(self.asked_begins[c], self.asked_begins[c + 1]):
                if not self.is_in(cluster, c, self.asked_values[i]):
                    both.distinct += 1
        return self.span(c, &both)

    cdef int64_t bound(self, Py_ssize_t node) noexcept nogil:
        """What any cluster below a node spans at least with what is looked for, in the quasi-identifiers."""
        cdef Py_ssize_t c
        cdef int64_t least, found = 0
        cdef Below *of
        cdef Held *more
        for c in range(self.quasi):
            of = &self.below[node * self.columns + c]
            if of.least == FARTHEST:
                return FARTHEST
            more = &self.asked[c]
            least = of.least
            if self.kinds[c] == IN_TREE:
                least = self.beyond_tree(c, of, more, least)
            elif more.distinct == 0:
                # Missing is near to missing alone.
                least = 0 if of.bare else self.full[c]
            elif more.missing or of.high < 0:
                least = self.full[c]
            elif self.kinds[c] == ON_LINE:
                least = self.beyond_line(c, of, more, least)
            elif not of.values & self.asked_has[c] and not of.bare:
                least = self.units[self.begins[c] + of.distinct + more.distinct]
            elif not of.bare and self.units[self.begins[c] + more.distinct] > least:
                least = self.units[self.begins[c] + more.distinct]
            found += least
        return found

    cdef inline int64_t beyond_line(self, Py_ssize_t c, Below *of, Held *more, int64_t least) noexcept nogil:
        cdef int64_t begin = self.begins[c], apart
        apart = self.units[begin + more.high] - self.units[begin + more.low]
        least = apart if apart > least else least
        apart = self.units[begin + more.high] - self.units[begin + of.high]
        least = apart if apart > least else least
        apart = self.units[begin + of.low] - self.units[begin + more.low]
        return apart if apart > least else least

    cdef inline int64_t beyond_tree(self, Py_ssize_t c, Below *of, Held *more, int64_t least) noexcept nogil:
        cdef int64_t apart = self.in_tree(c, more.low, more.high)
        least = apart if apart > least else least
        if more.high > of.high:
            apart = self.in_tree(c, of.high, more.high)
            least = apart if apart > least else least
        if more.low < of.low:
            apart = self.in_tree(c, more.low, of.low)
            least = apart if apart > least else least
        return least

    cdef void weigh(self, Py_ssize_t cluster, int64_t at, int64_t count) noexcept nogil:
        """Whether a cluster is the best so far."""
        cdef Py_ssize_t c, r
        cdef int64_t spans = 0, found, contributions
        cdef double squared
        if self.rising:
            spans = -self.own[cluster]
        for c in range(self.columns):
            found = self.together(cluster, c)
            spans += found if c < self.quasi else self.full[c] - found
            if self.values is None and spans > self.best_score:
                return
        if self.values is None:
            found = spans
        else:
            if spans > self.most or self.sizes[cluster] + count > self.largest:
                return
            found = <int64_t> (<double> spans * self.share)
            if found + self.told(cluster) > self.best_score:
                return
            squared = <double> ((self.sizes[cluster] + count) * (self.sizes[cluster] + count))
            for r in range(self.values.columns):
                contributions = self.summed[cluster * self.values.columns + r] + self.adds(cluster, r, at, count)
                if <double> contributions > self.limits[r] * squared:
                    return
                found += <int64_t> (<double> contributions * (self.finest / squared))
        if self.best < 0 or found < self.best_score or (found == self.best_score and cluster < self.best):
            self.best, self.best_score = cluster, found

    cdef void search(self, int64_t at, int64_t count, Py_ssize_t but) noexcept nogil:
        self.best, self.best_score = -1, FARTHEST
        if self.n:
            self.descend(1, 0, self.leaves, at, count, but)

    cdef void descend(self, Py_ssize_t node, Py_ssize_t first, Py_ssize_t width, int64_t at, int64_t count,
                      Py_ssize_t but) noexcept nogil:
        cdef Py_ssize_t half = width // 2
        cdef int64_t one, other
        if first >= self.high or first + width <= self.low:
            return
        if width == 1:
            if node - self.leaves != but and self.sizes[node - self.leaves] > 0:
                self.weigh(node - self.leaves, at, count)
            return
        one, other = self.bound(2 * node), self.bound(2 * node + 1)
        if one <= other:
            if self.may(2 * node, one, first):
                self.descend(2 * node, first, half, at, count, but)
            if self.may(2 * node + 1, other, first + half):
                self.descend(2 * node + 1, first + half, half, at, count, but)
        else:
            if self.may(2 * node + 1, other, first + half):
                self.descend(2 * node + 1, first + half, half, at, count, but)
            if self.may(2 * node, one, first):
                self.descend(2 * node, first, half, at, count, but)

    cdef inline bint may(self, Py_ssize_t node, int64_t bound, Py_ssize_t first) noexcept nogil:
        """Whether a cluster below a node, from the first one on and spanning so much at least, may still be the best."""
        if bound == FARTHEST or first >= self.n:
            return False
        if self.rising:
            # A cluster that spans much may rise little: there is no bound.
            return True
        if self.values is not None:
            if bound > self.most:
                return False
            bound = <int64_t> (<double> bound * self.share)
        if self.least[node] > bound:
            bound = self.least[node]
        return self.best < 0 or bound < self.best_score or (bound == self.best_score and first < self.best)
