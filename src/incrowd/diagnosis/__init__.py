"""The Diagnosis Centre: twelve questions over k, sets of columns and suppression."""

from incrowd.diagnosis.answer import Answer
from incrowd.diagnosis.diagnosis import Diagnosis
from incrowd.diagnosis.questions import FIND

__all__ = ["FIND", "Answer", "Diagnosis"]
