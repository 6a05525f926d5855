import { useState, type FormEvent } from 'react'

/** An asynchronous action that may be refused: its progress and result. */
export function useWork() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<unknown>(null)
  const run = async (work: () => Promise<unknown>): Promise<boolean> => {
    setBusy(true)
    setError(null)
    try {
      await work()
      return true
    } catch (failure) {
      setError(failure)
      return false
    } finally {
      setBusy(false)
    }
  }
  /** For a form's `onSubmit`. */
  const onSubmit = (work: () => Promise<unknown>) => (event: FormEvent) => {
    event.preventDefault()
    void run(work)
  }
  return { busy, error, run, onSubmit }
}
