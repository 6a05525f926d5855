/** Cases, what is claimed in them, and payments. */
import type { Answer } from '../world.ts'
import { makeBgMax } from '../../../server/testing/records/files.ts'
import type { KnownCase, KnownDebtor } from '../model.ts'
import { createDebtor } from './people.ts'
import { dayText, formPath, isDone, someAmount, readText, type Operation, type Run } from './operation.ts'

const hasCase: Operation['needs'] = ({ model }) => model.cases.length > 0

async function registerCase(run: Run, of?: KnownDebtor): Promise<KnownCase | undefined> {
  const { client, model, random, number, simulation } = run
  const debtor = of ?? (random.chance(0.6) ? model.debtor(random) : undefined) ?? (await createDebtor(run))
  if (!debtor) return undefined
  // Some debtors owe both clients.
  const side = random.chance(0.2) ? random.pick(['open', 'hidden'] as const) : debtor.side
  const made = await client.send('registerCase', formPath('case', 'register'), {
    method: 'POST',
    body: {
      clientGuid: simulation.fixture.clients[side],
      debtorGuid: debtor.guid,
      principal: someAmount(random),
      invoiceNumber: `F${number}`,
      dueDate: '2026-05-01',
      ...(random.chance(0.5) && { interestRate: random.pick([0, 8.5, 24]) }),
      ...(random.chance(0.3) && { fee: 60, interest: 12.34 }),
    },
    audited: 'always',
  })
  if (!isDone(made)) return undefined
  const one = {
    guid: readText(made, 'caseGuid'),
    debtor,
    side,
    reference: readText(made, 'paymentReferenceNumber'),
  }
  model.cases.push(one)
  return one
}

/** A form of a case that is sent and whose key is kept. */
const onCase =
  (
    name: string,
    entity: string,
    type: string,
    body: (run: Run) => object,
    then?: (run: Run, made: Answer, one: KnownCase) => void,
    method: 'POST' | 'PATCH' = 'POST',
  ) =>
  async (run: Run): Promise<void> => {
    const one = run.model.case(run.random)!
    const made = await run.client.send(name, formPath(entity, type, { id: one.guid }), {
      method,
      body: body(run),
      audited: method === 'POST' ? 'always' : 'perhaps',
    })
    if (isDone(made)) then?.(run, made, one)
  }

/** A payment is allocated whole. As long as one of its cases is owed something, nothing is left over. */
function checkAllocation(
  simulation: Run['simulation'],
  { body }: Answer,
  { amount, isBackdated }: { amount: number; isBackdated: boolean },
): void {
  const sum = (names: string[]) =>
    names.reduce((total, name) => total + Math.round(Number(body[name]) * 100), 0)
  const credit = sum(['credit'])
  const allocated = sum(['allocatedPrincipal', 'allocatedInterest', 'allocatedFee', 'credit'])
  const about = `Payment ${String(body['paymentGuid'])} of ${amount}`
  if (allocated !== Math.round(amount * 100)) simulation.fail(`${about} was allocated as ${allocated / 100}.`)
  // What fell due after a backdated payment remains.
  if (credit > 0 && sum(['remainingSum']) > 0 && !isBackdated)
    simulation.fail(`${about} left ${credit / 100} over, while ${sum(['remainingSum']) / 100} remain owed.`)
}

async function pay({ client, model, random, simulation }: Run): Promise<void> {
  const one = model.case(random)!
  const target = random.pick<object>([
    { caseGuid: one.guid },
    { caseGuid: one.guid },
    { debtorGuid: one.debtor.guid },
    { paymentReferenceNumber: one.reference },
  ])
  const amount = someAmount(random)
  const isBackdated = random.chance(0.2)
  const made = await client.send('registerPayment', formPath('payment', 'register'), {
    method: 'POST',
    token: random.pick([simulation.fixture.tokens.admin, simulation.fixture.tokens.handler]),
    body: {
      ...target,
      amount,
      currencyCode: 'SEK',
      ...(random.chance(0.15) && { toThirdParty: true }),
      ...(isBackdated && { valueDate: dayText(model.day - random.below(20)) }),
    },
    audited: 'always',
  })
  if (isDone(made)) checkAllocation(simulation, made, { amount, isBackdated })
  if (isDone(made)) model.payments.push({ guid: readText(made, 'paymentGuid'), debtor: one.debtor })
}

