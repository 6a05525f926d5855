/** Which members hold personal data of which kind, by the dictionary and the custom fields. */
import { addressFields } from '../../../contract/parties/addresses.ts'
import { debtorFields } from '../../../contract/parties/debtors.ts'
import { fieldMeta, personalDataTypes, type PersonalData } from '../../../contract/metadata/fields.ts'
import { customFieldSchema, type CustomField } from '../../platform/dictionary/custom-field.ts'

const dictionaries: Record<'debtor' | 'address', object> = { debtor: debtorFields, address: addressFields }

export const allKinds: readonly number[] = Object.values(personalDataTypes)

/** True when all kinds are to be erased. Free text is then erased too. */
export const isWhole = (kinds: readonly number[]): boolean => allKinds.every((kind) => kinds.includes(kind))

const kindId = (schema: object): number | undefined => {
  const { personalData } = fieldMeta(schema)
  return personalData === undefined ? undefined : personalDataTypes[personalData as PersonalData]
}

export interface PersonalMembers {
  /** Members with personal data of the kinds. */
  personal: string[]
  /** Known members without any personal data. */
  plain: string[]
}

export function findPersonalMembers(
  entity: 'debtor' | 'address',
  kinds: readonly number[],
  custom: readonly CustomField[],
): PersonalMembers {
  const known = [
    ...Object.entries(dictionaries[entity]).map(([name, schema]) => ({
      name,
      kind: kindId(schema as object),
    })),
    ...custom
      .filter(({ type }) => type !== null)
      .map((one) => ({ name: one.code, kind: kindId(customFieldSchema(one)) })),
  ]
  return {
    personal: known.filter(({ kind }) => kind !== undefined && kinds.includes(kind)).map(({ name }) => name),
    plain: known.filter(({ kind }) => kind === undefined).map(({ name }) => name),
  }
}
