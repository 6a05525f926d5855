import { useEffect, useRef, useState } from 'react'
import type { Values } from './form-model.ts'
import { dropDraft, isKept, keepDraft, readDraft, type Draft } from './drafts.ts'

interface DraftOptions {
  /** Undefined for a form without drafts. */
  key: string | undefined
  form: { getValues(): Values; setValues(values: Values): void }
  initial: Values
  etag: string | undefined
  /** True once the form was stored. */
  done: boolean
}

const afterMs = 300

/** Keeps what is typed, and offers what was typed before. */
export function useDraft({ key, form, initial, etag, done }: DraftOptions) {
  const [offered, setOffered] = useState<Draft | undefined>(() =>
    key === undefined ? undefined : readOffer(key, initial),
  )
  const values = form.getValues()
  const own = changedFrom(initial, values)
  // What is typed before the offer is answered is added to it: neither is lost.
  const kept = { ...offered?.values, ...own }
  const text = JSON.stringify(kept)
  const isFirst = useRef(true)
  useEffect(() => {
    if (key === undefined || done) return
    if (isFirst.current) {
      isFirst.current = false
      return
    }
    const keep = () => {
      const now = JSON.parse(text) as Draft['values']
      if (Object.keys(now).length === 0) dropDraft(key)
      else keepDraft(key, { at: new Date().toISOString(), etag, values: now })
    }
    const timer = setTimeout(keep, afterMs)
    window.addEventListener('pagehide', keep)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('pagehide', keep)
    }
  }, [key, text, etag, done])
  useEffect(() => {
    if (key !== undefined && done) dropDraft(key)
  }, [key, done])
  return {
    offered,
    isOlder: offered !== undefined && offered.etag !== etag,
    restore: () => {
      form.setValues({ ...values, ...offered!.values })
      setOffered(undefined)
    },
    discard: () => {
      if (key !== undefined) dropDraft(key)
      setOffered(undefined)
    },
  }
}

function readOffer(key: string, initial: Values): Draft | undefined {
  const draft = readDraft(key)
  if (!draft) return undefined
  // Fields that the form no longer has, and those that have the value already.
  const values = Object.fromEntries(
    Object.entries(draft.values).filter(([code, value]) => code in initial && initial[code] !== value),
  )
  return Object.keys(values).length === 0 ? undefined : { ...draft, values }
}

const changedFrom = (initial: Values, values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).filter(([code, value]) => isKept(code) && initial[code] !== value),
  )