export const money: Operation[] = [
  { name: 'register case', weight: 9, run: async (run) => void (await registerCase(run)) },
  { name: 'register payment', weight: 12, needs: hasCase, run: pay },
  {
    name: 'reverse payment',
    weight: 4,
    needs: ({ model }) => model.payments.length > 0,
    run: async ({ client, model, random }) => {
      // The newest still counts in what came of it.
      const { guid } = random.chance(0.5) ? model.payments.at(-1)! : random.pick(model.payments)
      await client.send('reversePayment', formPath('payment', 'reverse', { id: guid }), {
        method: 'PATCH',
        body: { reason: 'bounced', bounced: random.chance(0.5) },
      })
    },
  },
  {
    name: 'add invoice',
    weight: 3,
    needs: hasCase,
    run: onCase(
      'addInvoice',
      'invoice',
      'create',
      ({ random, number }) => ({
        principal: someAmount(random),
        invoiceNumber: `E${number}`,
        dueDate: '2026-05-20',
      }),
      ({ model }, made, { debtor }) => model.invoices.push({ guid: readText(made, 'invoiceGuid'), debtor }),
    ),
  },
  {
    name: 'credit invoice',
    weight: 2,
    needs: ({ model }) => model.invoices.length > 0,
    run: async ({ client, model, random }) => {
      const { guid } = random.pick(model.invoices)
      await client.send('creditInvoice', formPath('invoice', 'credit', { id: guid }), {
        method: 'POST',
        body: { amount: someAmount(random) / 4 > 1 ? Math.round(someAmount(random) * 25) / 100 : 1 },
        audited: 'always',
      })
    },
  },
  {
    name: 'add fee',
    weight: 4,
    needs: hasCase,
    run: onCase('addFee', 'fee', 'add', ({ random }) => ({
      feeType: 'reminder',
      amount: random.pick([60, 180, 12.5]),
    })),
  },
  {
    name: 'write off',
    weight: 2,
    needs: hasCase,
    run: onCase('writeOff', 'writeoff', 'register', ({ random }) => ({
      amount: (1 + random.below(5_000)) / 100,
    })),
  },
  {
    name: 'refund credit',
    weight: 2,
    needs: hasCase,
    run: onCase('refundCredit', 'credit', 'refund', ({ random }) => ({
      amount: (1 + random.below(20_000)) / 100,
    })),
  },
  {
    name: 'use credit',
    weight: 2,
    needs: hasCase,
    run: onCase('useCredit', 'credit', 'use', ({ random }) => (random.chance(0.5) ? {} : { amount: 5 })),
  },
  {
    name: 'use credit in a plan',
    weight: 2,
    needs: hasCase,
    run: async (run) => {
      const { client, model, random } = run
      const { debtor, guid: paid } = model.case(random)!
      const planned = await registerCase(run, debtor)
      if (!planned) return
      const body = { paymentPlanType: 1, numberOfPayments: 4, active: 1, cases: [planned.guid] }
      const plan = `/debtors/${debtor.guid}/paymentplans`
      if (!isDone(await client.send('createPlan', plan, { method: 'POST', body, audited: 'always' }))) return
      // More than a case owes, so that the rest is credit.
      await client.send('overpay', formPath('payment', 'register'), {
        method: 'POST',
        body: { caseGuid: paid, amount: 2_500, currencyCode: 'SEK' },
        audited: 'always',
      })
      await client.send('useCredit', formPath('credit', 'use', { id: planned.guid }), {
        method: 'POST',
        body: { amount: 1 + random.below(50) },
        audited: 'always',
      })
    },
  },
  {
    name: 'hold',
    weight: 1,
    needs: hasCase,
    run: onCase('holdCase', 'case', 'hold', () => ({ reason: 'HOLD_DISPUTE' }), undefined, 'PATCH'),
  },
  {
    name: 'resume',
    weight: 1,
    needs: hasCase,
    run: onCase('resumeCase', 'case', 'resume', () => ({}), undefined, 'PATCH'),
  },
  {
    name: 'status',
    weight: 2,
    needs: hasCase,
    run: onCase(
      'changeStatus',
      'case',
      'status',
      ({ random }) => ({ status: random.pick(['AMICABLE', 'NEW', 'SURVEILLANCE']) }),
      undefined,
      'PATCH',
    ),
  },
  {
    name: 'close case',
    weight: 4,
    needs: hasCase,
    run: onCase(
      'closeCase',
      'case',
      'close',
      ({ random }) => ({ closureCode: random.pick(['RECALLED_BY_CLIENT', 'OTHER', 'WRITTEN_OFF']) }),
      undefined,
      'PATCH',
    ),
  },
  {
    name: 'reopen case',
    weight: 2,
    needs: hasCase,
    run: onCase('reopenCase', 'case', 'reopen', () => ({}), undefined, 'PATCH'),
  },
  {
    name: 'change terms',
    weight: 2,
    needs: hasCase,
    run: onCase(
      'changeTerms',
      'case',
      'terms',
      ({ random }) => ({ interestRate: random.pick([0, 5, 11.5]) }),
      undefined,
      'PATCH',
    ),
  },
  {
    name: 'change case',
    weight: 3,
    needs: hasCase,
    run: async ({ client, model, random, number }) => {
      const { guid } = model.case(random)!
      const read = await client.send(
        'readCaseForm',
        formPath('case', 'edit', { id: guid, initialValues: 'true' }),
      )
      await client.send('changeCase', formPath('case', 'edit', { id: guid }), {
        method: 'PATCH',
        body: { description: `change ${number}` },
        ifMatch: random.chance(0.7) ? read?.etag : undefined,
        audited: 'always',
      })
    },
  },
  {
    name: 'add case debtor',
    weight: 2,
    needs: hasCase,
    run: async ({ client, model, random }) => {
      const one = model.case(random)!
      const others = model.debtors.filter(({ side, guid }) => side === one.side && guid !== one.debtor.guid)
      const other = random.pick(others)
      if (!other) return
      const added = await client.send('addCaseDebtor', formPath('case', 'debtor', { id: one.guid }), {
        method: 'POST',
        body: { debtorGuid: other.guid, debtorRole: 'GUARANTOR' },
        audited: 'always',
      })
      if (isDone(added) && random.chance(0.3))
        await client.send(
          'removeCaseDebtor',
          formPath('case', 'debtor', { id: one.guid, subId: other.guid }),
          { method: 'DELETE', audited: 'always' },
        )
    },
  },
  {
    name: 'plan',
    weight: 9,
    needs: hasCase,
    run: async ({ client, model, random }) => {
      const { debtor, guid } = model.case(random)!
      const active = random.pick([1, 1, 2])
      const made = await client.send('createPlan', `/debtors/${debtor.guid}/paymentplans`, {
        method: 'POST',
        body: {
          paymentPlanType: 1,
          numberOfPayments: 1 + random.below(12),
          active,
          ...(random.chance(0.5) && { registrationFee: 170, reminderFee: 60 }),
          ...(active === 1 && random.chance(0.5) && { cases: [guid] }),
        },
        audited: 'always',
      })
      if (isDone(made)) model.plans.push({ guid: readText(made, 'paymentPlanGuid'), debtor })
    },
  },
  {
    name: 'activate plan',
    weight: 4,
    needs: ({ model }) => model.plans.length > 0,
    run: async ({ client, model, random }) => {
      const { debtor, guid } = random.pick(model.plans)
      await client.send('activatePlan', `/debtors/${debtor.guid}/paymentplans/${guid}/activate`, {
        method: 'POST',
      })
    },
  },
  {
    name: 'cancel plan',
    weight: 2,
    needs: ({ model }) => model.plans.length > 0,
    run: async ({ client, model, random }) => {
      const { debtor, guid } = random.pick(model.plans)
      await client.send('cancelPlan', `/debtors/${debtor.guid}/paymentplans/${guid}/cancel`, {
        method: 'POST',
      })
    },
  },
  {
    name: 'change plan',
    weight: 2,
    needs: ({ model }) => model.plans.length > 0,
    run: async ({ client, model, random }) => {
      const { debtor, guid } = random.pick(model.plans)
      await client.send('changePlan', `/debtors/${debtor.guid}/paymentplans/${guid}`, {
        method: 'PATCH',
        body: { payments: [{ paymentNo: 1, specifiedAmount: 10 + random.below(50) }] },
      })
    },
  },
  {
    name: 'payment file',
    weight: 3,
    needs: hasCase,
    run: async ({ client, model, random, number }) => {
      const payments = Array.from({ length: 1 + random.below(4) }, () => {
        const one = model.case(random)!
        return {
          reference: random.chance(0.7) ? one.reference : null,
          amount: 100 + random.below(50_000),
          payer: 'Bo Ek',
        }
      })
      const content = makeBgMax(payments, { serial: 100 + number })
      model.bankFiles.push(content)
      // A file comes late, after later ones, or not at all.
      if (random.chance(0.2)) return
      const made = await client.send('uploadPaymentFile', '/payment-files?fileName=bank.txt', {
        method: 'POST',
        body: content,
        audited: 'perhaps',
      })
      if (isDone(made)) model.paymentFiles.push(readText(made, 'paymentFileGuid'))
    },
  },
  {
    name: 'payment file again',
    weight: 2,
    needs: ({ model }) => model.bankFiles.length > 0,
    run: async ({ client, model, random }) => {
      await client.send('uploadPaymentFile', '/payment-files?fileName=again.txt', {
        method: 'POST',
        body: random.pick(model.bankFiles),
        unkeyed: random.chance(0.5),
        audited: 'perhaps',
      })
    },
  },
  {
    name: 'suspense',
    weight: 3,
    needs: ({ model }) => model.paymentFiles.length > 0,
    run: async ({ client, model, random }) => {
      const list = await client.send('listSuspense', '/suspense?$top=100')
      const known = (list?.body['value'] as { suspenseGuid: string }[] | undefined) ?? []
      const one = random.pick(known)
      const target = model.case(random)
      if (!one || !target) return
      if (random.chance(0.7))
        await client.send('allocateSuspense', `/suspense/${one.suspenseGuid}/allocate`, {
          method: 'POST',
          body: { caseGuid: target.guid },
        })
      else
        await client.send('refundSuspense', `/suspense/${one.suspenseGuid}/refund`, {
          method: 'POST',
          body: { note: 'Sent by mistake.' },
        })
    },
  },
]
