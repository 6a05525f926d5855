/**
 * Ends the rights that a restore brought back: nobody can tell which of them were ended after the backup. What a program
 * needs is held until a person has looked at it; the passwords of people stay.
 */
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import type { Sql } from '../../platform/database/driver/pool.ts'
import { takeRestoredMark } from '../../platform/backups/restored-mark.ts'
import type { Anchor } from '../../platform/events/anchor.ts'
import { agencyItself, type Origin } from '../../platform/http/caller.ts'
import { endEverySecretMessage } from '../../platform/messages/user-messages.store.ts'
import { visibleUsers } from '../../access/users/users.scope.ts'
import { countOtherAdministrators, lockUser, updateUser } from '../../access/users/users.store.ts'
import * as store from './restored-rights.store.ts'

export interface EndedRights {
  /** The moment of the restored state. */
  asOf: string
  sessions: number
  /** Those of the sessions that connected an assistant. */
  assistants: number
  /** Invitations, and links of forgotten passwords. */
  links: number
  /** Codes of second factors, recovery codes among them. */
  codes: number
  /** Secrets of people, who have a password too. */
  secrets: number
  /** The logins of API users that are disabled until a person enables them. */
  heldUsers: string[]
  /** The hosts of webhooks that are paused until a person resumes them. */
  pausedWebhooks: string[]
  /** The logins of users who were disabled or deleted after that moment, by the anchor folder: disabled again. */
  endedUsers: string[]
  /** The last administrator among them, who stays enabled: nobody else could sign in to administer. */
  keptAdministrators: string[]
  /** The anchor folder says who was disabled or deleted. */
  knowsUsers: boolean
  /** People who can sign in as they could at that moment. */
  people: number
  /** Requests that wait for a second person, as they did at that moment. */
  requests: number
}

/** Undefined where nothing was restored since the last call. Several nodes may start at once: one of them does it. */
export const endRestoredRights = (
  sql: Sql,
  anchor: Anchor,
  businessDate: string,
): Promise<EndedRights | undefined> =>
  inTransaction(sql, async (tx) => {
    const asOf = await takeRestoredMark(tx)
    if (asOf === undefined) return undefined
    const { states } = await anchor.readUsers()
    const origin = { actorId: null, requestId: null, operation: 'restore', businessDate }
    await endEverySecretMessage(tx)
    return {
      asOf,
      ...(await store.endSessions(tx, origin)),
      links: await store.endLinks(tx),
      codes: await store.endCodes(tx),
      secrets: await store.endSecretsOfPeople(tx),
      heldUsers: await holdApiUsers(tx, origin),
      ...(await disableAgain(
        tx,
        [...states].filter(([, state]) => state !== 'enabled'),
        origin,
      )),
      knowsUsers: states.size > 0,
      pausedWebhooks: await store.pauseWebhooks(tx, asOf),
      ...(await store.countLeft(tx)),
    }
  })

async function holdApiUsers(tx: Db, origin: Origin): Promise<string[]> {
  const logins: string[] = []
  for (const { userGuid, email } of await store.listApiUsers(tx)) {
    await disable(tx, userGuid, origin)
    logins.push(email)
  }
  return logins
}

/** Disables users whose end the restore undid. */
async function disableAgain(
  tx: Db,
  recorded: readonly (readonly [userGuid: string, state: string])[],
  origin: Origin,
): Promise<Pick<EndedRights, 'endedUsers' | 'keptAdministrators'>> {
  const endedUsers: string[] = []
  const keptAdministrators: string[] = []
  const userGuids = recorded.map(([userGuid]) => userGuid)
  for (const { userGuid, email } of await store.listEnabled(tx, userGuids)) {
    if ((await countOtherAdministrators(tx, userGuid)) > 0) {
      await disable(tx, userGuid, origin)
      endedUsers.push(email)
    } else keptAdministrators.push(email)
  }
  return { endedUsers, keptAdministrators }
}

async function disable(tx: Db, userGuid: string, origin: Origin): Promise<void> {
  const before = await lockUser(tx, visibleUsers(agencyItself), userGuid)
  await updateUser(tx, userGuid, before!, { changes: { disabled: [false, true] } }, origin)
}

/** Records in the anchor folder who may sign in. */
export const recordUserStates = async (sql: Sql, anchor: Anchor): Promise<void> =>
  anchor.recordUsers(await store.listUserStates(sql))

/** What was done and what is left to do, in lines for people. */
export function describeEndedRights(ended: EndedRights): string[] {
  const { asOf, sessions, assistants, links, codes, secrets, heldUsers, pausedWebhooks, people, requests } =
    ended
  const { endedUsers, keptAdministrators, knowsUsers } = ended
  return [
    `Ended what the restore of ${asOf} brought back: ${sessions} sessions (${assistants} of assistants), ` +
      `${links} invitations and links for passwords, ${codes} one-time codes, ${secrets} secrets of people.`,
    ...(heldUsers.length > 0
      ? [
          `API users disabled until you have checked their secrets: ${heldUsers.join(', ')}. Then: fordra user enable LOGIN`,
        ]
      : []),
    ...(pausedWebhooks.length > 0
      ? [`Webhooks paused until an administrator resumes them: ${pausedWebhooks.join(', ')}.`]
      : []),
    ...(endedUsers.length > 0
      ? [`Disabled again, as they were disabled or deleted after that moment: ${endedUsers.join(', ')}.`]
      : []),
    ...(keptAdministrators.length > 0
      ? [
          `Disabled after that moment, but the last administrator now: ${keptAdministrators.join(', ')}. Create another one, then: fordra user disable LOGIN`,
        ]
      : []),
    `${people} people can sign in with the password, second factors, role and clients of that moment. ` +
      (knowsUsers
        ? 'Check roles and clients that were taken since: fordra user list'
        : 'Disable again whom you disabled since: fordra user list, fordra user disable LOGIN'),
    ...(requests > 0
      ? [
          `${requests} requests wait for a second person as they did then. Some may have been decided since: see Approvals.`,
        ]
      : []),
  ]
}
