/** The draft of a strategy is kept in the browser, like what is typed into a form. */
import { useState } from 'react'
import { draftKey, dropDraft } from '../../forms/drafts.ts'
import { useDraft } from '../../forms/use-draft.ts'
import { useUser } from '../../session/session.ts'

interface TypedStrategy {
  code: string
  name: string
  source: string
  running: boolean
  /** As JSON. */
  steps: string
}

interface Edited {
  values: TypedStrategy
  restore: (kept: TypedStrategy) => void
}

/** `etag` is that of the version in force, for which a draft may be too old. */
export function useStrategyDraft(strategy: string, etag: string | undefined, { values, restore }: Edited) {
  const key = draftKey(useUser().uniqueId, `strategy/${strategy}`)
  const [initial] = useState(values)
  const [done, setDone] = useState(false)
  const draft = useDraft({
    key,
    form: {
      getValues: () => ({ ...values }),
      setValues: (kept) => restore({ ...values, ...kept } as TypedStrategy),
    },
    initial: { ...initial },
    etag,
    done,
  })
  /** Once the strategy is stored. */
  const drop = () => {
    setDone(true)
    dropDraft(key)
  }
  return { ...draft, drop }
}
