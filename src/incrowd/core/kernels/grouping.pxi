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


cdef struct Bucket:
    uint64_t key
    int64_t sum      # 0 where it is empty, else TAKEN and the sum


cdef struct Groups:
    int64_t *sums      # per group
    int32_t *first     # per group its first key
    int32_t *left      # keys that are left over for another round
    int32_t *taken     # the buckets of a round that are not empty
    Py_ssize_t room    # for so many keys
    Place *places
    int shift          # there are 2^(64 - shift) places, none where it is 64
    int32_t call
    Bucket *buckets
    int bucket_shift


cdef int64_t TAKEN = <int64_t> 1 << 62


cdef void *larger(void *old, size_t size) except NULL nogil:
    """The same block of memory with more room."""
    cdef void *found = realloc(old, size)
    if found == NULL:
        with gil:
            raise MemoryError()
    return found


cdef int make_room(Groups *groups, Py_ssize_t n) except -1 nogil:
    """For so many keys, and one group beyond the last."""
    if n >= groups.room:
        groups.sums = <int64_t *> larger(groups.sums, (n + 1) * sizeof(int64_t))
        groups.first = <int32_t *> larger(groups.first, (n + 1) * sizeof(int32_t))
        groups.left = <int32_t *> larger(groups.left, (n + 1) * sizeof(int32_t))
        groups.taken = <int32_t *> larger(groups.taken, (n + 1) * sizeof(int32_t))
        groups.room = n + 1
    return 0


cdef void *empty_table(int shift, size_t entry) except NULL nogil:
    """A table of 2^(64 - shift) entries."""
    cdef void *found = calloc(<size_t> 1 << (64 - shift), entry)
    if found == NULL:
        with gil:
            raise MemoryError()
    return found


cdef int suiting(Py_ssize_t n) noexcept nogil:
    """The shift of a table, or of a part of it, that suits so many keys: what lies close together stays in the cache."""
    cdef int shift = 64 - 8
    while (<Py_ssize_t> 1 << (64 - shift)) < n:
        shift -= 1
    return shift


cdef Py_ssize_t sift(Groups *groups, const uint64_t *keys, uint64_t mask, const int64_t *counts,
                     Py_ssize_t n) except -1 nogil:
    """Sums and first members of the groups of keys of one word, in no order; how many there are.

    A bucket takes the first key that falls into it and counts its like; other keys are left over for another round, with
    another hash. Nothing here branches on a key, since whether a key is new cannot be foreseen."""
    cdef int shift = suiting(n)
    cdef Py_ssize_t found = 0, in_round, rest, i, j, at, rounds = 0
    cdef uint64_t key, other, factor = PHI
    cdef int64_t fresh
    make_room(groups, n)
    if shift < groups.bucket_shift:
        free(groups.buckets)
        groups.buckets = NULL
        groups.buckets = <Bucket *> empty_table(shift, sizeof(Bucket))
        groups.bucket_shift = shift
    cdef Bucket *buckets = groups.buckets
    cdef Bucket *bucket
    cdef int32_t *left = groups.left
    cdef int32_t *taken = groups.taken
    cdef int32_t *first = groups.first
    cdef int64_t *sums = groups.sums
    while n:
        shift = suiting(n)
        in_round = rest = 0
        for j in range(n):
            if j + AHEAD < n:
                i = left[j + AHEAD] if rounds else j + AHEAD
                incrowd_prefetch(&buckets[<Py_ssize_t> (((keys[i] & mask) * factor) >> shift)])
            i = left[j] if rounds else j
            key = keys[i] & mask
            at = <Py_ssize_t> ((key * factor) >> shift)
            bucket = &buckets[at]
            fresh = bucket.sum == 0
            # All bits 0 where the bucket is empty or has the same key.
            other = (bucket.key ^ key) & (<uint64_t> fresh - 1)
            bucket.key = key ^ other
            bucket.sum += (counts[i] & -<int64_t> (other == 0)) + (TAKEN & -fresh)
            first[in_round] = <int32_t> i
            taken[in_round] = <int32_t> at
            in_round += fresh
            left[rest] = <int32_t> i
            rest += other != 0
        for j in range(in_round):
            sums[j] = buckets[taken[j]].sum - TAKEN
            buckets[taken[j]].sum = 0
        first, sums = first + in_round, sums + in_round
        found += in_round
        n = rest
        rounds += 1
        factor = factor * PHI | 1
    return found


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
        free(groups.places)
        groups.places = NULL
        groups.places = <Place *> empty_table(shift, sizeof(Place))
        groups.shift = shift
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


