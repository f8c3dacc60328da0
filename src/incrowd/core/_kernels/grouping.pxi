# Grouping of masked keys and of histograms, for the lattice search. Included by compiled.pyx.

cdef struct Entry:
    uint64_t key     # its first word, under the mask
    int64_t count
    int32_t number   # of the group + 1; 0 where the entry is empty
    int32_t first


cdef inline uint64_t mixed(const uint64_t *key, const uint64_t *mask, Py_ssize_t words) noexcept nogil:
    """A hash of the masked words whose high bits are good."""
    cdef uint64_t h = (key[0] & mask[0]) * PHI
    cdef Py_ssize_t w
    for w in range(1, words):
        h = ((h ^ (h >> 29)) + (key[w] & mask[w])) * PHI
    return h


cdef inline bint equal_beyond(const uint64_t *a, const uint64_t *b, const uint64_t *mask,
                              Py_ssize_t words) noexcept nogil:
    """Whether all words but the first are equal under the mask."""
    cdef Py_ssize_t w
    for w in range(1, words):
        if (a[w] ^ b[w]) & mask[w]:
            return False
    return True


cdef class Grouper:
    """Groups masked keys. The table is kept between calls and only touched entries are cleared, so that a call costs
    its keys and its groups, not the size of the table."""

    cdef Entry *entries
    cdef int32_t *touched
    cdef int shift

    def __cinit__(self):
        self.shift = 64 - 11
        self.entries = <Entry *> calloc(<size_t> 1 << 11, sizeof(Entry))
        self.touched = <int32_t *> calloc(<size_t> 1 << 10, sizeof(int32_t))
        if self.entries == NULL or self.touched == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.entries)
        free(self.touched)

    cdef int spread(self, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words, Py_ssize_t n,
                    int shift) except -1 nogil:
        """Place the n groups anew in twice as many entries, more of them where those are not there yet."""
        cdef Py_ssize_t size = <Py_ssize_t> 1 << (64 - shift), i, at
        cdef Entry *old = self.entries
        cdef Entry *moved
        cdef int32_t *touched = self.touched
        if shift < self.shift:
            self.entries = <Entry *> calloc(<size_t> size, sizeof(Entry))
            self.touched = <int32_t *> calloc(<size_t> size // 2, sizeof(int32_t))
            self.shift = shift
        moved = <Entry *> calloc(<size_t> n, sizeof(Entry))
        if self.entries == NULL or self.touched == NULL or moved == NULL:
            with gil:
                raise MemoryError()
        for i in range(n):
            moved[i] = old[touched[i]]
            old[touched[i]].number = 0
        for i in range(n):
            at = <Py_ssize_t> (mixed(keys + moved[i].first * words, mask, words) >> shift)
            while self.entries[at].number != 0:
                at = (at + 1) & (size - 1)
            self.entries[at] = moved[i]
            self.touched[i] = <int32_t> at
        free(moved)
        if old != self.entries:
            free(old)
            free(touched)
        return 0

    def group(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts, bint assign):
        """Keys, counts and first members of the groups in order of first appearance, and (on demand) the group of
        each key; a group is what is equal under the mask."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found = 0, i, w
        if counts.shape[0] != n or mask.shape[0] != words or words == 0:
            raise ValueError("group: lengths differ")
        of_array = np.empty(n if assign else 0, dtype=np.int32)
        if n:
            found = self.fill(&keys[0, 0], &mask[0], words, &counts[0], n, of_array if assign else None)
        groups_array = np.empty((found, words), dtype=np.uint64)
        sums_array = np.empty(found, dtype=np.int64)
        first_array = np.empty(found, dtype=np.int32)
        cdef uint64_t[:, ::1] groups = groups_array
        cdef int64_t[::1] sums = sums_array
        cdef int32_t[::1] first = first_array
        cdef Entry *entry
        with nogil:
            for i in range(found):
                entry = &self.entries[self.touched[i]]
                sums[i] = entry.count
                first[i] = entry.first
                for w in range(words):
                    groups[i, w] = keys[entry.first, w] & mask[w]
                entry.number = 0
        return groups_array, sums_array, first_array, of_array

    def judge(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts, int64_t k,
              int64_t budget, const int64_t[::1] origins, const int32_t[:, ::1] codes, const double[::1] costs,
              const int64_t[::1] begins):
        """What k-anonymity makes of the groups, without listing them: records in groups of fewer than k, groups of k or
        more, the smallest of those (0 for none), and what losing those records costs: costs[begins[c] + code] for
        each column c. That is 0 where more records than the budget would be lost."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found = 0, i, c
        cdef int64_t lost = 0, kept = 0, smallest = 0
        cdef double cost = 0.0, each
        cdef Entry *entry
        if counts.shape[0] != n or origins.shape[0] != n or mask.shape[0] != words or words == 0:
            raise ValueError("judge: lengths differ")
        if begins.shape[0] > codes.shape[0]:
            raise ValueError("judge: more columns than codes")
        if n:
            found = self.fill(&keys[0, 0], &mask[0], words, &counts[0], n, None)
        with nogil:
            for i in range(found):
                entry = &self.entries[self.touched[i]]
                if entry.count >= k:
                    kept += 1
                    if smallest == 0 or entry.count < smallest:
                        smallest = entry.count
                else:
                    lost += entry.count
            for i in range(found):
                entry = &self.entries[self.touched[i]]
                if entry.count < k and lost <= budget:
                    each = 0.0
                    for c in range(begins.shape[0]):
                        each += costs[begins[c] + codes[c, origins[entry.first]]]
                    cost += each * entry.count
                entry.number = 0
        return lost, kept, smallest, cost

    cdef Py_ssize_t fill(self, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words, const int64_t *counts,
                         Py_ssize_t n, int32_t[::1] of) except -1:
        """Count every key into its entry; how many groups there are."""
        cdef bint assign = of is not None
        cdef int32_t *numbers = &of[0] if assign else NULL
        # A part of the table that suits so many keys: what lies close together stays in the cache.
        cdef int shift = 64 - 11
        while shift > self.shift and (<Py_ssize_t> 1 << (64 - shift)) < n:
            shift -= 1
        cdef Py_ssize_t i, at, found = 0, last = (<Py_ssize_t> 1 << (64 - shift)) - 1
        cdef Entry *entries = self.entries
        cdef Entry *entry
        cdef uint64_t key, h, first_mask = mask[0]
        with nogil:
            for i in range(n):
                key = keys[i * words] & first_mask
                h = key * PHI if words == 1 else mixed(keys + i * words, mask, words)
                at = <Py_ssize_t> (h >> shift)
                while True:
                    entry = &entries[at]
                    if entry.number == 0 or (entry.key == key and (
                            words == 1 or equal_beyond(keys + i * words, keys + entry.first * words, mask, words))):
                        break
                    at = (at + 1) & last
                if entry.number == 0:
                    if 2 * (found + 1) > last:
                        shift -= 1
                        self.spread(keys, mask, words, found, shift)
                        entries = self.entries
                        last = 2 * last + 1
                        at = <Py_ssize_t> (h >> shift)
                        while entries[at].number != 0:
                            at = (at + 1) & last
                        entry = &entries[at]
                    self.touched[found] = <int32_t> at
                    found += 1
                    entry.key = key
                    entry.count = 0
                    entry.number = <int32_t> found
                    entry.first = <int32_t> i
                entry.count += counts[i]
                if assign:
                    numbers[i] = entry.number - 1
        return found


def regroup(const int32_t[::1] of, Py_ssize_t n_groups, const int64_t[::1] starts, const int32_t[::1] values,
            const int64_t[::1] counts, Py_ssize_t n_values):
    """The histograms of groups: member i has the entries from starts[i] to starts[i + 1] and is in group of[i]."""
    cdef Py_ssize_t n = of.shape[0], i, j, g, at, found = 0
    cdef int32_t value
    if starts.shape[0] != n + 1 or values.shape[0] != counts.shape[0]:
        raise ValueError("regroup: lengths differ")
    begin_array = np.zeros(n_groups + 1, dtype=np.int64)
    members_array = np.empty(n, dtype=np.int32)
    new_starts_array = np.zeros(n_groups + 1, dtype=np.int64)
    new_values_array = np.empty(values.shape[0], dtype=np.int32)
    new_counts_array = np.empty(values.shape[0], dtype=np.int64)
    cdef int64_t[::1] begin = begin_array
    cdef int32_t[::1] members = members_array
    cdef int64_t[::1] new_starts = new_starts_array
    cdef int32_t[::1] new_values = new_values_array
    cdef int64_t[::1] new_counts = new_counts_array
    cdef int64_t[::1] place = np.full(n_values, -1, dtype=np.int64)
    with nogil:
        for i in range(n):
            begin[of[i] + 1] += 1
        for g in range(n_groups):
            begin[g + 1] += begin[g]
        for i in range(n):
            members[begin[of[i]]] = <int32_t> i
            begin[of[i]] += 1
        # begin[g] is now where group g ends.
        at = 0
        for g in range(n_groups):
            new_starts[g] = found
            while at < begin[g]:
                i = members[at]
                at += 1
                for j in range(starts[i], starts[i + 1]):
                    value = values[j]
                    # A place before this group's first entry is an earlier group's.
                    if place[value] < new_starts[g]:
                        place[value] = found
                        new_values[found] = value
                        new_counts[found] = 0
                        found += 1
                    new_counts[place[value]] += counts[j]
        new_starts[n_groups] = found
    return new_starts_array, new_values_array[:found].copy(), new_counts_array[:found].copy()


cdef class Board:
    """The nodes of a listed lattice, visited in a given order: which are still open, and the least that each can score.

    A node's number is its place in an array of the given shape, the last column running fastest.
    """

    cdef double[::1] bound
    cdef double[::1] extra
    cdef uint8_t[::1] closed
    cdef int64_t[::1] order
    cdef int64_t[::1] shape
    cdef Py_ssize_t place

    def __init__(self, double[::1] bound, int64_t[::1] order, int64_t[::1] shape):
        if np.prod(shape) != bound.shape[0] or order.shape[0] != bound.shape[0]:
            raise ValueError("board: lengths differ")
        self.bound = bound
        self.extra = np.zeros(bound.shape[0])
        self.closed = np.zeros(bound.shape[0], dtype=np.uint8)
        self.order = order
        self.shape = shape
        self.place = 0

    def next(self, double best):
        """The next open node that may score less than the best, closed by being given out; -1 where there is none."""
        cdef Py_ssize_t at
        while self.place < self.order.shape[0]:
            at = self.order[self.place]
            self.place += 1
            if not self.closed[at]:
                self.closed[at] = 1
                if self.bound[at] + self.extra[at] < best:
                    return at
        return -1

    def tell(self, const int64_t[::1] node, bint dead, double extra):
        """Of all nodes below or at the given one: that they are closed, or score at least their bound plus this."""
        cdef Py_ssize_t columns = self.shape.shape[0], last = columns - 1, at = 0, c, i, width
        cdef int64_t[::1] here = np.zeros(columns, dtype=np.int64)
        cdef int64_t[::1] strides = np.ones(columns, dtype=np.int64)
        if node.shape[0] != columns:
            raise ValueError("board: another number of columns")
        for c in range(last - 1, -1, -1):
            strides[c] = strides[c + 1] * self.shape[c + 1]
        for c in range(columns):
            if not 0 <= node[c] < self.shape[c]:
                raise ValueError("board: no such node")
        width = node[last] + 1
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
                while c >= 0 and here[c] == node[c]:
                    at -= here[c] * strides[c]
                    here[c] = 0
                    c -= 1
                if c < 0:
                    break
                here[c] += 1
                at += strides[c]

    def floor(self):
        """No open node scores less; infinite where none is open."""
        cdef double least = np.inf
        cdef Py_ssize_t i
        for i in range(self.bound.shape[0]):
            if not self.closed[i] and self.bound[i] + self.extra[i] < least:
                least = self.bound[i] + self.extra[i]
        return least
