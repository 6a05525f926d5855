import { useUser } from '../../session/session.ts'
import { createStore, useStore } from '../../store.ts'

interface Kept {
  file: File
  userGuid: string
  /** The screen on which it was chosen. */
  screen: string
}

const kept = createStore<Kept | undefined>(undefined)

/**
 * A bank file that is not booked yet: it is still there when the user comes back to the screen. It is kept in the memory of
 * the page alone, because it holds accounts and names.
 */
export function useKeptBankFile(screen: string): [File | undefined, (file: File | undefined) => void] {
  const userGuid = useUser().uniqueId
  const found = useStore(kept)
  const file = found?.userGuid === userGuid && found.screen === screen ? found.file : undefined
  return [file, (next) => kept.set(next && { file: next, userGuid, screen })]
}

export const dropKeptBankFile = (): void => kept.set(undefined)