cdef Py_ssize_t number(Groups *groups, const uint64_t *keys, const uint64_t *mask, Py_ssize_t words,
                       const int64_t *counts, Py_ssize_t n, int32_t *of) except -1 nogil:
    """Sums and first members of the groups in order of first appearance, and in `of` the group of each key; how many
    groups there are."""
    cdef int shift = suiting(n)
    cdef Py_ssize_t i, at, found = 0, last = (<Py_ssize_t> 1 << (64 - shift)) - 1
    cdef Place *place
    cdef uint64_t key, h
    make_room(groups, n)
    spread(groups, keys, mask, words, 0, shift)
    for i in range(n):
        if words == 1:
            key = keys[i] & mask[0]
            h = key * PHI
        else:
            key = h = mixed(keys + i * words, mask, words)
        at = <Py_ssize_t> (h >> shift)
        while True:
            place = &groups.places[at]
            if place.call != groups.call:
                place.key = key
                place.call = groups.call
                place.group = <int32_t> found
                groups.first[found] = <int32_t> i
                groups.sums[found] = counts[i]
                found += 1
                break
            if place.key == key and (
                    words == 1 or equal(keys + i * words, keys + groups.first[place.group] * words, mask, words)):
                groups.sums[place.group] += counts[i]
                break
            at = (at + 1) & last
        of[i] = place.group
        if 2 * found > last:
            shift -= 1
            spread(groups, keys, mask, words, found, shift)
            last = 2 * last + 1
    return found


cdef class Grouper:
    """Groups masked keys. Tables are kept between calls, and what an earlier call wrote counts as empty, so that a call
    costs its keys and its groups, not the size of the tables."""

    cdef Groups groups

    def __cinit__(self):
        self.groups.shift = self.groups.bucket_shift = 64

    def __dealloc__(self):
        free(self.groups.sums)
        free(self.groups.first)
        free(self.groups.left)
        free(self.groups.taken)
        free(self.groups.places)
        free(self.groups.buckets)

    cdef Py_ssize_t count(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts,
                          int32_t[::1] of) except -1:
        """Find the groups, and the group of each key where there is room for it in `of`; how many there are."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1]
        if n == 0:
            return 0
        if words == 1 and of.shape[0] == 0:
            return sift(&self.groups, &keys[0, 0], mask[0], &counts[0], n)
        if of.shape[0] == 0:
            of = np.empty(n, dtype=np.int32)
        return number(&self.groups, &keys[0, 0], &mask[0], words, &counts[0], n, &of[0])

    def group(self, const uint64_t[:, ::1] keys, const uint64_t[::1] mask, const int64_t[::1] counts, bint assign):
        """Keys, counts and first members of the groups; a group is what is equal under the mask. On demand also the
        group of each key: then they are in order of first appearance, else in any."""
        cdef Py_ssize_t n = keys.shape[0], words = keys.shape[1], found, g, w
        if counts.shape[0] != n or mask.shape[0] != words or words == 0:
            raise ValueError("group: lengths differ")
        of_array = np.empty(n if assign else 0, dtype=np.int32)
        cdef int32_t[::1] of = of_array
        found = self.count(keys, mask, counts, of)
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
