import * as layout from '../../../contract/metadata/forms/rates.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { toMidnightOrNull } from '../../../core/calendar/date-time.ts'
import {
  changeReferenceRate,
  removeReferenceRate,
  requireRate,
  setReferenceRate,
} from './reference-rates.changes.ts'
import {
  changeStatutoryFee,
  removeStatutoryFee,
  requireFee,
  setStatutoryFee,
} from './statutory-fees.changes.ts'
import type { StoredFee } from './statutory-fees.store.ts'

const feeRecord = (fee: StoredFee) => ({
  record: { ...fee, validFrom: toMidnightOrNull(fee.validFrom), validTo: toMidnightOrNull(fee.validTo) },
  version: fee.version,
})

export const rateForms = ({ settings }: ServerContext): FormHandler[] => [
  handle(layout.interestRateCreate, {
    defaults: () => ({}),
    create: async ({ db, caller, body, origin }) => {
      const made = await setReferenceRate(db, { input: body }, { caller, origin })
      const { version } = await requireRate(db, made.interestRateGuid)
      return { record: { ...body, ...made }, version, location: '/system/interestrates' }
    },
  }),
  handle(layout.interestRateEdit, {
    find: async ({ db, id }) => {
      const found = await requireRate(db, id)
      return { record: { ...found, validFrom: toMidnightOrNull(found.validFrom) }, version: found.version }
    },
    store: ({ db, id, body, origin, ifMatch }) =>
      changeReferenceRate(db, { id, input: body, ifMatch }, origin),
    remove: ({ db, id, origin, ifMatch }) => removeReferenceRate(db, { id, ifMatch }, origin),
  }),
  handle(layout.statutoryFeeCreate, {
    defaults: () => ({
      countryCode: settings.FORDRA_COUNTRY,
      currencyCode: settings.FORDRA_CURRENCY,
      debtorKind: 'ALL',
    }),
    create: async ({ db, caller, body, origin }) =>
      feeRecord(await setStatutoryFee(db, { input: body }, { caller, origin })),
  }),
  handle(layout.statutoryFeeEdit, {
    find: async ({ db, id }) => feeRecord(await requireFee(db, id)),
    store: ({ db, caller, id, body, origin, ifMatch }) =>
      changeStatutoryFee(db, { id, input: body, ifMatch }, { caller, origin }),
    remove: ({ db, id, origin, ifMatch }) => removeStatutoryFee(db, { id, ifMatch }, origin),
  }),
]
