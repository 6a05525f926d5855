/** The job that books the entries of a received file in the background. */
import * as contract from '../../../contract/treasury/payment-files.ts'
import { requireJobAsker } from '../../access/serve/job-asker.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { JobKind } from '../../platform/jobs/job.ts'
import { insertJob } from '../../platform/jobs/jobs.store.ts'
import { postFile } from '../bank-files/post-entries.ts'

const kind = 'payment-file'

interface PaymentFileJob {
  fileGuid: string
  askedBy: string
  requestId: string | null
}

/** Undefined where a job for the file waits or runs already. */
export const insertPaymentFileJob = (
  tx: Db,
  { fileGuid, askedBy, requestId }: PaymentFileJob,
): Promise<string | undefined> =>
  insertJob(tx, {
    kind,
    name: 'post',
    payload: { fileGuid },
    askedBy,
    requestId,
    uniqueKey: `${kind} ${fileGuid}`,
  })

export const paymentFileJobs: JobKind<{ fileGuid: string }> = {
  kind,
  run: async ({ sql, askedBy, payload: { fileGuid }, origin, signal, progress }) => {
    let posted = 0
    const onChunk = (more: number) => progress((posted += more))
    const onBegin = async (tx: Db) => {
      await requireJobAsker(tx, askedBy!, {
        what: 'The booking of the file',
        access: contract.uploadPaymentFile.access,
        unrestricted: true,
      })
    }
    await postFile(sql, fileGuid, { origin, signal, onChunk, onBegin })
    return { paymentFileGuid: fileGuid, posted }
  },
}
