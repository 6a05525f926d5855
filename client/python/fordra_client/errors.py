"""What a call raises."""

from __future__ import annotations

import json
from typing import Any, Dict, List, Mapping, Optional


class ServiceUnreachable(Exception):
    """No answer, or not in time. A change may or may not have been made."""


class ApiProblem(Exception):
    """The service refused: problem details (RFC 9457). Each kind has a subclass in `fordra_client.problems`."""

    #: The stable code of the problem; `internal` for an answer without problem details, such as a proxy's.
    kind: str = "internal"

    def __init__(self, status: int, problem: Mapping[str, Any], headers: Mapping[str, str]) -> None:
        self.status = status
        self.problem = dict(problem)
        self.kind = str(problem.get("code") or type(self).kind)
        #: What is wrong and what to do.
        self.detail = str(problem.get("detail") or "")
        #: Messages by the path of the member.
        self.errors: Dict[str, List[str]] = dict(problem.get("errors") or {})
        #: Give it to an administrator.
        self.request_id = str(problem.get("traceId") or headers.get("x-request-id") or "")
        self.retry_after = read_seconds(headers.get("retry-after"))
        super().__init__("{}: {}".format(problem.get("title") or status, self.detail))


def read_seconds(text: Optional[str]) -> Optional[float]:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None


def read_problem(status: int, headers: Mapping[str, str], body: bytes) -> ApiProblem:
    """The exception for an error answer of the service or of anything in between."""
    from .problems import problem_kinds

    try:
        problem = json.loads(body.decode("utf-8"))
    except ValueError:
        problem = None
    if not isinstance(problem, dict) or "detail" not in problem:
        detail = "The answer is not of the service itself; something between may have given it."
        problem = {"title": "Status {}".format(status), "detail": detail}
    return problem_kinds.get(str(problem.get("code")), ApiProblem)(status, problem, headers)
