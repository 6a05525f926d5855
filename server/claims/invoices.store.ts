import type { Db } from '../platform/database/transaction.ts'

/** The case of an invoice. Whether the caller may see it is asked when the case is held. */
export async function findInvoiceCase(db: Db, invoiceGuid: string): Promise<string | undefined> {
  const [row] = await db<
    { caseGuid: string }[]
  >`select case_id as "caseGuid" from invoice where id = ${invoiceGuid}`
  return row?.caseGuid
}
