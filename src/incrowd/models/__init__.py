"""Privacy models: what every class of a release must fulfil. One model a file, found by the registry.

A module declares MODEL, a frozen dataclass whose fields are the model's parameters and whose members are those of
PrivacyModel, with `not_promised`, a sentence on what it leaves open. `holds` is vectorized, for the search; `textbook`
is the definition in plain Python, for verification. A function `strengths(column)` adds it to reports of risk.
"""

from incrowd.models._contract import Block, Mask, Measurable, Monotone, NamedModel, PrivacyModel, Reference, unpublished
from incrowd.models._spelling import from_dict, parse, read, spell, to_dict

__all__ = [
    "Block",
    "Mask",
    "Measurable",
    "Monotone",
    "PrivacyModel",
    "Reference",
    "from_dict",
    "parse",
    "read",
    "spell",
    "to_dict",
    "unpublished",
]

CONTRACT = NamedModel
