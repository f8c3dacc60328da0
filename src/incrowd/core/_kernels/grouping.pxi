# Grouping of masked keys and of histograms, for the lattice search. Included by compiled.pyx.

cdef struct Place:
    uint64_t key     # a single word under the mask, or the hash of several
    int32_t call     # the call that wrote it; of an earlier call it is empty
    int32_t group


cdef inline uint64_t mixed(const uint64_t *key, const uint64_t *mask, Py_ssize_t words) noexcept nogil:
    """A hash of the masked words whose high bits are good."""
    cdef uint64_t h = (key[0] & mask[0]) * PHI
    cdef Py_ssize_t w
    for w in range(1, words):
        h = ((h ^ (h >> 29)) + (key[w] & mask[w])) * PHI
    return h


cdef inline bint equal(const uint64_t *a, const uint64_t *b, const uint64_t *mask, Py_ssize_t words) noexcept nogil:
    """Whether all words are equal under the mask."""
    cdef Py_ssize_t w
    for w in range(words):
        if (a[w] ^ b[w]) & mask[w]:
            return False
    return True


cdef struct Groups:
    Place *places
    int64_t *sums     # per group
    int32_t *first    # per group its first key
    int shift         # of the table as it was made: it has 2^(64 - shift) places
    int32_t call


cdef int make(Groups *groups, int shift) except -1 nogil:
    """A larger table; what is known of the groups stays."""
    cdef size_t size = <size_t> 1 << (64 - shift)
    cdef Place *places = <Place *> calloc(size, sizeof(Place))
    cdef int64_t *sums = <int64_t *> realloc(groups.sums, (size // 2 + 1) * sizeof(int64_t))
    if sums != NULL:
        groups.sums = sums
    cdef int32_t *first = <int32_t *> realloc(groups.first, (size // 2 + 1) * sizeof(int32_t))
    if first != NULL:
        groups.first = first
    if places == NULL or sums == NULL or first == NULL:
        free(places)
        with gil:
            raise MemoryError()
    free(groups.places)
    groups.places = places
    groups.shift = shift
    return 0


cdef int32_t begin(Groups *groups) noexcept nogil:
    """The number of a new call, to which all places are empty."""
    if groups.call == INT32_MAX:
        memset(groups.places, 0, (<size_t> 1 << (64 - groups.shift)) * sizeof(Place))
        groups.call = 0
    groups.call += 1
    return groups.call


cdef int spread(Groups *groups, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words, Py_ssize_t n,
                int shift) except -1 nogil:
    """Place the n groups anew in 2^(64 - shift) places."""
    cdef Py_ssize_t g, at, last = (<Py_ssize_t> 1 << (64 - shift)) - 1
    cdef uint64_t h
    if shift < groups.shift:
        make(groups, shift)
    cdef int32_t call = begin(groups)
    for g in range(n):
        h = mixed(keys + groups.first[g] * words, mask, words)
        at = <Py_ssize_t> (h >> shift)
        while groups.places[at].call == call:
            at = (at + 1) & last
        groups.places[at].key = keys[groups.first[g]] & mask[0] if words == 1 else h
        groups.places[at].call = call
        groups.places[at].group = <int32_t> g
    return 0


cdef inline Py_ssize_t fill(Groups *groups, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words,
                            const int64_t *counts, Py_ssize_t n, int32_t *of) except -1 nogil:
    """Count every key into its group, noted in `of` unless that is NULL; how many groups there are."""
    # A part of the table that suits so many keys: what lies close together stays in the cache.
    cdef int shift = 64 - 10
    while (<Py_ssize_t> 1 << (64 - shift)) < n:
        shift -= 1
    if shift < groups.shift:
        make(groups, shift)
    cdef Py_ssize_t i, at, found = 0, last = (<Py_ssize_t> 1 << (64 - shift)) - 1
    cdef int32_t call = begin(groups)
    cdef Place *places = groups.places
    cdef Place *place
    cdef int64_t *sums = groups.sums
    cdef int32_t *first = groups.first
    cdef uint64_t key, h, bits = mask[0]
    for i in range(n):
        if words == 1:
            if i + AHEAD < n:
                incrowd_prefetch(&places[<Py_ssize_t> (((keys[i + AHEAD] & bits) * PHI) >> shift)])
            key = keys[i] & bits
            h = key * PHI
        else:
            key = h = mixed(keys + i * words, mask, words)
        at = <Py_ssize_t> (h >> shift)
        while True:
            place = &places[at]
            if place.call != call:
                place.key = key
                place.call = call
                place.group = <int32_t> found
                first[found] = <int32_t> i
                sums[found] = counts[i]
                found += 1
                break
            if place.key == key and (
                    words == 1 or equal(keys + i * words, keys + first[place.group] * words, mask, words)):
                sums[place.group] += counts[i]
                break
            at = (at + 1) & last
        if of != NULL:
            of[i] = place.group
        if 2 * found > last:
            shift -= 1
            spread(groups, keys, mask, words, found, shift)
            places, sums, first, call = groups.places, groups.sums, groups.first, groups.call
            last = 2 * last + 1
    return found


cdef class Grouper:
    """Groups masked keys. The table is kept between calls, and what an earlier call wrote counts as empty, so that a
    call costs its keys and its groups, not the size of the table."""

    cdef Groups groups

    def __cinit__(self):
        make(&self.groups, 64 - 11)

    def __dealloc__(self):
        free(self.groups.places)
        free(self.groups.sums)
        free(self.groups.first)

    cdef Py_ssize_t count(self, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words, const int64_t *counts,
                          Py_ssize_t n, int32_t *of) except -1:
        """Fill the table anew. Most keys have one word and need no numbers: that case is compiled by itself."""
        if words == 1 and of == NULL:
            return fill(&self.groups, keys, mask, 1, counts, n, NULL)
        return fill(&self.groups, keys, mask, words, counts, n, of)

    def group(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts, bint assign):
        """Keys, counts and first members of the groups in order of first appearance, and (on demand) the group of
        each key; a group is what is equal under the mask."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found = 0, g, w
        if counts.shape[0] != n or mask.shape[0] != words or words == 0:
            raise ValueError("group: lengths differ")
        of_array = np.empty(n if assign else 0, dtype=np.int32)
        cdef int32_t[::1] of = of_array
        if n:
            found = self.count(&keys[0, 0], &mask[0], words, &counts[0], n, &of[0] if assign else NULL)
        groups_array = np.empty((found, words), dtype=np.uint64)
        sums_array = np.empty(found, dtype=np.int64)
        first_array = np.empty(found, dtype=np.int32)
        cdef uint64_t[:, ::1] groups = groups_array
        cdef int64_t[::1] sums = sums_array
        cdef int32_t[::1] first = first_array
        with nogil:
            for g in range(found):
                sums[g] = self.groups.sums[g]
                first[g] = self.groups.first[g]
                for w in range(words):
                    groups[g, w] = keys[first[g], w] & mask[w]
        return groups_array, sums_array, first_array, of_array
