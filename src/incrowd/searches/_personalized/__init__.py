"""Generalizing sensitive values record by record, so that no guarding node is breached."""
