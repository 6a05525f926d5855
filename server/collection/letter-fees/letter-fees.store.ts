/** Which fee was charged for which letter. */
import { rowsIn } from '../../platform/database/row-text.ts'
import type { Db } from '../../platform/database/transaction.ts'

/** The fixed sum for late payment is owed without a reminder (Directive 2011/7/EU, article 6). */
export const needsLetter = (feeType: string): boolean => feeType !== 'compensation'

export interface LetterFee {
  documentGuid: string
  movementGuid: string
}

export async function insertLetterFees(tx: Db, fees: readonly LetterFee[]): Promise<void> {
  if (fees.length === 0) return
  const rows = fees.map(({ documentGuid, movementGuid }) => ({
    document_id: documentGuid,
    movement_id: movementGuid,
  }))
  await tx`
    insert into letter_fee (document_id, movement_id)
    select n.document_id, n.movement_id from ${rowsIn(tx, { document_id: 'uuid', movement_id: 'uuid' }, rows)} n`
}

/** A fee of a letter, as it was booked. The amount in minor units. */
export interface BookedFee {
  movementGuid: string
  caseGuid: string
  amount: string
  valueDate: string
  details: { feeType: string; demandGroup?: string; jointPrincipal?: number }
  isReversed: boolean
}

export const listLetterFees = (tx: Db, documentGuid: string): Promise<BookedFee[]> => tx<BookedFee[]>`
  select m.id as "movementGuid", m.case_id as "caseGuid", m.amount::text as amount, m.value_date as "valueDate", m.details,
    exists (select from movement r where r.reverses_id = m.id) as "isReversed"
  from letter_fee f join movement m on m.id = f.movement_id where f.document_id = ${documentGuid} order by m.case_id, m.id`

/** The fee was charged anew. */
export async function replaceLetterFee(
  tx: Db,
  { before, after }: { before: string; after: string },
): Promise<void> {
  await tx`update letter_fee set movement_id = ${after} where movement_id = ${before}`
}
