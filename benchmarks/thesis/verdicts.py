"""Whether the thesis' claims hold here: each is judged by the results, so that no verdict outlives them."""

from collections.abc import Callable
from dataclasses import dataclass

import checks
from checks import Results


@dataclass(frozen=True)
class Verdict:
    """A claim, what it is judged by, and where the page tells more."""

    of: str
    claim: str
    where: str
    verdict: Callable[[Results], str]


_3, _4, _6 = (f"thesis/chapter-{number}.md" for number in (3, 4, 6))

VERDICTS = (
    Verdict(
        "figures 3.3, 3.4",
        "57% (k = 2) and 21% (k = 5) of Mondrian's groups have a single occupation",
        f"{_3}#ranges-of-occupation-figures-33-and-34",
        checks.no_range,
    ),
    Verdict(
        "figure 3.8",
        "delta can be estimated on a sample of 2.5%",
        f"{_3}#the-choice-of-delta-figure-38",
        checks.delta_on_a_sample,
    ),
    Verdict("figure 3.9", "quality is stable from s = 4k on", f"{_3}#the-choice-of-s-figure-39", checks.s_settles),
    Verdict(
        "tables 4.3 to 4.6",
        "the delta of a sample costs at most 4.1% of quality",
        f"{_4}#the-heuristics-tables-43-to-47",
        checks.sampled_delta,
    ),
    Verdict(
        "table 4.7",
        "any s from k on costs at most 5.6%, less as it grows",
        f"{_4}#the-heuristics-tables-43-to-47",
        checks.doubled_s,
    ),
    Verdict(
        "figure 4.1",
        "Mondrian is faster than clustering by an order of magnitude",
        f"{_4}#runtime-figures-41-and-42",
        checks.mondrian_is_fast,
    ),
    Verdict(
        "figure 4.1",
        "MRG without subspaces is six times faster than K-Members",
        f"{_4}#runtime-figures-41-and-42",
        checks.mrg_against_k_members,
    ),
    Verdict(
        "figure 4.1", "MRG is 8% slower than Mondrian", f"{_4}#runtime-figures-41-and-42", checks.mrg_against_mondrian
    ),
    Verdict(
        "figure 4.2",
        "subspaces of 50 records make MRG 25 times faster",
        f"{_4}#runtime-figures-41-and-42",
        checks.subspaces_are_fast,
    ),
    Verdict(
        "figure 4.3",
        "MRG is ahead of Mondrian, K-Members and K-Members-p in the mean of UM and MPM",
        f"{_4}#utility-and-protection-together-figure-43",
        checks.ahead_in_both,
    ),
    Verdict(
        "figures 4.3 to 4.11",
        "subspaces do not harm quality",
        f"{_4}#utility-and-protection-together-figure-43",
        checks.subspaces_do_no_harm,
    ),
    Verdict("figure 4.4", "MRG is ahead with every weight", f"{_4}#weights-figures-44-to-48", checks.ahead_by_weight),
    Verdict(
        "figures 4.5, 4.6",
        "weights steer utility against protection",
        f"{_4}#weights-figures-44-to-48",
        checks.weights_steer,
    ),
    Verdict(
        "figures 4.7, 4.8",
        "so they do on the synthetic table",
        f"{_4}#weights-figures-44-to-48",
        checks.weights_steer_synthetic,
    ),
    Verdict("figure 4.9", "MRG is ahead of Mondrian in UM", f"{_4}#utility-figures-49-and-410", checks.ahead_in_um),
    Verdict(
        "figure 4.10",
        "MRG is ahead of Mondrian in DM by a small margin",
        f"{_4}#utility-figures-49-and-410",
        checks.ahead_in_dm,
    ),
    Verdict(
        "figure 4.11",
        "MRG is ahead of Mondrian and K-Members in MPM",
        f"{_4}#protection-figure-411",
        checks.ahead_in_mpm,
    ),
    Verdict(
        "figure 4.11", "MRG is comparable to K-Members-p in MPM", f"{_4}#protection-figure-411", checks.as_protected
    ),
    Verdict(
        "figure 4.12",
        "MRGB, MRGU and MRGP answer queries better than Mondrian and K-Members up to k = 15",
        f"{_4}#queries-figures-412-and-413",
        lambda results: checks.answers(results, 1, 15),
    ),
    Verdict(
        "figure 4.13",
        "and more specific ones at every k",
        f"{_4}#queries-figures-412-and-413",
        lambda results: checks.answers(results, 2, 100),
    ),
    Verdict(
        "figures 6.4 to 6.9",
        "TOC and UPC keep U; TOC suppresses nearly all records where delta is below 0.3, UPC none",
        f"{_6}#trade-off-against-guarantees-figures-64-to-611",
        checks.within_u,
    ),
    Verdict(
        "figures 6.10, 6.11",
        "TOC leaves records unprotected at every delta, UPC none",
        f"{_6}#trade-off-against-guarantees-figures-64-to-611",
        checks.toc_unprotected,
    ),
    Verdict(
        "figures 6.14, 6.15",
        "UPC's errors are a tenth of Incognito's for most queries, and comparable to the personalized method's",
        f"{_6}#queries-figures-614-to-617",
        checks.errors_of_ranges,
    ),
    Verdict(
        "figures 6.16, 6.17",
        "for single incomes UPC is ahead of all",
        f"{_6}#queries-figures-614-to-617",
        checks.errors_of_values,
    ),
    Verdict(
        "figures 6.18, 6.19",
        "UPC's WGU is within U, its UM lower than Incognito's",
        f"{_6}#utility-and-protection-figures-618-to-622",
        checks.spans_of_guaranteed,
    ),
    Verdict(
        "figures 6.20 to 6.22",
        "UPC keeps P; (c, l)-diversity and the personalized method do not",
        f"{_6}#utility-and-protection-figures-618-to-622",
        checks.ranges_of_guaranteed,
    ),
    Verdict(
        "figures 6.24, 6.25",
        "UPC's errors are lower than those of t-closeness and similar to those of K-Members",
        f"{_6}#against-k-members-figures-624-to-630",
        checks.errors_of_benchmarks,
    ),
    Verdict(
        "figures 6.26, 6.27",
        "UPC reaches K-Members' WGU, and P = 0.7, without suppression",
        f"{_6}#against-k-members-figures-624-to-630",
        checks.same_worst_group,
    ),
    Verdict(
        "figures 6.28, 6.29",
        "K-Members-p leaves 83% (k = 2) and 65% (k = 10) of the records unprotected",
        f"{_6}#what-k-members-p-leaves-unprotected-figures-628-and-629",
        checks.unprotected,
    ),
    Verdict(
        "figure 6.30",
        "UPC keeps P at every k, K-Members-p at none",
        f"{_6}#against-k-members-figures-624-to-630",
        checks.worst_protected,
    ),
    Verdict(
        "tables 6.3, 6.4",
        "stricter policies cost accuracy, P5 ten times as much",
        f"{_6}#policies-tables-63-to-65",
        checks.strict_policies_cost,
    ),
    Verdict(
        "table 6.5",
        "UM is 0.18 whatever the policy, nothing is suppressed",
        f"{_6}#policies-tables-63-to-65",
        checks.same_spans,
    ),
    Verdict(
        "figures 6.32 to 6.35",
        "UM stays within U; a strict P or U suppresses records",
        f"{_6}#the-limits-p-and-u-figures-632-to-635",
        checks.limits,
    ),
    Verdict("figure 6.36", "UPC grows linearly with the records", f"{_6}#runtime-figures-636-and-637", checks.scales),
    Verdict(
        "figure 6.36",
        "UPC is faster than Incognito by orders of magnitude",
        f"{_6}#runtime-figures-636-and-637",
        checks.faster_than_incognito,
    ),
    Verdict(
        "figure 6.37",
        "UPC grows linearly with the columns, Incognito three- to sixfold for each",
        f"{_6}#runtime-figures-636-and-637",
        checks.by_columns,
    ),
)
