import { Badge } from '@mantine/core'
import { codeLabel, labelOf, useLabels } from '../../texts/labels.ts'

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
        {sayStatus(status)}
      </Badge>
      {hold && (
        <Badge variant="light" color="yellow" tt="none" fw={500}>
          {labelOf(`lookup.holdreason.${hold}`, hold)}
        </Badge>
      )}
    </span>
  )
}

export const sayStatus = (status: string | null): string =>
  labelOf(`lookup.casestatus.${status}`, status ?? '–')
export const saySubStatus = (subStatus: string | null): string =>
  subStatus ? codeLabel('subStatus', subStatus) : ''
