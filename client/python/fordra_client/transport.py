"""Sends requests: signs in, renews tokens, and repeats what is safe to repeat."""

from __future__ import annotations

import http.client
import json
import random
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Callable, Dict, Iterator, Mapping, Optional

from .errors import ApiProblem, ServiceUnreachable, read_problem

if TYPE_CHECKING:
    from typing import ParamSpec

    from .types import DryRun

    Arguments = ParamSpec("Arguments")

BASE_PATH = "/api/v1"
FIRST_WAIT_SECONDS = 0.25
LONGEST_WAIT_SECONDS = 20.0
#: Tokens are renewed this long before they end, so that none ends on its way.
EARLY_SECONDS = 10.0
PAGE_SIZE = 100


@dataclass(frozen=True)
class Answer:
    """An answer with its headers."""

    status: int
    headers: Mapping[str, str]
    body: Any

    @property
    def etag(self) -> Optional[str]:
        """The version of the record, for `if_match`."""
        return self.headers.get("etag")

    @property
    def location(self) -> Optional[str]:
        return self.headers.get("location")

    @property
    def request_id(self) -> str:
        return self.headers.get("x-request-id", "")

    @property
    def replayed(self) -> bool:
        """True if an earlier request with the same idempotency key was answered already."""
        return self.headers.get("idempotency-replayed") == "true"


@dataclass(frozen=True)
class Tokens:
    access_token: str
    refresh_token: str
    #: By the monotonic clock of this process.
    ends_at: float = field(default=float("inf"))


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no redirect: the token would go along, and a sign-in page is no answer."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


