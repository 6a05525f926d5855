/** Counts the debtors that can hardly be reached, and names some of them: work for whoever keeps contact data. */
import { defineService } from 'fordra/service'

interface Input {
  /** How many debtors of each gap to name; 20 unless given. */
  most?: number
}

const gaps = {
  noEmailOrPhone: 'email eq null and cellularPhone eq null and homePhone eq null and workPhone eq null',
  noAddress: 'city eq null and zipCode eq null',
  noIdentityNumber: 'idNumber eq null',
} as const

export default defineService<Input>({
  code: 'contact-gaps',
  scope: 'global',
  description: 'Counts debtors without e-mail and phone, without an address and without an identity number.',
  access: 'debtor.read',
  timeoutMs: 60_000,
  input: {
    type: 'object',
    properties: { most: { type: 'integer', minimum: 0, maximum: 100 } },
    additionalProperties: false,
  },
  handler: async ({ most = 20 }, { api }) => {
    const result: Record<string, { count: number; debtorGuids: string[] }> = {}
    for (const [gap, $filter] of Object.entries(gaps)) {
      const { total, value } = await api.call('listDebtors', { query: { $filter, $top: Math.max(1, most) } })
      result[gap] = { count: total, debtorGuids: value.slice(0, most).map(({ debtorGuid }) => debtorGuid) }
    }
    return result
  },
})
