"""The first tables (store.py)."""

import sqlalchemy as sql
from alembic import op

revision = "0001"
down_revision = None


def _of_student(**more):
    return sql.Column("student", sql.Integer, sql.ForeignKey("students.id", ondelete="CASCADE"), nullable=False, **more)


def upgrade():
    op.create_table("class_values",
                    sql.Column("name", sql.String(40), primary_key=True),
                    sql.Column("value", sql.Text, nullable=False))
    op.create_table("students",
                    sql.Column("id", sql.Integer, primary_key=True),
                    sql.Column("name", sql.String(80), nullable=False),
                    sql.Column("folded", sql.String(240), nullable=False, unique=True),
                    sql.Column("code_hash", sql.String(64), nullable=False),
                    sql.Column("epoch", sql.Integer, nullable=False),
                    sql.Column("joined", sql.Integer, nullable=False),
                    sql.Column("seen", sql.Integer, nullable=False))
    op.create_table("progress",
                    _of_student(primary_key=True),
                    sql.Column("place", sql.Text, nullable=False),
                    sql.Column("progress", sql.Text, nullable=False),
                    sql.Column("at", sql.Integer, nullable=False))
    op.create_table("votes",
                    _of_student(primary_key=True),
                    sql.Column("question", sql.String(200), primary_key=True),
                    sql.Column("answer", sql.String(200), nullable=False),
                    sql.Column("correct", sql.Boolean),
                    sql.Column("at", sql.Integer, nullable=False))
    op.create_table("hand_ins",
                    sql.Column("id", sql.Integer, primary_key=True),
                    _of_student(index=True),
                    sql.Column("challenge", sql.String(80), nullable=False),
                    sql.Column("source", sql.Text, nullable=False),
                    sql.Column("verdict", sql.Text),
                    sql.Column("at", sql.Integer, nullable=False))
