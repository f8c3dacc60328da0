"""For researchers under a contract, who may not share the data nor look for people."""

from incrowd.profiles import CELLS, DIVERSITY, OURS, Profile, Reason

PROFILE = Profile(
    k=5,
    suppress=0.02,
    l=2,
    reasons={
        "k": Reason("Most custodians ask for classes of 5: nobody is found with a probability above 1/5.", CELLS),
        "suppress": Reason("A few outliers may go, so that the other records keep more detail.", OURS),
        "l": Reason("No class has a single sensitive value, which would disclose it.", DIVERSITY),
    },
)
MEANING = "For researchers under a contract that forbids sharing the data and looking for people."
RANK = 2
