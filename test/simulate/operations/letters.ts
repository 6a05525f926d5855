/** Letters by e-mail, and what makes it wrong to send one that waits. */
import type { LetterOptions } from '../../../contract/collection/letters.ts'
import type { KnownCase } from '../model.ts'
import { formPath, isDone, readText, type Operation, type Run } from './operation.ts'

const delayMinutes = 90

/** Sends a letter that the law allows now; by e-mail where that is possible. */
async function sendLetter(
  { client, random }: Run,
  one: KnownCase,
  { delay }: { delay: number },
): Promise<string | undefined> {
  const path = `/debtors/${one.debtor.guid}/letters`
  const shown = await client.send('getLetterOptions', `${path}/options?caseGuid=${one.guid}`)
  if (!shown || !isDone(shown)) return undefined
  const { letters } = shown.body as unknown as LetterOptions
  const byEmail = letters.filter(
    ({ allowed, channels }) => allowed && channels.some((way) => way.channel === 'email' && way.allowed),
  )
  const letter = random.pick(byEmail.filter(({ kind }) => kind !== 'plan'))
  if (!letter) return undefined
  const { kind, dueDate } = letter
  const made = await client.send('sendLetter', path, {
    method: 'POST',
    body: { kind, caseGuid: one.guid, channel: 'email', dueDate, delayMinutes: delay },
    audited: 'always',
  })
  return isDone(made) ? readText(made, 'documentGuid') : undefined
}

interface Obstacle {
  about: string
  /** Whether it was acknowledged. */
  arise(run: Run, one: KnownCase): Promise<boolean>
}

/** What the letter demands is no longer owed. */
const paid: Obstacle = {
  about: 'a payment',
  arise: async ({ client, model, random }, { guid, debtor }) => {
    const amount = 1 + random.below(90)
    const made = await client.send('payBeforeLetter', '/system/forms/payment/register', {
      method: 'POST',
      body: { caseGuid: guid, amount, currencyCode: 'SEK' },
      audited: 'always',
    })
    if (isDone(made)) model.payments.push({ guid: readText(made, 'paymentGuid'), debtor })
    return isDone(made) && Number(made.body['credit']) === 0
  },
}

const closed: Obstacle = {
  about: 'the closure of its case',
  arise: async ({ client }, { guid }) =>
    isDone(
      await client.send('closeBeforeLetter', formPath('case', 'close', { id: guid }), {
        method: 'PATCH',
        body: { closureCode: 'RECALLED_BY_CLIENT' },
      }),
    ),
}

const refused: Obstacle = {
  about: 'an objection to e-mail',
  arise: async ({ client }, { debtor }) =>
    isDone(
      await client.send('refuseEmail', `/debtors/${debtor.guid}`, {
        method: 'PATCH',
        body: { emailConsent: 'REFUSED' },
      }),
    ),
}

export const letters: Operation[] = [
  {
    name: 'letter',
    weight: 3,
    needs: ({ model }) => model.cases.length > 0,
    run: async (run) => {
      const guid = await sendLetter(run, run.model.case(run.random)!, { delay: 0 })
      if (guid !== undefined) run.model.documents.push(guid)
    },
  },
  {
    name: 'letter that must not leave',
    weight: 5,
    needs: ({ model }) => model.cases.length > 0,
    run: async (run) => {
      const { model, random, simulation } = run
      const one = model.case(random)!
      const guid = await sendLetter(run, one, { delay: delayMinutes })
      if (guid === undefined) return
      const obstacle = random.pick([paid, paid, closed, refused])
      if (!(await obstacle.arise(run, one))) return
      const [message] = await simulation.sql<{ id: string; movements: number }[]>`
        select m.id, (select count(*)::int from movement where case_id = ${one.guid}) as movements
        from message m where m.document_id = ${guid} and m.permitted_at is null and m.sent_at is null`.catch(
        // The database is just going down.
        () => [],
      )
      if (!message) return
      const { about } = obstacle
      model.stoppedLetters.push({
        message: message.id,
        document: guid,
        caseGuid: one.guid,
        about,
        movements: message.movements,
      })
    },
  },
]
