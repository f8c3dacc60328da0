"""Within an institution: those who read it work there, and are bound to secrecy."""

from incrowd.profiles import CELLS, DIVERSITY, OURS, Profile, Reason

PROFILE = Profile(
    k=3,
    suppress=0.01,
    l=2,
    reasons={
        "k": Reason("Some custodians ask for classes of 3: nobody is found with a probability above 1/3.", CELLS),
        "suppress": Reason("Nearly all records stay, so that counts agree with those of the table.", OURS),
        "l": Reason("No class has a single sensitive value, which would disclose it.", DIVERSITY),
    },
)
MEANING = "Within an institution, such as a hospital: readers are employees bound to secrecy."
RANK = 1
