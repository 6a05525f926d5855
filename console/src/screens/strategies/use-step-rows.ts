/** The steps of a strategy while they are edited. */
import { useMemo, useRef, useState, type KeyboardEvent } from 'react'
import type { StrategyItem, StrategyStepInput } from '../../../../contract/collection/strategies.ts'
import { newStep, toDraft } from './steps.ts'

/** Steps have stable keys, so that input stays with its step when it moves. */
interface Keyed {
  key: number
  step: StrategyStepInput
}
let keys = 0
const keyed = (step: StrategyStepInput): Keyed => ({ key: ++keys, step })

/** `list` is the form around the steps. A new step gets the focus. */
export function useStepRows(strategy: StrategyItem | undefined) {
  const list = useRef<HTMLFormElement>(null)
  const [rows, setRows] = useState(() => (strategy?.steps.map(toDraft) ?? [newStep(1)]).map(keyed))
  const add = () => {
    setRows([...rows, keyed(newStep(rows.length + 1))])
    // Once the step is drawn.
    requestAnimationFrame(() =>
      list.current?.querySelector<HTMLElement>('fieldset:last-of-type input')?.focus(),
    )
  }
  const addByKey = (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'Enter') return
    event.preventDefault()
    add()
  }
  const move = (at: number, by: -1 | 1) => {
    const next = [...rows]
    ;[next[at], next[at + by]] = [next[at + by]!, next[at]!]
    setRows(next)
  }
  const replace = (key: number, step: StrategyStepInput) =>
    setRows(rows.map((row) => (row.key === key ? { key, step } : row)))
  const remove = (key: number) => setRows(rows.filter((row) => row.key !== key))
  const focus = (at: number) => {
    const step = list.current?.querySelectorAll<HTMLElement>(':scope fieldset')[at]
    step?.scrollIntoView({ block: 'start' })
    step?.querySelector<HTMLElement>('input')?.focus({ preventScroll: true })
  }
  const reset = (next: readonly StrategyStepInput[]) => setRows(next.map(keyed))
  const steps = useMemo(() => rows.map(({ step }) => step), [rows])
  return { rows, steps, list, reset, focus, add, addByKey, move, replace, remove }
}
