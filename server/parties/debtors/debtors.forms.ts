/** The forms of debtors and of what belongs to them: the functions of the REST operations, by field codes. */
import * as layout from '../../../contract/metadata/forms/debtors.ts'
import { checkIdNumber } from '../../../core/identity/id-number.ts'
import { isCountry } from '../../../core/identity/codes.ts'
import { isUnderAged } from '../../../core/identity/age.ts'
import { toMidnight } from '../../../core/calendar/date-time.ts'
import { findGeneralDefaults } from '../../platform/dictionary/general-defaults.ts'
import { handle, type FormCall, type FormHandler } from '../../platform/dictionary/handler.ts'
import { invalid, notFound } from '../../platform/http/errors.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'

import { addAddress, changeAddress, removeAddress } from './addresses.changes.ts'
import { findAddress } from './addresses.store.ts'
import { requireDebtor } from './debtor-lock.ts'
import { allowsDuplicate, changeDebtor, createDebtor, prepareDebtor } from './debtors.changes.ts'
import { findDebtor, findDebtorForChange } from './debtors.store.ts'
import { removeDebtor } from './remove-debtor.ts'
import {
  addExtraField,
  changeExtraField,
  pickField,
  removeExtraField,
  requireExtraField,
} from './extra-fields.changes.ts'

export const debtorForms = (service: ServerContext): FormHandler[] => [
  ...ownForms(service),
  ...addressForms(service),
  ...extraFieldForms(),
]

function ownForms({ settings, clock }: ServerContext): FormHandler[] {
  const countryCode = settings.FORDRA_COUNTRY
  const storedIn = { table: 'debtor', columns: { debtorGuid: 'id' } }
  return [
    handle(layout.debtorCreate, {
      storedIn,
      defaults: async ({ db }) => ({ juridicalType: 0, ...(await findGeneralDefaults(db, settings)) }),
      recalculate: (_code, { body }) =>
        readIdNumber(body.idNumber, { countryCode: body.countryCode || countryCode, today: clock.today() }),
      create: async ({ db, caller, body, origin, headers }) => {
        const debtor = prepareDebtor(body, { countryCode, today: clock.today(), language: caller.language })
        const options = { origin, allowDuplicate: allowsDuplicate(headers) }
        const made = await createDebtor(db, caller, debtor, options)
        const { fullName: _, ...address } = debtor.mainAddress ?? {}
        return {
          record: { ...address, ...made },
          version: made.version,
          location: `/debtors/${made.debtorGuid}`,
        }
      },
    }),
    handle(layout.debtorEdit, {
      storedIn,
      find: async ({ db, caller, id }) => {
        const debtor = await findDebtor(db, caller, id)
        if (!debtor) throw notFound('debtor')
        return { record: debtor, version: debtor.version }
      },
      recalculate: async (_code, { db, caller, id, body }) => {
        const debtor = id === '' ? undefined : await findDebtorForChange(db, caller, id)
        if (id !== '' && !debtor) throw notFound('debtor')
        const country = debtor?.record.idCountryCode ?? debtor?.countryCode ?? countryCode
        return readIdNumber(body.idNumber, { countryCode: country, today: clock.today() })
      },
      store: ({ db, caller, id, body, origin, headers, ifMatch }) =>
        changeDebtor(
          db,
          caller,
          { debtorGuid: id, input: body, allowDuplicate: allowsDuplicate(headers) },
          { origin, countryCode, ifMatch },
        ),
      remove: ({ db, caller, id, origin, ifMatch }) =>
        removeDebtor(db, caller, { debtorGuid: id, ifMatch }, origin),
    }),
  ]
}

/** What follows from an identity number. Throws a 400 where it is missing or wrong. */
function readIdNumber(
  idNumber: string | null | undefined,
  { countryCode, today }: { countryCode: string; today: string },
): object {
  if (!idNumber) throw invalid({ idNumber: ['is required: the number to check.'] })
  const country = countryCode.trim().toUpperCase()
  if (!isCountry(country)) throw invalid({ countryCode: ['must be a country of ISO 3166-1 such as SE.'] })
  const checked = checkIdNumber({ idNumber, countryCode: country, juridicalType: null, today })
  if (!checked.ok) throw invalid({ idNumber: [checked.message] })
  const { dateOfBirth, gender, juridicalType } = checked
  return {
    idNumber: checked.idNumber,
    juridicalType,
    ...(gender !== 0 && { gender }),
    ...(dateOfBirth !== null && {
      dateOfBirth: toMidnight(dateOfBirth),
      underAged: isUnderAged(dateOfBirth, today),
    }),
  }
}

function addressForms({ settings }: ServerContext): FormHandler[] {
  const countryCode = settings.FORDRA_COUNTRY
  const subject = { table: 'debtor', parameter: 'id' } as const
  const storedIn = { table: 'address', columns: { addressGuid: 'id' }, subject }
  return [
    handle(layout.addressCreate, {
      storedIn,
      defaults: async (call) => {
        await requireParent(call)
        const general = await findGeneralDefaults(call.db, settings)
        return { addressType: 'LEGAL', defaultAddress: false, countryCode: general.countryCode }
      },
      create: async ({ db, caller, id, body, origin }) => {
        const made = await addAddress(db, caller, { debtorGuid: id, input: body }, { origin, countryCode })
        const location = `/debtors/${id}/addresses/${made.addressGuid}`
        return { record: made, version: made.version, location }
      },
    }),
    handle(layout.addressEdit, {
      storedIn,
      defaults: requireParent,
      find: async ({ db, caller, id, subId }) => {
        const address = await findAddress(db, await requireDebtor(db, caller, id), subId)
        if (!address) throw notFound('address')
        return { record: address, version: address.version }
      },
      store: ({ db, caller, id, subId, body, origin, ifMatch }) =>
        changeAddress(
          db,
          caller,
          { debtorGuid: id, addressGuid: subId, input: body, ifMatch },
          { origin, countryCode },
        ),
      remove: ({ db, caller, id, subId, origin, ifMatch }) =>
        removeAddress(db, caller, { debtorGuid: id, addressGuid: subId, ifMatch }, origin),
    }),
  ]
}

const extraFieldForms = (): FormHandler[] => [
  handle(layout.extraFieldCreate, {
    defaults: requireParent,
    create: async ({ db, caller, id, body, origin }) => {
      const made = await addExtraField(db, caller, { debtorGuid: id, input: body }, origin)
      const location = `/debtors/${id}/extrafields/${encodeURIComponent(made.name)}`
      return { record: made, version: 1, location }
    },
  }),
  handle(layout.extraFieldEdit, {
    defaults: requireParent,
    find: async ({ db, caller, id, name }) => {
      const field = await requireExtraField(db, await requireDebtor(db, caller, id), name)
      return { record: pickField(field), version: field.version }
    },
    store: ({ db, caller, id, name, body, origin, ifMatch }) =>
      changeExtraField(db, caller, { debtorGuid: id, name, input: body, ifMatch }, origin),
    remove: ({ db, caller, id, name, origin, ifMatch }) =>
      removeExtraField(db, caller, { debtorGuid: id, name, ifMatch }, origin),
  }),
]

/** No initial values, for a debtor that there is. Throws a 404. */
async function requireParent({ db, caller, id }: FormCall): Promise<object> {
  if (id !== '') await requireDebtor(db, caller, id)
  return {}
}