class Transport:
    """The connection of a client. Several threads may use it."""

    def __init__(
        self,
        base_url: str,
        *,
        client_id: Optional[str] = None,
        client_secret: Optional[str] = None,
        scope: Optional[str] = None,
        access_token: Optional[str] = None,
        retries: int = 2,
        timeout: float = 30.0,
        headers: Optional[Mapping[str, str]] = None,
    ) -> None:
        if (client_id is None) != (client_secret is None):
            raise TypeError("client_id and client_secret belong together.")
        if urllib.parse.urlsplit(base_url).scheme not in ("http", "https"):
            raise ValueError("base_url must begin with http:// or https://.")
        self._origin = base_url.rstrip("/")
        self._credentials = (client_id, client_secret, scope) if client_id is not None else None
        self._tokens = Tokens(access_token, "") if access_token is not None else None
        self._retries = retries
        self._timeout = timeout
        self._headers = dict(headers or {})
        self._renewal = threading.Lock()
        self._own = threading.local()
        self._opener = urllib.request.build_opener(Stay)

    @property
    def last_answer(self) -> Answer:
        """The newest answer of this thread, for its headers: `client.last_answer.etag`."""
        return self._own.answer

    def dry_run(
        self, write: Callable[Arguments, Any], *args: Arguments.args, **arguments: Arguments.kwargs
    ) -> DryRun:
        """What a write would answer, write, book and send: `client.dry_run(client.create_debtor, body={…})`.

        Nothing is stored or sent. A refusal is raised as the write itself would raise it. Files, jobs, sign-in and
        secrets have no dry run.
        """
        # Another client's method would make its change.
        if getattr(write, "__self__", None) is not self:
            raise TypeError("dry_run takes a method of this client: client.dry_run(client.create_debtor, body={…}).")
        self._own.is_trial = True
        try:
            result = write(*args, **arguments)
            if self._own.is_trial:
                raise TypeError("{} changes nothing, so it has no dry run.".format(write.__name__))
            return result
        finally:
            self._own.is_trial = False

    def _call(
        self,
        method: str,
        path: str,
        *,
        parts: Optional[Mapping[str, Any]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        body_type: Optional[str] = None,
        keyed: bool = False,
        public: bool = False,
        binary: bool = False,
    ) -> Any:
        """Makes one call of an operation and returns the body of its answer."""
        if getattr(self._own, "is_trial", False):
            if method == "GET":
                raise TypeError("{} only reads, so it has no dry run.".format(path))
            self._own.is_trial = False
            query = {**(query or {}), "dryRun": True}
        sent = {name: str(value) for name, value in (headers or {}).items() if value is not None}
        if keyed:
            sent.setdefault("Idempotency-Key", str(uuid.uuid4()))
        if body is not None and body_type is not None:
            sent["Content-Type"] = body_type
        content = write_body(body, body_type)
        url = self._origin + BASE_PATH + fill_path(path, parts or {}) + write_query(query or {})

        def send(own: Mapping[str, str]) -> Answer:
            return self._send(method, url, {**sent, **own}, content, keyed, binary)

        answer = send({}) if public else self._send_signed_in(send)
        self._own.answer = answer
        self._learn(path, answer.body)
        return answer.body

    def _send_signed_in(self, send: Callable[[Mapping[str, str]], Answer]) -> Answer:
        tokens = self._tokens
        if tokens is None and self._credentials or tokens is not None and self._ends_soon(tokens):
            self._renew(tokens)
            tokens = self._tokens
        try:
            return send(authorise(tokens))
        except ApiProblem as problem:
            if problem.kind != "unauthenticated" or not self._renew(tokens):
                raise
        return send(authorise(self._tokens))

    def _ends_soon(self, tokens: Tokens) -> bool:
        can_renew = self._credentials is not None or tokens.refresh_token != ""
        return can_renew and tokens.ends_at - EARLY_SECONDS < time.monotonic()

    def _renew(self, used: Optional[Tokens]) -> bool:
        """Renews the tokens unless another thread has. Returns whether a retry makes sense."""
        with self._renewal:
            if self._tokens is not used:
                return self._tokens is not None
            if self._credentials is not None:
                self._tokens = self._trade_credentials(*self._credentials)
                return True
            if used is None or used.refresh_token == "":
                return False
            try:
                answer = self._post("/auth/refresh", {"refreshToken": used.refresh_token}, "application/json")
            except ApiProblem as problem:
                if problem.status == 401:
                    self._tokens = None
                raise
            self._tokens = read_tokens(answer)
            return True

    def _trade_credentials(self, client_id: str, client_secret: str, scope: Optional[str]) -> Tokens:
        form = {"grant_type": "client_credentials", "client_id": client_id, "client_secret": client_secret}
        if scope is not None:
            form["scope"] = scope
        answer = self._post("/oauth2/token", form, "application/x-www-form-urlencoded")
        return Tokens(answer["access_token"], "", time.monotonic() + answer["expires_in"])

    def _post(self, path: str, body: Mapping[str, Any], body_type: str) -> Dict[str, Any]:
        headers = {"Content-Type": body_type}
        return self._send("POST", self._origin + BASE_PATH + path, headers, write_body(body, body_type), False, False).body

    def _learn(self, path: str, body: Any) -> None:
        if path in ("/auth/login", "/auth/mfa", "/auth/refresh"):
            if isinstance(body, dict) and "refreshToken" in body:
                self._tokens = read_tokens(body)
        elif path == "/auth/logout":
            self._tokens = None

    def _send(
        self,
        method: str,
        url: str,
        headers: Mapping[str, str],
        content: Optional[bytes],
        keyed: bool,
        binary: bool,
    ) -> Answer:
        attempt = 0
        while True:
            try:
                return self._send_once(method, url, headers, content, binary)
            except (ApiProblem, ServiceUnreachable) as error:
                wait = wait_before(error, method == "GET" or keyed, attempt)
                if attempt >= self._retries or wait is None:
                    raise
            time.sleep(wait)
            attempt += 1

    def _send_once(
        self, method: str, url: str, headers: Mapping[str, str], content: Optional[bytes], binary: bool
    ) -> Answer:
        accept = "*/*" if binary else "application/json"
        request = urllib.request.Request(
            url, data=content, method=method, headers={"Accept": accept, **self._headers, **headers}
        )
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                status, found, body = response.status, response.headers, response.read()
        except urllib.error.HTTPError as refused:
            with refused:
                status, found = refused.code, refused.headers
                body = read_rest(refused)
        except (OSError, http.client.HTTPException) as error:
            raise ServiceUnreachable("No answer to {} {}.".format(method, url.split("?")[0])) from error
        named = {name.lower(): value for name, value in found.items()}
        kind = named.get("content-type", "")
        if status >= 400 or "text/html" in kind:
            raise read_problem(status, named, body)
        if status >= 300:
            return Answer(status, named, named.get("location"))
        return Answer(status, named, json.loads(body.decode("utf-8")) if "json" in kind else body)

    @staticmethod
    def _pages(read: Callable[..., Any], skip: Optional[int], top: Optional[int]) -> Iterator[Any]:
        """The rows of a list, page by page. Rows that come or go meanwhile may be missed or repeated."""
        at = skip or 0
        while True:
            page = read(skip=at, top=top or PAGE_SIZE)
            yield from page["value"]
            at += len(page["value"])
            if not page["value"] or at >= page["total"]:
                return


def authorise(tokens: Optional[Tokens]) -> Dict[str, str]:
    return {} if tokens is None else {"Authorization": "Bearer " + tokens.access_token}


def read_tokens(body: Mapping[str, Any]) -> Tokens:
    return Tokens(body["accessToken"], body["refreshToken"], time.monotonic() + body["expiresIn"])


def read_rest(refused: urllib.error.HTTPError) -> bytes:
    try:
        return refused.read()
    except (OSError, http.client.HTTPException):
        return b""


def wait_before(error: Exception, is_safe: bool, attempt: int) -> Optional[float]:
    """Seconds before a retry; None when there should be none."""
    back_off = FIRST_WAIT_SECONDS * 2**attempt * (0.5 + random.random())
    if not isinstance(error, ApiProblem):
        return back_off if is_safe else None
    # Nothing was changed, or the first request still runs under the same key.
    passing = error.status in (429, 503) or error.kind == "idempotency-in-flight"
    # A proxy had no answer: the change may have been made.
    unanswered = error.status in (502, 504)
    if not passing and not (unanswered and is_safe):
        return None
    asked = error.retry_after or 0.0
    return None if asked > LONGEST_WAIT_SECONDS else max(asked, back_off)


def fill_path(path: str, parts: Mapping[str, Any]) -> str:
    for name, value in parts.items():
        # '.' and '..' would shorten the path and so call another operation.
        if value is None or str(value) in ("", ".", ".."):
            raise ValueError("{} is a part of the address {} and must not be {!r}.".format(name, path, value))
        path = path.replace("{" + name + "}", urllib.parse.quote(str(value), safe=""))
    return path


def write_query(query: Mapping[str, Any]) -> str:
    given = {name: write_value(value) for name, value in query.items() if value is not None}
    return "?" + urllib.parse.urlencode(given) if given else ""


def write_value(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def write_body(body: Any, body_type: Optional[str]) -> Optional[bytes]:
    if body is None:
        return None
    if body_type == "application/octet-stream":
        return body
    if body_type == "application/x-www-form-urlencoded":
        return urllib.parse.urlencode({name: value for name, value in body.items() if value is not None}).encode()
    return json.dumps(body).encode("utf-8")
