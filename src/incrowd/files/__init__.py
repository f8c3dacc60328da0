"""Atomic files: private until they are complete, and removed if a run was killed."""
