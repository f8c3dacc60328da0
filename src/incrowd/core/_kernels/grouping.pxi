# Grouping of masked keys and of histograms: the lattice search. Included by compiled.pyx.

cdef inline uint64_t mixed(const uint64_t *key, const uint64_t *mask, Py_ssize_t words) noexcept nogil:
    """A hash of the masked words whose high bits are good."""
    cdef uint64_t h = (key[0] & mask[0]) * PHI
    cdef Py_ssize_t w
    for w in range(1, words):
        h = ((h ^ (h >> 29)) + (key[w] & mask[w])) * PHI
    return h


cdef class Grouper:
    """Groups masked keys. The table is kept between calls and only touched slots are cleared, so that a call costs its
    keys and its groups, not the size of the table."""

    cdef int32_t[::1] slots  # number of a group + 1, 0 where empty
    cdef int64_t[::1] touched
    cdef int shift

    def __init__(self):
        self.shift = 64 - 12
        self.slots = np.zeros(1 << 12, dtype=np.int32)
        self.touched = np.empty(1 << 11, dtype=np.int64)

    cdef int grow(self, const uint64_t[:, ::1] groups, const uint64_t[::1] mask, Py_ssize_t n) except -1 nogil:
        """Double the table and place the n groups anew."""
        cdef Py_ssize_t i, at, size = self.slots.shape[0] * 2
        with gil:
            self.slots = np.zeros(size, dtype=np.int32)
            self.touched = np.empty(size // 2, dtype=np.int64)
        self.shift -= 1
        for i in range(n):
            at = <Py_ssize_t> (mixed(&groups[i, 0], &mask[0], groups.shape[1]) >> self.shift)
            while self.slots[at] != 0:
                at = (at + 1) & (size - 1)
            self.slots[at] = <int32_t> (i + 1)
            self.touched[i] = at
        return 0

    def group(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts, bint assign):
        """Keys, counts and first members of the groups in order of first appearance, and (on demand) the group of
        each key; a group is what is equal under the mask."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found = 0, i, at, w, room
        cdef int32_t number
        cdef uint64_t h
        if counts.shape[0] != n or mask.shape[0] != words or words == 0:
            raise ValueError("group: lengths differ")
        room = min(n, max(1024, n // 4))
        groups_array = np.empty((room, words), dtype=np.uint64)
        sums_array = np.empty(room, dtype=np.int64)
        first_array = np.empty(room, dtype=np.int32)
        of_array = np.empty(n if assign else 0, dtype=np.int32)
        cdef uint64_t[:, ::1] groups = groups_array
        cdef int64_t[::1] sums = sums_array
        cdef int32_t[::1] first = first_array
        cdef int32_t[::1] of = of_array
        cdef int32_t[::1] slots = self.slots
        cdef int64_t[::1] touched = self.touched
        cdef Py_ssize_t last = slots.shape[0] - 1
        cdef int shift = self.shift
        cdef uint64_t only = mask[0], key
        with nogil:
            for i in range(n):
                key = keys[i, 0] & only
                h = key * PHI if words == 1 else mixed(&keys[i, 0], &mask[0], words)
                at = <Py_ssize_t> (h >> shift)
                while True:
                    number = slots[at]
                    if number == 0:
                        break
                    if groups[number - 1, 0] == key:
                        w = 1
                        while w < words and groups[number - 1, w] == keys[i, w] & mask[w]:
                            w += 1
                        if w == words:
                            break
                    at = (at + 1) & last
                if number == 0:
                    if found == room:
                        room = min(n, 2 * room)
                        with gil:
                            groups_array = np.resize(groups_array, (room, words))
                            sums_array = np.resize(sums_array, room)
                            first_array = np.resize(first_array, room)
                            groups = groups_array
                            sums = sums_array
                            first = first_array
                    if 2 * (found + 1) > slots.shape[0]:
                        self.grow(groups, mask, found)
                        slots = self.slots
                        touched = self.touched
                        last = slots.shape[0] - 1
                        shift = self.shift
                        at = <Py_ssize_t> (h >> shift)
                        while slots[at] != 0:
                            at = (at + 1) & last
                    for w in range(words):
                        groups[found, w] = keys[i, w] & mask[w]
                    sums[found] = 0
                    first[found] = <int32_t> i
                    touched[found] = at
                    found += 1
                    number = <int32_t> found
                    slots[at] = number
                sums[number - 1] += counts[i]
                if assign:
                    of[i] = number - 1
            for i in range(found):
                slots[touched[i]] = 0
        return groups_array[:found], sums_array[:found], first_array[:found], of_array


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
