import { Badge } from '@mantine/core'
import { codeLabel, translateLabel, useLabels } from '../../texts/labels.ts'

const colours: Record<string, string> = {
  NEW: 'fjord',
  PRECOLLECTION: 'fjord',
  AMICABLE: 'fjord',
  LEGAL: 'grape',
  ENFORCEMENT: 'grape',
  SURVEILLANCE: 'gray',
  CLOSED: 'gray',
}

interface StatusBadgeProps {
  status: string | null
  subStatus?: string | null
  hold?: string | null
}

/** The status of a case in words; a hold comes first. */
export function StatusBadge({ status, hold }: StatusBadgeProps) {
  useLabels()
  return (
    <span style={{ display: 'inline-flex', gap: 4 }}>
      <Badge variant="light" color={colours[status ?? ''] ?? 'gray'} tt="none" fw={500}>
        {statusLabel(status)}
      </Badge>
      {hold && (
        <Badge variant="light" color="yellow" tt="none" fw={500}>
          {translateLabel(`lookup.holdreason.${hold}`, hold)}
        </Badge>
      )}
    </span>
  )
}

export const statusLabel = (status: string | null): string =>
  translateLabel(`lookup.casestatus.${status}`, status ?? '–')
export const subStatusLabel = (subStatus: string | null): string =>
  subStatus ? codeLabel('subStatus', subStatus) : ''
