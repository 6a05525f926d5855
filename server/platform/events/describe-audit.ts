import type { AuditCheck } from './audit-seal.ts'

export const isWhole = ({ brokenAt, formerBrokenAt, erasedAt }: AuditCheck): boolean =>
  brokenAt === null && formerBrokenAt === null && erasedAt === null

/** The result of a verification of the audit trail, in sentences. */
export function describeAudit({ seals, entries, brokenAt, formerBrokenAt, erasedAt }: AuditCheck): string[] {
  return [
    brokenAt === null
      ? `The audit trail is whole: ${entries} entries under ${seals} seals.`
      : `The audit trail is broken at seal ${brokenAt}: an entry under it was changed, removed or added. The ${entries} entries before it are whole.`,
    ...(formerBrokenAt === null
      ? []
      : [
          `Seal ${formerBrokenAt} of the audit trail was already broken when the migration “trail” carried it over.`,
        ]),
    ...(erasedAt === null
      ? []
      : [`Values of the audit entry ${erasedAt} are hidden, and no erasure accounts for that.`]),
  ]
}
