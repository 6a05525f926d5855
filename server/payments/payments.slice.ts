import type { Slice } from '../access/serve/slice.ts'
import { movementForms } from './movements.forms.ts'

export const paymentsSlice: Slice = { forms: movementForms }
