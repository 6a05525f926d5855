"""The client of Fordra: every operation of the service as a typed method, with the standard library alone."""

from .client import Client
from .errors import ApiProblem, ServiceUnreachable
from .transport import Answer

__all__ = ["Answer", "ApiProblem", "Client", "ServiceUnreachable"]
