"""Attacks: what an attacker can learn from a release about a person in it. One per file, found by the registry.

A module declares ATTACK, a frozen dataclass whose fields are the attack's options and whose members are Attack's. Each
has a fast form, over classes, and a `textbook` form: every attacker and every person, one by one.
"""

from incrowd.attacks._contract import Attack, Exposure, Mask, Needs, Worst
from incrowd.attacks._published import with_classes
from incrowd.attacks._reading import AttackOptions, Outside, by_group
from incrowd.attacks._running import ATTACKS, AttackReport, attack_release, chosen, exposures, faults
from incrowd.attacks._shares import given_shares, is_text_of_shares
from incrowd.attacks._target import Target, numbered

__all__ = [
    "ATTACKS",
    "Attack",
    "AttackOptions",
    "AttackReport",
    "Exposure",
    "Mask",
    "Needs",
    "Outside",
    "Target",
    "Worst",
    "attack_release",
    "by_group",
    "chosen",
    "exposures",
    "faults",
    "given_shares",
    "is_text_of_shares",
    "numbered",
    "with_classes",
]


CONTRACT = Attack
