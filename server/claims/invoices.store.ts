import type { Db } from '../platform/database/transaction.ts'

/** The case of an invoice. The caller's restriction is checked when the case is locked. */
export async function findInvoiceCase(db: Db, invoiceGuid: string): Promise<string | undefined> {
  const [row] = await db<
    { caseGuid: string }[]
  >`select case_id as "caseGuid" from invoice where id = ${invoiceGuid}`
  return row?.caseGuid
}
