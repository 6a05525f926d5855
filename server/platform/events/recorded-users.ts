/**
 * Records in the anchor folder which users may sign in, so that whoever was disabled or deleted after a backup does not
 * come back with its restore. A line per change, signed like an erasure; no names.
 */
import { appendLines, readAnchorLines, userFile, type UserLine } from './anchor-file.ts'
import { isSignedBy, signStatement, type SealKey } from './seal-key.ts'

type UserState = UserLine['state']

export interface RecordedUsers {
  /** The last state of each user, by GUID. */
  states: Map<string, UserState>
  /** Lines without a valid signature. */
  distrusted: number
}

const userParts = ({ user, state, at }: Omit<UserLine, 'key' | 'signature'>) => [user, state, at]

export async function readUserStates(
  folder: string,
  readKeys: () => Promise<ReadonlyMap<string, Buffer>>,
): Promise<RecordedUsers> {
  const { lines, unreadable } = await readAnchorLines<UserLine>(userFile(folder))
  const recorded: RecordedUsers = { states: new Map(), distrusted: unreadable }
  // Reading the keys makes the server's own where there is none.
  if (lines.length === 0) return recorded
  const keys = await readKeys()
  for (const line of lines) {
    const key = keys.get(line.key)
    if (key && isSignedBy(key, Buffer.from(String(line.signature), 'base64'), 'user', userParts(line)))
      recorded.states.set(line.user, line.state)
    else recorded.distrusted++
  }
  return recorded
}

/** Appends what differs from the known states, and changes these. A known user who is missing was deleted. */
export async function appendUserStates(
  folder: string,
  key: SealKey,
  known: Map<string, UserState>,
  users: readonly { id: string; disabled: boolean }[],
): Promise<void> {
  const present = new Map(users.map(({ id, disabled }) => [id, disabled ? 'disabled' : 'enabled'] as const))
  const changed = new Map<string, UserState>([...present].filter(([id, state]) => known.get(id) !== state))
  for (const [id, state] of known) if (!present.has(id) && state !== 'deleted') changed.set(id, 'deleted')
  const at = new Date().toISOString()
  const lines = [...changed].map(([user, state]): UserLine => {
    const signature = signStatement(key, 'user', userParts({ user, state, at })).toString('base64')
    return { user, state, at, key: key.id, signature }
  })
  await appendLines(userFile(folder), lines)
  for (const [id, state] of changed) known.set(id, state)
}
