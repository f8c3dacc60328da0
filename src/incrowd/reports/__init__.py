"""Reports: facts become sections, and sections a page, Markdown or plain data."""

from incrowd.reports.making import make_report
from incrowd.reports.report import Audience, Report

__all__ = ["Audience", "Report", "make_report"]
