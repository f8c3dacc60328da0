# Histograms of sensitive values: of classes that are merged, and beside that of the table. Included by compiled.pyx.


def regroup(const int32_t[::1] of, Py_ssize_t n_groups, const int64_t[::1] starts, const int32_t[::1] values,
            const int64_t[::1] counts, Py_ssize_t n_values, int64_t most=INT64_MAX):
    """The histograms of groups: member i has the entries from starts[i] to starts[i + 1] and is in group of[i].

    A group is looked at until it has `most` different values; what follows is not counted."""
    cdef Py_ssize_t n = of.shape[0], i, j, g, at, found = 0
    cdef int32_t value
    if starts.shape[0] != n + 1 or values.shape[0] != counts.shape[0]:
        raise ValueError("regroup: lengths differ")
    if most < 1:
        raise ValueError("regroup: no value at all")
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
                    if found - new_starts[g] >= most:
                        break
                if found - new_starts[g] >= most:
                    break
            at = begin[g]
        new_starts[n_groups] = found
    return new_starts_array, new_values_array[:found].copy(), new_counts_array[:found].copy()


def surplus_and_deficit(const int64_t[::1] starts, const int32_t[::1] values, const int64_t[::1] counts,
           const int32_t[:, ::1] labels, const double[:, ::1] shares):
    """Per class, as a mean over the levels, what its nodes have too much, and the share of those that it lacks.

    Class c has the entries from starts[c] to starts[c + 1]. A value belongs on each level to the node labels[level,
    value], whose share in the whole table is shares[level, node]."""
    cdef Py_ssize_t classes = starts.shape[0] - 1, levels = labels.shape[0], c, e, level, found, i
    cdef int32_t node
    cdef int64_t size
    cdef double more
    if values.shape[0] != counts.shape[0] or shares.shape[0] != levels or classes < 0:
        raise ValueError("surplus_and_deficit: lengths differ")
    surplus_array = np.zeros(classes)
    lack_array = np.zeros(classes)
    cdef double[::1] surplus = surplus_array
    cdef double[::1] lack = lack_array
    cdef int64_t[::1] records = np.zeros(shares.shape[1], dtype=np.int64)
    cdef int32_t[::1] there = np.empty(shares.shape[1], dtype=np.int32)
    with nogil:
        for c in range(classes):
            size = 0
            for e in range(starts[c], starts[c + 1]):
                size += counts[e]
            for level in range(levels):
                found = 0
                for e in range(starts[c], starts[c + 1]):
                    node = labels[level, values[e]]
                    if records[node] == 0:
                        there[found] = node
                        found += 1
                    records[node] += counts[e]
                lack[c] += 1.0
                for i in range(found):
                    node = there[i]
                    more = <double> records[node] / <double> size - shares[level, node]
                    if more > 0:
                        surplus[c] += more
                    lack[c] -= shares[level, node]
                    records[node] = 0
            surplus[c] /= levels
            lack[c] /= levels
    return surplus_array, lack_array
