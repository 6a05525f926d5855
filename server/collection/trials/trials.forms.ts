/** The form of a trial, where each challenger has its place. */
import type { TrialForm, TrialInput } from '../../../contract/collection/trials.ts'
import * as layout from '../../../contract/metadata/forms/trials.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { FieldErrors, notFound } from '../../platform/http/errors.ts'
import { changeTrial, createTrial, removeTrial, toInput } from './trials.changes.ts'
import type { ChallengerMembers } from './trials.rules.ts'
import { findTrial } from './trials.store.ts'

export const trialForms = (): FormHandler[] => [
  handle(layout.trialCreate, {
    defaults: () => ({}),
    create: async ({ db, caller, body, origin }) => {
      const trialGuid = await createTrial(db, caller, { ...readForm(body), origin })
      return readRecord(db, caller, trialGuid)
    },
  }),
  handle(layout.trialEdit, {
    find: ({ db, caller, id }) => readRecord(db, caller, id),
    store: async ({ db, caller, id, body, origin, ifMatch }) => {
      const { record } = await readRecord(db, caller, id)
      const given = Object.entries(body).filter(([, value]) => value !== undefined)
      const read = readForm({ ...record, ...Object.fromEntries(given) })
      return changeTrial(db, caller, id, { ...read, origin, ifMatch })
    },
    remove: ({ db, id, origin, ifMatch }) => removeTrial(db, id, origin, ifMatch),
  }),
]

async function readRecord(db: Db, caller: Caller, trialGuid: string) {
  const found = await findTrial(db, caller, trialGuid)
  if (!found) throw notFound('trial')
  const { challengers, ...rest } = toInput(found.item)
  const [first, second, third] = challengers ?? []
  const record = {
    trialGuid,
    ...rest,
    challenger: first?.strategy ?? null,
    challengerShare: first?.share ?? null,
    secondChallenger: second?.strategy ?? null,
    secondShare: second?.share ?? null,
    thirdChallenger: third?.strategy ?? null,
    thirdShare: third?.share ?? null,
  }
  return { record, version: found.version }
}

/** Throws a 400 for a challenger without a share and a share without a challenger. */
function readForm(body: TrialForm): { input: TrialInput; members: ChallengerMembers } {
  const { challenger, challengerShare, secondChallenger, secondShare, thirdChallenger, thirdShare, ...rest } =
    body
  const checks = new FieldErrors()
  const places = [
    { strategy: challenger, share: challengerShare, members: ['challenger', 'challengerShare'] },
    { strategy: secondChallenger, share: secondShare, members: ['secondChallenger', 'secondShare'] },
    { strategy: thirdChallenger, share: thirdShare, members: ['thirdChallenger', 'thirdShare'] },
  ] as const
  const filled = places.filter(({ strategy, share }, at) => strategy || share || at === 0)
  for (const { strategy, share, members } of filled) {
    if (!strategy) checks.add(members[0], 'is required: choose a strategy.')
    if (!share) checks.add(members[1], 'is required: enter a share from 1 to 99 percent.')
  }
  checks.throwIfAny()
  return {
    input: {
      ...rest,
      challengers: filled.map(({ strategy, share }) => ({ strategy: strategy!, share: share! })),
    },
    members: { all: 'challengerShare', each: filled.map(({ members }) => members[0]) },
  }
}
