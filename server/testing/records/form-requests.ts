/** Requests of forms about the records of one client. */
import type { FormDefinition } from '../../../contract/metadata/forms.ts'
import type { Form } from '../../../contract/metadata/forms/form.ts'
import type { TestApi } from '../api.ts'
import { makeSample, type Values } from './samples.ts'

export interface ClientWorld {
  /** The client's code, which stands in texts of its records too. */
  code: string
  /** The record of each kind, by what a form's parameter takes: `debtor`, `case`, `note`. */
  known: Record<string, string>
  /** What identifies a record, by the member that holds it: `debtorGuid`, `paymentplanGuid`, `caseNumber`. */
  members: Record<string, string>
}

export const formPath = ({ entity, type }: Form): string => `/system/forms/${entity}/${type}`

/** The parameters of a form, with the client's records. `removes` is only for a form's S5. */
export function formQuery(form: Form, { known, members }: ClientWorld, isRemoval = false): string {
  const taken = Object.entries(form.takes).filter(([parameter]) => isRemoval || parameter !== form.removes)
  const query = taken.map(([parameter, what]): [string, string] => {
    if (parameter === 'name') return [parameter, 'employer']
    const isRecord = form.record === parameter
    return [
      parameter,
      (isRecord ? members[form.keys[0]!] : undefined) ?? known[what.replaceAll(' ', '')] ?? '',
    ]
  })
  return new URLSearchParams(query).toString()
}

/** Fields with the code of a client, in the form in which they are stored. */
const ofClient: Record<string, (code: string) => string> = {
  partyReferenceCode: (code) => code,
  clientRestriction: (code) => `${code}/*`,
}

/** A value for each field of the form that takes one. */
export async function formValues(api: TestApi, form: Form, world: ClientWorld): Promise<Values> {
  const path = `/system/formdefinitions/${form.entity}/${form.type}`
  const definition = await api.call<FormDefinition>('GET', path)
  // A debtor has a part in a case once.
  const debtor = await api.call<Values>('POST', '/debtors', { body: { lastname: world.code } })
  const records = { known: world.known, takeDebtor: () => String(debtor.body['debtorGuid']) }
  const fields = definition.body.groups.flatMap((group) => group.fields).filter((one) => one.editCode !== '')
  const values = fields.map((field) => {
    const sample = form.entity === 'client' ? undefined : ofClient[field.code]?.(world.code)
    return [field.code, sample ?? makeSample(field, form, records)] as const
  })
  return Object.fromEntries(values.filter(([, value]) => value !== undefined)) as Values
}
