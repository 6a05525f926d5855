/** Acts above a limit of a role, which one person requests and another one decides; bank files that are held for it. */
import { makeBgMax } from '../../../server/testing/records/files.ts'
import { formPath, isDone, someAmount, readText, type Operation, type Run } from './operation.ts'

const acts = ['WRITE_OFF', 'PAYMENT', 'BANK_FILE'] as const

/** Requests it as somebody whose role has a limit. */
async function request({ client, model, simulation }: Run, body: object): Promise<void> {
  const made = await client.send('requestApproval', '/approvals', {
    method: 'POST',
    body,
    token: simulation.fixture.tokens.handler,
    audited: 'always',
  })
  if (isDone(made)) model.approvals.push(readText(made, 'approvalGuid'))
}

async function requestMoney(run: Run): Promise<void> {
  const { guid } = run.model.case(run.random)!
  const amount = 1 + someAmount(run.random) / 20
  const money = { amount: Math.round(amount * 100) / 100 }
  if (run.random.chance(0.5))
    return request(run, { act: 'WRITE_OFF', caseGuid: guid, input: money, reason: 'Settled.' })
  await request(run, { act: 'PAYMENT', input: { ...money, caseGuid: guid, currencyCode: 'SEK' } })
}

/** A file that its sender may not book alone is held, and its booking is requested. */
async function requestFile(run: Run): Promise<void> {
  const { client, model, random, number, simulation } = run
  const payments = Array.from({ length: 1 + random.below(3) }, () => ({
    reference: random.chance(0.8) ? model.case(random)!.reference : null,
    amount: 100 + random.below(50_000),
  }))
  const content = makeBgMax(payments, { serial: 10_000 + number })
  // The bank's file may also come by the way of all files, before or after the request is decided.
  if (random.chance(0.5)) model.bankFiles.push(content)
  const held = await client.send('holdPaymentFile', '/payment-files/held', {
    method: 'POST',
    body: content,
    token: simulation.fixture.tokens.handler,
    unkeyed: true,
  })
  if (!isDone(held)) return
  await request(run, { act: 'BANK_FILE', input: { heldFileGuid: readText(held, 'heldFileGuid') } })
}

/** Whoever decides: the requester tries it as well. */
async function decide({ client, model, random, simulation }: Run): Promise<void> {
  const guid = random.chance(0.6) ? model.approvals.at(-1)! : random.pick(model.approvals)
  const { admin, handler } = simulation.fixture.tokens
  const isOwn = random.chance(0.25)
  const isRejected = random.chance(0.15)
  const answer = await client.send(
    isRejected ? 'rejectRequest' : 'approveRequest',
    `/approvals/${guid}/${isRejected ? 'reject' : 'approve'}`,
    {
      method: 'POST',
      body: { decisionText: 'Decided.' },
      token: isOwn ? handler : admin,
    },
  )
  if (isOwn && !isRejected && isDone(answer))
    simulation.fail(`The request ${guid} was approved by its requester.`)
}

export const approvals: Operation[] = [
  {
    name: 'limit acts',
    weight: 3,
    needs: ({ model }) => model.limited.size < acts.length,
    run: async ({ client, model, random }) => {
      const act = random.pick(acts)
      const made = await client.send('createLimit', formPath('approvallimit', 'create'), {
        method: 'POST',
        body: { act, userRole: 3, currencyCode: 'SEK', amount: random.pick([0, 1, 20]) },
        audited: 'always',
      })
      if (isDone(made)) model.limited.add(act)
    },
  },
  {
    name: 'request an act',
    weight: 6,
    needs: ({ model }) => model.cases.length > 0 && model.limited.size > 0,
    run: requestMoney,
  },
  {
    name: 'hold a bank file',
    weight: 3,
    needs: ({ model }) => model.cases.length > 0 && model.limited.has('BANK_FILE'),
    run: requestFile,
  },
  {
    name: 'decide a request',
    weight: 7,
    needs: ({ model }) => model.approvals.length > 0,
    run: decide,
  },
]
