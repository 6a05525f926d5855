/** Letters that waited when something made them wrong do not leave. */
import type { World } from '../world.ts'

/** At the end of a run. What changes a case later may make a letter right again, so such a case is left out. */
export async function findLetterFaults({ sql, model, receivers }: World): Promise<string[]> {
  const mails = receivers.mails.join('\n')
  const faults: string[] = []
  for (const { message, document, caseGuid, about, movements } of model.stoppedLetters) {
    if (!mails.includes(`<${message}@`)) continue
    const [row] = await sql<CaseNow[]>`
      select c.remaining_principal + c.remaining_interest + c.remaining_fee + c.accrued_interest as owed,
        (select sum((d.value ->> 'minor')::bigint) from document o, jsonb_array_elements(o.data -> 'demanded') d (value)
          where o.id = ${document} and (d.value ->> 'caseGuid')::uuid = c.id) as demanded,
        (select count(*) from movement m where m.case_id = c.id) <> ${movements} as moved,
        exists (select from audit_entry a where a.subject = c.id and a.action = 'reopened') as reopened
      from debt_case c where c.id = ${caseGuid}`
    if (about !== 'an objection to e-mail' && isRightAgain(about, row!)) continue
    faults.push(`The letter ${document} left after ${about}, for which it waited unsent.`)
  }
  return faults
}

interface CaseNow {
  owed: number
  /** Null for a letter that demands nothing. */
  demanded: number | null
  moved: boolean
  reopened: boolean
}

const isRightAgain = (about: string, { owed, demanded, moved, reopened }: CaseNow): boolean =>
  demanded === null || (about === 'a payment' ? moved || owed >= demanded : reopened)
