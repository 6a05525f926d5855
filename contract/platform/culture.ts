/** The query parameter that chooses how an answer's texts write numbers and dates. */
import { Type } from 'typebox'

export const culture = Type.Optional(
  Type.String({
    pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$',
    maxLength: 35,
    description: 'How texts write numbers and dates: `sv-FI`. Default: that of the caller’s language.',
  }),
)
