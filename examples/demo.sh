#!/bin/sh
# Shows Incrowd at work on the example table, from a first look to a verified release; run it with `make demo`.
set -eu
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

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
show incrowd risk examples/hospital.csv --quasi birth_date,sex,postcode,nationality,admission_date
# Publish a version in which every class has records of five people, and three diagnoses.
show cat examples/hospital.yaml
show incrowd anonymize examples/hospital.yaml -o "$folder/hospital-release.csv"
show head -n 6 "$folder/hospital-release.csv"
# With the private record and the original people are counted again; and the attacker of before singles out no record.
show incrowd verify "$folder/hospital-release.csv" --record "$folder/hospital-release.csv.record.json"
show incrowd risk "$folder/hospital-release.csv" --quasi birth_date,sex,postcode,nationality,admission_date
# The same for people: a page to read offline, and one without any record value to hand out beside the data.
show incrowd report "$folder/hospital-release.csv" -o "$folder/report-internal.html"
show incrowd report "$folder/hospital-release.csv" --external -o "$folder/report-external.html"
kept=$(mktemp -d)/report.html
cp "$folder/report-external.html" "$kept"
printf '\nOpen the report in a browser: file://%s\n' "$kept"
printf '\nNow with a table of your own, in the browser: . .venv/bin/activate && incrowd serve --open\n'
