/** The forms whose fields a list offers in its rows, by the list's operation. The build puts the values in this file's place. */
import { forms } from '../../../../contract/metadata/all-forms.ts'
import { storeFromForm } from '../../../../contract/metadata/forms.ts'

export interface RowForm {
  entity: string
  type: string
  /** The member of a row that identifies the record. */
  key: string
  /** Columns, each with the field that it shows. */
  cells: Readonly<Record<string, string>>
  /** Of each group, the user needs one access code. */
  access: readonly (readonly string[])[]
}

const needed = forms.flatMap(({ entity, type, open, submit, rows = [] }) =>
  rows.map(({ list, key, cells }) => ({
    list: list.name,
    form: {
      entity,
      type,
      key,
      cells,
      access: [open.access, submit.access, storeFromForm.access].filter((codes) => typeof codes !== 'string'),
    } satisfies RowForm,
  })),
)

export const rowForms: Record<string, readonly RowForm[]> = Object.fromEntries(
  [...new Set(needed.map(({ list }) => list))].map((list) => [
    list,
    needed.filter((one) => one.list === list).map(({ form }) => form),
  ]),
)
