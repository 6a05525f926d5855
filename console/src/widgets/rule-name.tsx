import { useTranslation } from 'react-i18next'
import { ruleLabel } from '../texts/labels.ts'

/** A rule of law by its name and its source. Its code shows when the pointer rests on it. */
export function RuleName({ rule, source = null }: { rule: string; source?: string | null }) {
  useTranslation()
  return (
    <span className="wraps" title={rule}>
      {ruleLabel(rule)}
      {source !== null && `: ${source}`}
    </span>
  )
}
