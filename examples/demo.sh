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

# Who stands out, and what is each column for?
ask
show incrowd inspect examples/hospital.csv
# Is it safe for what outsiders know? Which of these columns can go together? What would it cost?
ask --quasi sex,birth_date,postcode --k 5
ask --among sex,birth_date,postcode,marital_status,nationality --k 5 --suppress 0.05
ask --quasi sex,postcode,marital_status --k 5 --suppress find
# What does an attacker find?
show incrowd risk examples/hospital.csv --quasi sex,postcode,marital_status,nationality
