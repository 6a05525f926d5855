/**
 * The introduction of the reference, in Markdown. It lists the addresses outside of the base path. As paths they would
 * need a server of their own, which code generators ignore, so they would call a wrong address.
 */
export const introduction = `Fordra is an open debt-collection platform. This reference lists every operation of its HTTP API.

## Requests

- Bodies are JSON in UTF-8. A member that an operation doesn't know is refused with 400, never ignored.
- Date-times go out as RFC 3339 in UTC with \`Z\`. They come in as RFC 3339 with any offset, or as a plain date, which means midnight UTC.
- A member marked \`x-day\` is a day: send \`2026-06-30\`. It goes out as midnight UTC (\`2026-06-30T00:00:00Z\`).
- An update changes only what it names: a member that is omitted or null stays, the empty string clears a text or a date-time, and an array replaces the whole array.
- \`If-Match\` with the \`ETag\` you read makes an update or delete fail with 412 when somebody else was faster.
- \`dryRun=true\` tries a write: the answer says what it would answer, write, book and send, and nothing is stored.
- \`Idempotency-Key\` makes a POST safe to repeat for 24 hours.
- \`Cache-Control: max-stale=SECONDS\` lets a GET be answered by a replica that is so far behind at most, where the installation has one. What you have written yourself is in the answer in any case.

## Answers

- A created resource comes back with 201 and \`Location\`. An update or delete answers 200 with problem details of a success (\`about:blank\`).
- A failure is \`application/problem+json\` (RFC 9457). Its \`type\` is the address of a page that explains it (\`/problems\` lists them all), its \`code\` is stable, and \`errors\` names each wrong member.
- A method that an address does not take is answered 405, with the methods it takes in \`Allow\`.
- Every answer carries \`X-Request-Id\` and your request quota in \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\`.

## Lists

\`$filter\` and \`$orderby\` take the members of the list item in any case, \`$skip\` and \`$top\` page through it, and \`total\` counts every match. Null sorts first ascending. Lists with amounts take \`sums\`, which adds them up over every match, by currency.

## Outside the base path

\`GET /odata\` gives the lists to Excel, Power BI and other OData programs; its own \`/odata/$metadata\` describes it.

For those who run the installation: \`GET /health/live\` (the process runs) and \`GET /health/ready\` (it can take requests; 503 when it cannot) which are open to everybody, and \`GET /metrics\` (Prometheus text), which needs a session with \`system.admin\` or the token of \`FORDRA_METRICS_TOKEN\`.`
