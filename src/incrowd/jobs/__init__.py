"""Jobs: the frozen description of a run. model.py holds the Job, the other files its forms and its checks."""

from incrowd.jobs.changes import Changes
from incrowd.jobs.command import Options, job_from_options
from incrowd.jobs.model import Job
from incrowd.jobs.parts import Column, Data, Output, Population

__all__ = ["Changes", "Column", "Data", "Job", "Options", "Output", "Population", "job_from_options"]
