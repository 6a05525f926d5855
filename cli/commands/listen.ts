/** Delivers events to a program on this machine as a webhook would, while its developer has no public address. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { ServiceUnreachable, type Client } from '../../client/client.ts'
import { createWebhookExample } from '../../contract/openapi/openapi-webhooks.ts'
import { eventTypes, type EventFilters, type EventType } from '../../contract/platform/event-types.ts'
import type { Event } from '../../contract/platform/events.ts'
import { closeNames } from '../../server/platform/odata/properties.ts'
import { openClient } from '../open-client.ts'
import { report } from '../settings.ts'

export interface ForwardOptions {
  forwardTo: string
  secret?: string
}
export interface ListenOptions extends ForwardOptions {
  types?: string
}

const waitSeconds = 20
const pauseMs = 2_000

/** Runs until it is told to stop. Begins with what happens from now on. */
export async function runListen(options: ListenOptions): Promise<void> {
  const client = openClient(process.env)
  const forward = openForwarding(options)
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const after = await findPresent(client)
  report('Listening. Ctrl-C stops it.')
  await followEvents(client, { after, types: options.types, signal: stop.signal }, forward)
}

/** Sends one invented event of a type. Nothing is read and nothing is stored. */
export async function runTrigger(type: string, options: ForwardOptions): Promise<void> {
  if (!(eventTypes as readonly string[]).includes(type)) {
    const near = closeNames(type, eventTypes)
    throw new Error(
      `${type} is no type of event.${near.length > 0 ? ` Did you mean ${near.join(' or ')}?` : ''}`,
    )
  }
  const status = await openForwarding(options)(
    createWebhookExample(type as EventType, new Date().toISOString()),
  )
  if (status < 200 || status > 299) process.exitCode = 1
}

/** The newest event that the caller may see. */
async function findPresent(client: Client): Promise<number> {
  const { value } = await client.searchEvents({ $top: 1 })
  return value[0]?.position ?? 0
}

interface Following {
  after: number
  types: string | undefined
  signal: AbortSignal
}

/** Ends when the signal does. Waits while the service cannot be reached. */
async function followEvents(
  client: Client,
  { after, types, signal }: Following,
  forward: (event: object) => Promise<number>,
): Promise<void> {
  const asked = {
    limit: 100,
    wait: waitSeconds,
    ...(types !== undefined && { types: types as EventFilters }),
  }
  while (!signal.aborted) {
    try {
      const { next, value } = await client.listEvents({ ...asked, after }, { signal })
      for (const event of value) await forward(toDelivery(event))
      after = next
    } catch (error) {
      if (signal.aborted) return
      if (!(error instanceof ServiceUnreachable)) throw error
      report('The service does not answer: trying again')
      await sleep(pauseMs, undefined, { signal }).catch(() => {})
    }
  }
}

const toDelivery = ({ position: _position, ...event }: Event) => ({ ...event, timestamp: event.occurredAt })

/** Returns a function that sends a signed event, reports it in a line, and returns the status: 0 for no answer. */
function openForwarding({ forwardTo, secret }: ForwardOptions): (event: object) => Promise<number> {
  if (!URL.canParse(forwardTo) || !/^https?:/.test(forwardTo))
    throw new Error('--forward-to must be an address such as http://localhost:4000/hook')
  const own = secret ?? `whsec_${randomBytes(32).toString('base64')}`
  const signer = new Webhook(own)
  if (secret === undefined) report(`Signing secret: ${own}`)
  return async (event) => {
    const { id, type } = event as { id: string; type: string }
    const body = JSON.stringify(event)
    const at = new Date()
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': signer.sign(id, at, body),
    }
    const status = await fetch(forwardTo, { method: 'POST', headers, body, redirect: 'manual' }).then(
      async (answer) => {
        await answer.body?.cancel()
        return answer.status
      },
      () => 0,
    )
    process.stdout.write(`${type} ${id} ${status === 0 ? 'no answer' : status}\n`)
    return status
  }
}
