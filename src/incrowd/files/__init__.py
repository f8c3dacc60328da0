"""Files that others see whole or not at all: private until they are put in place, and swept if a run was killed."""
