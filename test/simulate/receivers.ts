/** Receivers of webhooks and mail, which fail as the seed says. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'
import type { Random } from './random.ts'

export interface Delivery {
  path: string
  id: string
  subject: string
  sequence: number
  /** Whether the receiver answered 2xx. */
  taken: boolean
}

export interface Receivers {
  url: string
  settings: Record<string, string>
  deliveries: Delivery[]
  mails: string[]
  /** Forgets the last run; `share` of what comes will fail. */
  begin(share: number, random: Random, touch: () => void): void
  /** From here on nothing fails. */
  heal(): void
  close(): Promise<void>
}

const noTouch = () => {}

/** Receives the events that are posted to it; `take` says how it answers. */
const createHook = (take: (event: Omit<Delivery, 'taken'>) => 'taken' | 'refused' | 'cut') =>
  createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const { id, subject, sequence } = JSON.parse(Buffer.concat(chunks).toString('utf8')) as Delivery
      const outcome = take({ path: request.url!, id, subject, sequence })
      if (outcome === 'cut') request.destroy()
      else response.writeHead(outcome === 'taken' ? 204 : 500).end()
    })
  })

const createMailServer = (take: (mail: string) => boolean) =>
  new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, _session, done) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        if (take(Buffer.concat(chunks).toString('utf8'))) done()
        else done(Object.assign(new Error('Try again later'), { responseCode: 451 }))
      })
    },
  })

export async function openReceivers(): Promise<Receivers> {
  const deliveries: Delivery[] = []
  const mails: string[] = []
  let share = 0
  let random: Random | undefined
  let touch = noTouch
  const fails = () => share > 0 && random!.chance(share)
  const http = createHook((delivery) => {
    touch()
    const taken = !fails()
    deliveries.push({ ...delivery, taken })
    return taken ? 'taken' : random!.chance(0.5) ? 'refused' : 'cut'
  })
  const smtp = createMailServer((mail) => {
    touch()
    if (fails()) return false
    mails.push(mail)
    return true
  })
  smtp.on('error', () => {})
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  await new Promise<void>((resolve) => void smtp.listen(0, '127.0.0.1', resolve))
  const mailPort = (smtp.server.address() as AddressInfo).port
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    settings: {
      FORDRA_SMTP_URL: `smtp://127.0.0.1:${mailPort}`,
      FORDRA_MAIL_FROM: 'Agency <no-reply@agency.example>',
    },
    deliveries,
    mails,
    begin: (newShare, newRandom, newTouch) => {
      deliveries.length = 0
      mails.length = 0
      ;[share, random, touch] = [newShare, newRandom, newTouch]
    },
    heal: () => {
      share = 0
    },
    close: async () => {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
      await new Promise<void>((resolve) => smtp.close(() => resolve()))
    },
  }
}
