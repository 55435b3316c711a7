"""The changes of the store's tables, in order (Alembic)."""
