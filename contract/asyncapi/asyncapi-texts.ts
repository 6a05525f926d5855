/** The texts of the AsyncAPI document, in Markdown. */

export const introduction = `Every change in Fordra writes an event in its own transaction. This document describes what a program receives:
as server-sent events from \`GET /events\`, by long poll or page, or as a signed POST to a webhook. How to make a webhook is in the OpenAPI document.

- Process an \`id\` once: it is the same in the stream, in each delivery and in each retry.
- \`sequence\` numbers the events of a \`subject\` without gaps. The events of one subject arrive in this order.
- \`data\` has identifiers, codes and names of members, never personal data. Read the record by its identifier.
- Ignore types, members and codes that you do not know: a later version may have more.`

export const replyTexts = {
  stream:
    'Send `Accept: text/event-stream`. `id` of a server-sent event is its `position`, `event` its `type`, `data` the message. To go on where you stopped, send `Last-Event-ID` or `after`.',
  webhook:
    'Answer with any 2xx within ten seconds and do the work later. 410 pauses the webhook at once. Verify the signature of the body as it came.',
} as const
