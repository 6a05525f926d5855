import * as layout from '../../../contract/metadata/forms/rates.ts'
import { handle, type FormHandler } from '../../platform/dictionary/handler.ts'
import type { Service } from '../../access/serve/service.ts'
import { midnightOrNull } from '../../../core/calendar/date-time.ts'
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

const recordOf = (fee: StoredFee) => ({
  record: { ...fee, validFrom: midnightOrNull(fee.validFrom), validTo: midnightOrNull(fee.validTo) },
  version: fee.version,
})

export const rateForms = ({ settings }: Service): FormHandler[] => [
  handle(layout.interestRateCreate, {
    defaults: () => ({}),
    create: async ({ db, body, origin }) => {
      const made = await setReferenceRate(db, { input: body }, { origin })
      const { version } = await requireRate(db, made.interestRateGuid)
      return { record: { ...body, ...made }, version, location: '/system/interestrates' }
    },
  }),
  handle(layout.interestRateEdit, {
    find: async ({ db, id }) => {
      const found = await requireRate(db, id)
      return { record: { ...found, validFrom: midnightOrNull(found.validFrom) }, version: found.version }
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
    create: async ({ db, body, origin }) => recordOf(await setStatutoryFee(db, { input: body }, { origin })),
  }),
  handle(layout.statutoryFeeEdit, {
    find: async ({ db, id }) => recordOf(await requireFee(db, id)),
    store: ({ db, id, body, origin, ifMatch }) =>
      changeStatutoryFee(db, { id, input: body, ifMatch }, origin),
    remove: ({ db, id, origin, ifMatch }) => removeStatutoryFee(db, { id, ifMatch }, origin),
  }),
]
