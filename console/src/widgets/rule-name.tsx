import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadLaterTexts } from '../texts/languages.ts'
import { ruleLabel } from '../texts/labels.ts'

/** A rule of law by its name and its source. Its code shows when the pointer rests on it. */
export function RuleName({ rule, source = null }: { rule: string; source?: string | null }) {
  useTranslation()
  const [isLoaded, setLoaded] = useState(false)
  useEffect(() => {
    void loadLaterTexts().finally(() => setLoaded(true))
  }, [])
  const name = ruleLabel(rule)
  return (
    <span className="wraps" title={rule}>
      {isLoaded || name !== rule ? name : ''}
      {source !== null && `: ${source}`}
    </span>
  )
}
