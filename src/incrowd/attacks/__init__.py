"""Attacks: what somebody who has a release can learn about a person in it. One attack a file, found by the registry.

A module declares ATTACK, a frozen dataclass whose fields are the attack's options and whose members are Attack's. Each
has a fast form, over classes, and a `textbook` form: every attacker and every person, one by one.
"""

from incrowd.attacks._contract import Attack, Exposure, Mask, Needs, Worst
from incrowd.attacks._reading import AttackOptions, Outside, by_group
from incrowd.attacks._running import ATTACKS, AttackReport, attack_release, chosen, exposures
from incrowd.attacks._shares import given_shares, is_text_of_shares
from incrowd.attacks._target import numbered

__all__ = [
    "ATTACKS",
    "Attack",
    "AttackOptions",
    "AttackReport",
    "Exposure",
    "Mask",
    "Needs",
    "Outside",
    "Worst",
    "attack_release",
    "by_group",
    "chosen",
    "exposures",
    "given_shares",
    "is_text_of_shares",
    "numbered",
]
