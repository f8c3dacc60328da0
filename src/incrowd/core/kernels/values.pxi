# Numbering of values by their bytes. Included by compiled.pyx.

cdef inline uint64_t hash_of(const uint8_t *at, Py_ssize_t length) noexcept nogil:
    """A hash of bytes, eight at a time."""
    cdef uint64_t h = <uint64_t> length, word
    while length >= 8:
        memcpy(&word, at, 8)
        h = (h ^ word) * PHI
        h ^= h >> 29
        at += 8
        length -= 8
    if length:
        word = 0
        memcpy(&word, at, <size_t> length)
        h = (h ^ word) * PHI
        h ^= h >> 29
    return h


cdef class ValueNumbering(_Table):
    """Numbers distinct strings of bytes 0, 1, 2, ... in order of first appearance, over any number of calls.

    A slot has the hash of one string. Another string with the same hash takes the slot of the next hash in a row that
    begins with it, so that no two are ever taken for the same."""

    cdef uint8_t *text
    cdef int64_t *ends     # of each string in `text`
    cdef Py_ssize_t room   # bytes
    cdef Py_ssize_t rooms  # strings

    def __cinit__(self):
        self.room = self.rooms = 1 << 10
        self.text = <uint8_t *> calloc(<size_t> self.room, 1)
        self.ends = <int64_t *> calloc(<size_t> self.rooms + 1, sizeof(int64_t))
        if self.text == NULL or self.ends == NULL:
            raise MemoryError()

    def __dealloc__(self):
        free(self.text)
        free(self.ends)

    def add(self, const int64_t[::1] starts, const uint8_t[::1] text, const uint8_t[::1] there):
        """The number of every string that is there, -1 of the others, and where new ones came first.

        String i is text[starts[i]:starts[i + 1]]."""
        cdef Py_ssize_t i, n = there.shape[0], found = 0, length, before = self.used
        cdef Slot *slot
        cdef const uint8_t *first = &text[0] if text.shape[0] else NULL
        if starts.shape[0] != n + 1:
            raise ValueError("add: lengths differ")
        if starts[0] < 0 or (np.diff(starts) < 0).any() or starts[n] > text.shape[0]:
            raise ValueError("add: beyond the text")
        numbers_array = np.full(n, -1, dtype=np.int32)
        fresh_array = np.empty(n, dtype=np.int64)
        cdef int32_t[::1] numbers = numbers_array
        cdef int64_t[::1] fresh = fresh_array
        cdef uint64_t[::1] hashes = np.empty(n, dtype=np.uint64)
        with nogil:
            for i in range(n):
                hashes[i] = hash_of(first + starts[i], starts[i + 1] - starts[i])
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch(hashes[i + AHEAD])
                if not there[i]:
                    continue
                length = starts[i + 1] - starts[i]
                slot = self.seek(hashes[i], first + starts[i], length)
                if slot.value == 0:
                    if 2 * (self.used + 1) > self.capacity():
                        self.grow(before, i, n)
                    self.keep(first + starts[i], length)
                    slot = self.seek(hashes[i], first + starts[i], length)
                    self.used += 1
                    slot.value = self.used
                    fresh[found] = i
                    found += 1
                numbers[i] = <int32_t> (slot.value - 1)
        return numbers_array, fresh_array[:found].copy()

    cdef Slot *seek(self, uint64_t h, const uint8_t *at, Py_ssize_t length) noexcept nogil:
        """The slot of a string, with its hash; empty if it is new."""
        cdef Slot *slot
        cdef Py_ssize_t number
        while True:
            slot = self.find(h)
            if slot.value == 0:
                slot.key = h
                return slot
            number = slot.value - 1
            if self.ends[number + 1] - self.ends[number] == length and (
                    length == 0 or memcmp(self.text + self.ends[number], at, <size_t> length) == 0):
                return slot
            h = h * PHI + 1

    cdef int keep(self, const uint8_t *at, Py_ssize_t length) except -1 nogil:
        """Append a string to those that are known."""
        cdef int64_t end = self.ends[self.used]
        if end + length > self.room:
            self.text = <uint8_t *> larger(self.text, <size_t> (2 * (end + length)))
            self.room = 2 * (end + length)
        if self.used + 1 > self.rooms:
            self.ends = <int64_t *> larger(self.ends, <size_t> (2 * self.rooms + 1) * sizeof(int64_t))
            self.rooms = 2 * self.rooms
        if length:
            memcpy(self.text + end, at, <size_t> length)
        self.ends[self.used + 1] = end + length
        return 0
