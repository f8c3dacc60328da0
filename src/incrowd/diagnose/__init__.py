"""The Diagnosis Centre: twelve questions over k, sets of columns and suppression."""

from incrowd.diagnose.answer import Answer
from incrowd.diagnose.diagnosis import Diagnosis
from incrowd.diagnose.questions import FIND

__all__ = ["FIND", "Answer", "Diagnosis"]
