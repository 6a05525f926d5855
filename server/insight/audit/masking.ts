/** Masks personal data in audit entries, by the kind given in the dictionary. */
import { addressFields } from '../../../contract/parties/addresses.ts'
import { caseInputFields } from '../../../contract/cases/case-inputs.ts'
import { debtorFields } from '../../../contract/parties/debtors.ts'
import { fieldMeta, type PersonalData } from '../../../contract/metadata/fields.ts'
import { customerFields, objectFields, thirdPartyFields } from '../../../contract/parties/holdings.ts'
import { directoryFields, userFields } from '../../../contract/access/users.ts'

import { customFieldSchema, type CustomField } from '../../platform/dictionary/custom-field.ts'

/** Values before and after the change, by member. */
export type Changes = Record<string, [before: unknown, after: unknown]>

/** Changes as stored: an erased member is its digest, not a pair of values. */
export type StoredChanges = Record<string, [before: unknown, after: unknown] | { erased: string }>

/** Changes with null for the values of erased members, and the names of these. */
export function showErased(stored: StoredChanges): { changes: Changes; erased: string[] } {
  const erased = Object.keys(stored).filter((name) => !Array.isArray(stored[name]))
  const changes = Object.entries(stored).map(([name, value]) => [
    name,
    Array.isArray(value) ? value : [null, null],
  ])
  return { changes: Object.fromEntries(changes) as Changes, erased }
}

const dictionaries: Record<string, object> = {
  debtor: debtorFields,
  address: addressFields,
  user: { ...userFields, ...directoryFields },
  thirdparty: thirdPartyFields,
  customer: customerFields,
  object: objectFields,
  payment: caseInputFields,
}

const hidden = '…'

/**
 * The visible part of a value by kind: it shows that the value changed, and for contact data which one it
 * was.
 */
const masks: Record<PersonalData, (text: string) => string> = {
  identity: () => hidden,
  birth: () => hidden,
  address: () => hidden,
  name: (text) => `${[...text][0] ?? ''}${hidden}`,
  contact: (text) =>
    text.includes('@') ? `${hidden}@${text.split('@').at(-1)}` : `${hidden}${text.slice(-2)}`,
}

function maskValue(kind: PersonalData, value: unknown): unknown {
  if (value === null || value === undefined) return null
  return typeof value === 'string' ? masks[kind](value) : hidden
}

/**
 * The changes of an entry with personal data masked. Custom fields and notes may contain anything and are
 * masked entirely.
 */
export function maskChanges(entity: string, changes: Changes, own: readonly CustomField[] = []): Changes {
  const dictionary = dictionaries[entity] as Record<string, unknown> | undefined
  const findDataKind = (name: string) => {
    const field = own.find(({ code, type }) => code === name && type !== null)
    return fieldMeta(field ? customFieldSchema(field) : (dictionary?.[name] ?? {})).personalData
  }
  return Object.fromEntries(
    Object.entries(changes).map(([name, [before, after]]) => {
      const kind =
        (entity === 'extrafield' && name === 'value') ||
        (entity === 'note' && name === 'text') ||
        (entity === 'attachment' && name === 'fileName')
          ? 'identity'
          : findDataKind(name)
      return [name, kind === undefined ? [before, after] : [maskValue(kind, before), maskValue(kind, after)]]
    }),
  )
}
