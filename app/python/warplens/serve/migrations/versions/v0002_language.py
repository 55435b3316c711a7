"""Answers in Python (store.py)."""

import sqlalchemy as sql
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade():
    op.add_column("hand_ins", sql.Column("language", sql.String(8), nullable=False, server_default="cuda"))
