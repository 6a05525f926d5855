/** Writes of an agency at work, by a load balancer that asks for readiness. Each is sent until it is acknowledged. */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { adminPassword } from '../../server/testing/programs/node-process.ts'

export interface Member {
  name: string
  address: string
  isReady: boolean
  /** Writes that it acknowledged. */
  acknowledged: number
}

interface Reply {
  status: number
  body: Record<string, unknown>
}

export class Load {
  readonly members: Member[] = []
  /** Names of debtors, numbers of invoices, GUIDs of payments and plans, texts of notes, e-mails: all acknowledged. */
  readonly written = {
    debtors: [] as string[],
    invoices: [] as string[],
    payments: [] as string[],
    notes: [] as string[],
    plans: [] as string[],
    emails: [] as string[],
  }
  /** Paths of the cases. */
  readonly cases: string[] = []
  #failure: unknown
  #token = ''
  #clientGuid = ''
  #count = 0
  #over = false
  readonly #running: Promise<void>[] = []

  /** Asks for readiness from now on, also while nothing answers there yet. */
  add(name: string, address: string, onReady?: () => Promise<void>): Member {
    const member: Member = { name, address, isReady: false, acknowledged: 0 }
    this.members.push(member)
    this.#run(this.#probe(member, onReady))
    return member
  }

  async start(writers: number): Promise<void> {
    const login = { login: 'admin@agency.example', password: adminPassword }
    this.#token = String((await this.#untilDone('POST', '/auth/login', login))['accessToken'])
    const client = { name: 'Creditor', partyReferenceCode: 'CREDITOR' }
    const made = await this.#untilDone('POST', '/system/forms/client/create', client)
    this.#clientGuid = String(made['clientGuid'])
    for (let writer = 0; writer < writers; writer++) this.#run(this.#write())
  }

  #run(work: Promise<void>): void {
    this.#running.push(
      work.catch((error: unknown) => {
        this.#failure ??= error
        this.#over = true
      }),
    )
  }

  /** Waits until each of these has acknowledged so many more writes. */
  async hear(more: number, members: readonly Member[] = this.members): Promise<void> {
    const goals = members.map((member) => ({ member, goal: member.acknowledged + more }))
    await this.until(() => goals.every(({ member, goal }) => member.acknowledged >= goal))
  }

  /** Throws what a member answered and no load balancer may see. */
  async until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#failure !== undefined) throw this.#failure
      await sleep(50)
    }
  }

  /** Waits until every write that was begun is acknowledged. */
  async stop(): Promise<void> {
    this.#over = true
    await Promise.all(this.#running)
    if (this.#failure !== undefined) throw this.#failure
  }

  /** The same at once, after a failure. */
  abandon(): void {
    this.#over = true
    this.#failure ??= new Error('abandoned')
  }

  async #probe(member: Member, onReady?: () => Promise<void>): Promise<void> {
    while (!this.#over) {
      const answer = await fetch(`${member.address}/health/ready`).catch(() => undefined)
      await answer?.body?.cancel()
      const isReady = answer?.status === 200
      if (isReady && !member.isReady) await onReady?.()
      member.isReady = isReady
      await sleep(50)
    }
  }

  async #write(): Promise<void> {
    while (!this.#over) {
      const name = `W${++this.#count}`
      const debtorGuid = await this.#writeDebtor(name)
      const caseGuid = await this.#writeCase(name, debtorGuid)
      const plan = await this.#untilDone('POST', `/debtors/${debtorGuid}/paymentplans`, {
        paymentPlanType: 1,
        numberOfPayments: 6,
      })
      this.written.plans.push(String(plan['paymentPlanGuid']))
      this.cases.push(`/debtors/${debtorGuid}/cases/${caseGuid}`)
      for (const path of ['', '/cases', `/cases/${caseGuid}/explain`])
        await this.#untilDone('GET', `/debtors/${debtorGuid}${path}`)
    }
  }

  async #writeDebtor(name: string): Promise<string> {
    const debtor = await this.#untilDone('POST', '/debtors', { lastname: name })
    const debtorGuid = String(debtor['debtorGuid'])
    this.written.debtors.push(name)
    await this.#untilDone('POST', `/system/forms/note/create?id=${debtorGuid}`, { text: name })
    this.written.notes.push(name)
    await this.#untilDone('PATCH', `/debtors/${debtorGuid}`, { email: `${name}@debtor.example` })
    this.written.emails.push(`${name}@debtor.example`)
    return debtorGuid
  }

  async #writeCase(name: string, debtorGuid: string): Promise<string> {
    const registered = await this.#untilDone('POST', '/system/forms/case/register', {
      clientGuid: this.#clientGuid,
      debtorGuid,
      principal: 1000,
      currencyCode: 'SEK',
      invoiceNumber: name,
      dueDate: '2026-01-31',
    })
    this.written.invoices.push(name)
    const caseGuid = String(registered['caseGuid'])
    const payment = { caseGuid, amount: 100 }
    const paid = await this.#untilDone('POST', '/system/forms/payment/register', payment)
    this.written.payments.push(String(paid['paymentGuid']))
    return caseGuid
  }

  /** What a member answers to a read. */
  async read({ address }: Member, path: string): Promise<Record<string, unknown>> {
    const answer = await this.#send(address, { method: 'GET', path, key: '', body: undefined })
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }

  /**
   * One request with one key, sent again until it is answered by what was made: after a 503, a closed connection, and
   * while the first one is still in work.
   */
  async #untilDone(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
    const key = randomUUID()
    while (this.#failure === undefined) {
      const ready = this.members.filter(({ isReady }) => isReady)
      const member = ready[Math.floor(Math.random() * ready.length)]
      const answer = member && (await this.#send(member.address, { method, path, key, body }))
      if (answer && answer.status < 300) {
        member.acknowledged++
        return answer.body
      }
      if (answer && answer.status !== 503 && answer.body['code'] !== 'idempotency-in-flight')
        throw new Error(`${member.name}: ${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`)
      await sleep(100)
    }
    throw this.#failure
  }

  async #send(
    address: string,
    { method, path, key, body }: { method: string; path: string; key: string; body: object | undefined },
  ): Promise<Reply | undefined> {
    try {
      const answer = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: {
          ...(this.#token !== '' && { authorization: `Bearer ${this.#token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...(method === 'POST' && !path.startsWith('/auth') && { 'idempotency-key': key }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    } catch {
      return undefined
    }
  }
}
