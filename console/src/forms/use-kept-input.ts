import { useState } from 'react'
import { useUser } from '../session/session.ts'
import type { Typed } from './definition.ts'
import { draftKey, dropDraft } from './drafts.ts'
import type { Values } from './form-model.ts'
import { useDraft } from './use-draft.ts'

/**
 * The input of a page's own dialog, kept in the browser like that of a form: a closed tab loses nothing. `name` says what
 * it is about, such as `call` and the case.
 */
export function useKeptInput<T extends Record<keyof T, Typed>>(name: string, initial: T) {
  const key = draftKey(useUser().uniqueId, name)
  const [first] = useState(initial)
  const [values, setValues] = useState(initial)
  const [done, setDone] = useState(false)
  const draft = useDraft({
    key,
    form: { getValues: () => values as Values, setValues: (next) => setValues(next as T) },
    initial: first as Values,
    etag: undefined,
    done,
  })
  return {
    values,
    change: (part: Partial<T>) => setValues((former) => ({ ...former, ...part })),
    set: setValues,
    draft,
    /** Once the input is stored. */
    drop: () => {
      setDone(true)
      dropDraft(key)
    },
  }
}

/** The same for input that is more than texts, such as rows that can be added. */
export function useKeptJson<T>(name: string, initial: T) {
  const { values, set, draft, drop } = useKeptInput(name, { json: JSON.stringify(initial) })
  const parse = (json: string) => JSON.parse(json) as T
  return {
    value: parse(values.json),
    change: (next: (former: T) => T) => set(({ json }) => ({ json: JSON.stringify(next(parse(json))) })),
    draft,
    drop,
  }
}
