/** The rules for a party: pure, for the forms and the import alike. */
import type { PartyInput } from '../../../contract/access/parties.ts'
import { cleanText } from '../../../core/identity/person-name.ts'
import type { FieldErrors } from '../../platform/http/errors.ts'

export interface PartyRecord {
  partyReferenceCode: string
  name: string
  /** Null for a party directly below the agency. */
  parentPartyReferenceCode: string | null
}

const cleanMember = (value: string | null | undefined) => cleanText(value ?? '')

/** The record of a new party. Errors are added to `checks`. */
export function readParty(input: PartyInput, checks: FieldErrors): PartyRecord {
  const record = {
    partyReferenceCode: cleanMember(input.partyReferenceCode),
    name: cleanMember(input.name),
    parentPartyReferenceCode: cleanMember(input.parentPartyReferenceCode) || null,
  }
  for (const member of ['partyReferenceCode', 'name'] as const) {
    if (record[member] === '') checks.add(member, 'is required.')
  }
  const { partyReferenceCode: own, parentPartyReferenceCode: parent } = record
  if (parent !== null && parent.toLowerCase() === own.toLowerCase()) {
    checks.add('parentPartyReferenceCode', 'must not be the party itself.')
  }
  return record
}
