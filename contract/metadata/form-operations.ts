/** The operations of every form. They stand in the API document and in the typed client beside the general ones. */
import type { Operation } from '../platform/operation.ts'
import type { Form } from './forms/form.ts'
import { administration } from './operations/administration.ts'
import { casework } from './operations/casework.ts'

const described = [...casework, ...administration] as const

/** The union of all operations of forms with their exact types. */
export type DeclaredFormOperation = (typeof described)[number]['operations'][number]

export const operationsOfForms: readonly { form: Form; operations: readonly Operation[] }[] = described
export const formOperationList: readonly Operation[] = operationsOfForms.flatMap(
  ({ operations }) => operations,
)
