"""The hot loops: hash counting, numbering of keys, refinement of classes.

`numpy_kernels.py` holds the same names in NumPy; tests bind the two. No Python object is touched inside a loop.
"""

import numpy as np

from libc.math cimport HUGE_VAL
from libc.stdint cimport INT32_MAX, INT64_MAX, int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free, qsort, realloc
from libc.string cimport memcmp, memcpy, memset

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define incrowd_prefetch(p) __builtin_prefetch((p), 1, 1)
    #else
    #define incrowd_prefetch(p) ((void)0)
    #endif
    """
    void incrowd_prefetch(void *) noexcept nogil

# Knuth's multiplicative hash: the high bits of key * 2^64/phi spread consecutive keys evenly.
cdef uint64_t PHI = 0x9E3779B97F4A7C15ULL
cdef uint64_t STRIDE = 0x9E3779B1  # odd, so that it meets every slot of a table whose size is a power of two
cdef Py_ssize_t AHEAD = 12
cdef int MOST_DOUBLINGS = 6  # at a time, since the first keys may not be like the others

cdef struct Slot:
    uint64_t key
    int64_t value  # 0 marks an empty slot


cdef class _Table:
    """Open addressing with linear probing; key and value share a cache line; at most half full."""

    cdef Slot *slots
    cdef int shift
    cdef Py_ssize_t used

    def __cinit__(self):
        self.shift = 64 - 10
        self.used = 0
        self.slots = <Slot *> calloc(<size_t> 1 << 10, sizeof(Slot))
        if self.slots == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.slots)

    def __len__(self):
        return self.used

    cdef inline Py_ssize_t capacity(self) noexcept nogil:
        return <Py_ssize_t> 1 << (64 - self.shift)

    cdef inline Slot *find(self, uint64_t key) noexcept nogil:
        cdef Py_ssize_t mask = self.capacity() - 1
        cdef Py_ssize_t at = <Py_ssize_t> ((key * PHI) >> self.shift)
        while self.slots[at].value != 0 and self.slots[at].key != key:
            at = (at + 1) & mask
        return &self.slots[at]

    cdef int grow(self, Py_ssize_t before, Py_ssize_t done, Py_ssize_t n) except -1 nogil:
        """A table for as many keys as n bring, if they go on as the first of them did, and twice as large at least;
        every occupied slot is placed anew. `before` were used when the first of them came."""
        cdef Slot *old = self.slots
        cdef Py_ssize_t size = self.capacity()
        cdef Py_ssize_t i
        cdef Slot *slot
        cdef double expected = before + <double> (self.used - before) / (done + 1) * n
        cdef int shift = self.shift - 1
        while shift > self.shift - MOST_DOUBLINGS and <double> (<Py_ssize_t> 1 << (64 - shift)) < 2 * expected:
            shift -= 1
        cdef Slot *larger = <Slot *> calloc(<size_t> 1 << (64 - shift), sizeof(Slot))
        if larger == NULL:
            with gil:
                raise MemoryError()
        self.slots = larger
        self.shift = shift
        for i in range(size):
            if old[i].value != 0:
                slot = self.find(old[i].key)
                slot[0] = old[i]
        free(old)
        return 0

    cdef inline void prefetch(self, uint64_t key) noexcept nogil:
        incrowd_prefetch(&self.slots[<Py_ssize_t> ((key * PHI) >> self.shift)])


cdef class Tally(_Table):
    """How often each 64-bit key was seen."""

    def add(self, const uint64_t[::1] keys, const int64_t[::1] weights=None):
        """Count every key once, or `weights[i]` (positive) times."""
        cdef Py_ssize_t i, n = keys.shape[0], before = self.used
        cdef Slot *slot
        cdef bint weighted = weights is not None
        if weighted and weights.shape[0] != n:
            raise ValueError("add: lengths differ")
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch(keys[i + AHEAD])
                slot = self.find(keys[i])
                if slot.value == 0:
                    if 2 * (self.used + 1) > self.capacity():
                        self.grow(before, i, n)
                        slot = self.find(keys[i])
                    slot.key = keys[i]
                    self.used += 1
                slot.value += weights[i] if weighted else 1

    def items(self):
        """The distinct keys and their counts."""
        keys_array = np.empty(self.used, dtype=np.uint64)
        counts_array = np.empty(self.used, dtype=np.int64)
        cdef uint64_t[::1] keys = keys_array
        cdef int64_t[::1] counts = counts_array
        cdef Py_ssize_t i, at = 0
        # Slot after slot would be the order of the hash: filled in that order, another table would crowd at its
        # beginning. A large odd stride visits every slot too, and spreads.
        cdef Py_ssize_t mask = self.capacity() - 1, place = 0
        with nogil:
            for i in range(self.capacity()):
                if self.slots[place].value != 0:
                    keys[at] = self.slots[place].key
                    counts[at] = self.slots[place].value
                    at += 1
                place = (place + <Py_ssize_t> STRIDE) & mask
        return keys_array, counts_array


cdef class Numbering(_Table):
    """Numbers distinct 64-bit keys 0, 1, 2, ... in order of first appearance, over any number of calls."""

    def add(self, const uint64_t[::1] keys):
        """The number of every key; new keys get the next numbers."""
        numbers_array = np.empty(keys.shape[0], dtype=np.int32)
        cdef int32_t[::1] numbers = numbers_array
        cdef Py_ssize_t i, n = keys.shape[0], before = self.used
        cdef Slot *slot
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch(keys[i + AHEAD])
                slot = self.find(keys[i])
                if slot.value == 0:
                    if 2 * (self.used + 1) > self.capacity():
                        self.grow(before, i, n)
                        slot = self.find(keys[i])
                    slot.key = keys[i]
                    self.used += 1
                    slot.value = self.used
                numbers[i] = <int32_t> (slot.value - 1)
        return numbers_array

    def keys(self):
        """The distinct keys, in the order of their numbers."""
        keys_array = np.empty(self.used, dtype=np.uint64)
        cdef uint64_t[::1] keys = keys_array
        cdef Py_ssize_t i
        with nogil:
            for i in range(self.capacity()):
                if self.slots[i].value != 0:
                    keys[self.slots[i].value - 1] = self.slots[i].key
        return keys_array


def scatter(uint64_t[::1] keys, const int32_t[::1] codes, const uint64_t[::1] lookup):
    """keys |= lookup[codes]: one column's share of the packed keys, renumbered on the way."""
    cdef Py_ssize_t i
    if codes.shape[0] != keys.shape[0]:
        raise ValueError("scatter: lengths differ")
    with nogil:
        for i in range(keys.shape[0]):
            keys[i] |= lookup[codes[i]]


