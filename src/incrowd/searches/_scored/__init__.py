"""The steps of PrivacyFrost2: pre-sampling, full-domain tables and the ways between them, partial-domain classes."""
