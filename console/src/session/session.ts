/** The signed-in user, and the progress of signing in. */
import type { CurrentUser } from '../../../contract/access/current-user.ts'
import { api, endedSessions, isUnavailable } from '../api/client.ts'
import { dropDrafts, dropDraftsOfOthers } from '../forms/drafts.ts'
import { isProblem, queryClient } from '../api/queries.ts'
import { changeLanguage, keepLanguage } from '../texts/languages.ts'
import { createStore, useStore } from '../store.ts'

export type Phase = 'starting' | 'away' | 'signed-out' | 'enrolling' | 'signed-in'
export interface Session {
  phase: Phase
  user?: CurrentUser
}

/**
 * A hint that there may be a session. Its cookie is hidden from scripts, and a request without one would be refused. A
 * provider's sign-in creates a session too.
 */
const mark = 'fordra-session'
export const rememberSession = (): void => localStorage.setItem(mark, '1')

export const session = createStore<Session>({ phase: 'starting' })

/** Asks the service for the user. With `atStart` only if somebody has signed in before. */
export async function findSession(atStart?: 'atStart'): Promise<void> {
  if (atStart && localStorage.getItem(mark) === null) {
    session.set({ phase: 'signed-out' })
    return
  }
  rememberSession()
  try {
    const [user] = await Promise.all([api.getCurrentUser(), api.getSession()])
    await begin(user)
  } catch (error) {
    if (isUnavailable(error)) session.set((current) => ({ ...current, phase: 'away' }))
    else if (isProblem(error, 'mfa-required')) session.set({ phase: 'enrolling' })
    else {
      localStorage.removeItem(mark)
      session.set((current) => ({ ...current, phase: 'signed-out' }))
    }
  }
}

async function begin(user: CurrentUser): Promise<void> {
  const former = session.get().user
  // Another user signs in after a session ended: the former user's data must disappear.
  if (former && former.uniqueId !== user.uniqueId) {
    window.location.assign('/')
    return
  }
  dropDraftsOfOthers(user.uniqueId)
  await changeLanguage(user.languageCode)
  keepLanguage()
  session.set({ phase: 'signed-in', user })
  // Except forms: their input belongs to the data loaded with them.
  if (former) void queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'form' })
}

/** After a change of the user's own profile. */
export async function reloadUser(): Promise<void> {
  const user = await api.getCurrentUser()
  await changeLanguage(user.languageCode)
  session.set({ phase: 'signed-in', user })
}

export async function signOut(): Promise<void> {
  const { user } = session.get()
  if (user) dropDrafts(user.uniqueId)
  try {
    await api.logout()
  } finally {
    queryClient.clear()
    localStorage.removeItem(mark)
    session.set({ phase: 'signed-out' })
    window.history.replaceState(null, '', '/')
  }
}

endedSessions.subscribe(() => {
  if (session.get().phase === 'signed-in') session.set((current) => ({ ...current, phase: 'signed-out' }))
})

export const useSession = (): Session => useStore(session)

/** The signed-in user; only below the gate. */
export function useUser(): CurrentUser {
  const { user } = useSession()
  if (!user) throw new Error('There is no user before somebody has signed in.')
  return user
}

/** True if the user has one of the access codes. */
export function useMay(...codes: string[]): boolean {
  const { user } = useSession()
  return codes.some((code) => user?.accessCodes.includes(code))
}
