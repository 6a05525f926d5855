import type { ApiError } from '../../platform/http/errors.ts'

const reasonMax = 1000

/** Why a row is refused, as its user reads it. */
export const describeReason = ({ errors, message }: ApiError): string =>
  (
    Object.values(errors ?? {})
      .flat()
      .join(' ') || message
  ).slice(0, reasonMax)
