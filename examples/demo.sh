#!/bin/sh
# Shows what Incrowd tells about the example table; run from the repository with `make demo`.
set -eu
cd "$(dirname "$0")/.."

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

# Exit code 1 is an answer too: the table does not have the k that was asked for.
ask() { show incrowd diagnose examples/hospital.csv "$@" || [ $? -eq 1 ]; }

show incrowd inspect examples/hospital.csv
ask --quasi sex,birth_date,postcode --k 3
ask --quasi sex,postcode,marital_status --k 3 --suppress find
ask --among sex,birth_date,postcode,marital_status,nationality --k 3 --suppress 0.1