cdef class Refiner:
    """Splits classes by one more column, through a dense table over (class, code) that is kept between calls."""

    cdef int32_t[::1] table
    cdef int64_t[::1] touched

    def __init__(self):
        self.table = np.zeros(1 << 12, dtype=np.int32)
        self.touched = np.empty(1 << 10, dtype=np.int64)

    cdef Py_ssize_t prepare(self, Py_ssize_t n_classes, Py_ssize_t n_codes) except -1:
        cdef Py_ssize_t space = n_classes * n_codes
        if self.table.shape[0] < space:
            self.table = np.zeros(max(space, 2 * self.table.shape[0]), dtype=np.int32)
        return space

    def sizes(self, const int32_t[::1] classes, Py_ssize_t n_classes, const int32_t[::1] codes, Py_ssize_t n_codes,
              const int32_t[::1] weights=None):
        """Sizes of the new classes, in no order; the weights (1 each when None) add up to less than 2^31."""
        cdef Py_ssize_t n = classes.shape[0]
        cdef Py_ssize_t space = self.prepare(n_classes, n_codes)
        cdef int32_t[::1] table = self.table
        cdef Py_ssize_t i, found = 0
        if codes.shape[0] != n or (weights is not None and weights.shape[0] != n):
            raise ValueError("sizes: lengths differ")
        if weights is None:
            with nogil:
                for i in range(n):
                    table[classes[i] * n_codes + codes[i]] += 1
        else:
            with nogil:
                for i in range(n):
                    table[classes[i] * n_codes + codes[i]] += weights[i]
        sizes_array = np.empty(n if n < space else space, dtype=np.int64)
        cdef int64_t[::1] sizes = sizes_array
        with nogil:
            for i in range(space):
                if table[i] != 0:
                    sizes[found] = table[i]
                    table[i] = 0
                    found += 1
        return sizes_array[:found]

    def refine(self, const int32_t[::1] classes, Py_ssize_t n_classes, const int32_t[::1] codes, Py_ssize_t n_codes):
        """The new class of each combination, numbered in order of first appearance, and how many there are."""
        cdef Py_ssize_t n = classes.shape[0]
        cdef Py_ssize_t space = self.prepare(n_classes, n_codes)
        cdef Py_ssize_t most = n if n < space else space
        if codes.shape[0] != n:
            raise ValueError("refine: lengths differ")
        if self.touched.shape[0] < most:
            self.touched = np.empty(max(most, 2 * self.touched.shape[0]), dtype=np.int64)
        refined_array = np.empty(n, dtype=np.int32)
        cdef int32_t[::1] refined = refined_array
        cdef int32_t[::1] table = self.table
        cdef int64_t[::1] touched = self.touched
        cdef Py_ssize_t i, entry, found = 0
        cdef int32_t number
        with nogil:
            for i in range(n):
                entry = classes[i] * n_codes + codes[i]
                number = table[entry]
                if number == 0:
                    touched[found] = entry
                    found += 1
                    number = <int32_t> found
                    table[entry] = number
                refined[i] = number - 1
            # Only what was touched is cleared: a call costs the combinations, not the size of the table.
            for i in range(found):
                table[touched[i]] = 0
        return refined_array, found


def total(const int32_t[::1] numbers, Py_ssize_t n_numbers, const int64_t[::1] counts):
    """Sum of the counts that carry each number."""
    sums_array = np.zeros(n_numbers, dtype=np.int64)
    cdef int64_t[::1] sums = sums_array
    cdef Py_ssize_t i
    if counts.shape[0] != numbers.shape[0]:
        raise ValueError("total: lengths differ")
    with nogil:
        for i in range(numbers.shape[0]):
            sums[numbers[i]] += counts[i]
    return sums_array


include "grouping.pxi"
include "values.pxi"
include "histograms.pxi"
include "lattice.pxi"
include "needs.pxi"
include "clustering.pxi"
include "improving.pxi"
include "averaging.pxi"
include "cutting.pxi"
include "tradeoff.pxi"
include "guided.pxi"
include "neighbors.pxi"
include "covering.pxi"
