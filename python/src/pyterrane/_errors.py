"""Exceptions."""

from __future__ import annotations

from typing import Any


class TerraneError(Exception):
    """An error, with the text that the command prints. `problems` has a dict per problem: `message`, `help`, `code` and position."""

    def __init__(self, drawn: str, problems: list[dict[str, Any]] | None = None) -> None:
        super().__init__(drawn)
        self.problems = problems or []

    @property
    def code(self) -> str:
        """The stable code of the first problem; empty if it has none."""
        return str(self.problems[0].get("code") or "") if self.problems else ""

    @property
    def help(self) -> str:
        """What to do about the first problem."""
        return str(self.problems[0].get("help") or "") if self.problems else ""


    def rename(self, names: dict[str, str]) -> None:
        """Replaces names of temporary files by names that the caller knows."""

        def renamed(value: Any) -> Any:
            if isinstance(value, str):
                for old, new in names.items():
                    value = value.replace(old, new)
            return value

        self.args = tuple(map(renamed, self.args))
        self.problems = [{key: renamed(value) for key, value in problem.items()} for problem in self.problems]


class GraphError(TerraneError):
    """A graph has errors. Each problem has its position in the text."""


class UsageError(TerraneError, ValueError):
    """The request is not valid. Nothing was evaluated."""


class CallError(UsageError, TypeError):
    """A function was called with arguments that it does not take."""


class EvaluationError(TerraneError, RuntimeError):
    """A node failed, or a file could not be written."""


def usage(message: str, help: str) -> UsageError:
    """Creates the error for invalid arguments that are detected in Python."""
    return UsageError(f"{message}\n  help: {help}", [{"message": message, "help": help, "code": ""}])


def call_error(message: str, help: str) -> CallError:
    """Creates the error for arguments that a function does not take."""
    return CallError(f"{message}\n  help: {help}", [{"message": message, "help": help, "code": ""}])
