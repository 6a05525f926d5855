/** Bank files that wait for a second person: operations that the specification does not have. */
import { Type, type Static } from 'typebox'
import { dateTime, guid, key, outputSchema } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { PaymentFile, PaymentFileCheck, paymentFileFields, sentFile } from './payment-files.ts'

const heldFields = {
  heldFileGuid: guid('Held file', { readOnly: true }),
  fileName: paymentFileFields.fileName,
  sha256: key(64, 'SHA-256 of the file, hexadecimal'),
  bytes: paymentFileFields.bytes,
  heldAt: dateTime('Held at'),
  heldBy: guid('User who sent it'),
}
export const HeldPaymentFile = outputSchema(
  heldFields,
  ['heldFileGuid', 'fileName', 'sha256', 'bytes', 'heldAt', 'heldBy'],
  { $id: 'HeldPaymentFile' },
)
export type HeldPaymentFile = Static<typeof HeldPaymentFile>

const area = 'Debtors'

export const holdPaymentFile = operation({
  id: 'holdPaymentFile',
  name: 'holdPaymentFile',
  method: 'POST',
  path: '/payment-files/held',
  area,
  summary: 'Hold a file of payments for a second person',
  description:
    'For a file whose upload was answered `needs-approval`. It is read as a whole, and kept as it is; nothing is booked. Then request its booking: `requestApproval` with the act `BANK_FILE` and the `heldFileGuid` as input. Somebody else approves it, and it is booked with their rights. It is deleted when it is booked, when the request is rejected or withdrawn, after a day without a request, when a debtor whom it names is erased, and after 30 days at the latest. A request that waits for it then ends (`ENDED`). 409 for a file that waits for its decision already, for the eleventh held file of a user, and when the held files of a user would have more than 128 MiB together.',
  access: ['payment.write'],
  ...sentFile,
  status: 201,
  problems: ['conflict'],
  response: HeldPaymentFile,
  example: { body: 'NY000010…' },
})
const ofHeldFile = Type.Object({ heldFileGuid: guid('Held file') })
export const checkHeldPaymentFile = operation({
  id: 'checkHeldPaymentFile',
  name: 'checkHeldPaymentFile',
  method: 'POST',
  path: '/payment-files/held/:heldFileGuid/check',
  area,
  summary: 'Check a held file of payments',
  description: 'What its booking would do now, as `checkPaymentFile` says of a file. Nothing is stored.',
  access: ['payment.write'],
  params: ofHeldFile,
  status: 200,
  response: PaymentFileCheck,
})
export const bookHeldPaymentFile = operation({
  id: 'bookHeldPaymentFile',
  name: 'bookHeldPaymentFile',
  method: 'POST',
  path: '/payment-files/held/:heldFileGuid/book',
  area,
  summary: 'Book a held file of payments',
  description:
    'As `uploadPaymentFile` of the same file by the caller, whose own limit holds. An approval of `BANK_FILE` does it. 409 when its request was rejected or withdrawn.',
  access: ['payment.write'],
  params: ofHeldFile,
  status: 201,
  problems: ['conflict'],
  response: PaymentFile,
})
