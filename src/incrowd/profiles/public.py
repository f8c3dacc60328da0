"""For everybody: nothing keeps readers from looking for people, and a release cannot be taken back."""

from incrowd.profiles import CELLS, DIVERSITY, OURS, Profile, Reason

PROFILE = Profile(
    k=11,
    suppress=0.05,
    l=3,
    reasons={
        "k": Reason(
            "Public files of health data in the United States ask for classes of 11: nobody is found with a "
            "probability above 1/11.",
            CELLS,
        ),
        "suppress": Reason("Large classes cost much detail unless more outliers may go.", OURS),
        "l": Reason("Two values are left for those who can rule one out, such as a patient's relatives.", DIVERSITY),
    },
)
MEANING = "A public file: anyone may look for people in it, and it cannot be taken back."
RANK = 3
