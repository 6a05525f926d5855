/** Second factors: codes of an authenticator app (RFC 6238), codes by e-mail and SMS, and recovery codes. */
import { hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto'
import { verifySync } from 'otplib'
import type { Settings } from '../../platform/config.ts'
import { inTransaction, type Db } from '../../platform/database/transaction.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { queueMessage } from '../../platform/messages/messages.store.ts'
import * as store from './mfa.store.ts'
import type { Factor, Purpose } from './mfa.store.ts'
import { needsSealing, openSeed, sealSeed } from './second-factor-seed.ts'
import { hashToken, newSecret } from '../sessions/sessions.ts'
import { addressKey, countFailure, findBlocks, requireOpenAddress, userKey } from '../sessions/throttle.ts'

export const challengeMinutes = 10
export const challengeTriesMax = 5
/** Maximum codes sent to a user during the minutes of a challenge: messages cost money and annoy. */
const codesMax = 5

/** Seconds of a time step, and of the tolerated clock drift in either direction. */
const stepSeconds = 30

/** True if the user can be asked for the second factor of `mfaType`. */
export const isEnrolled = ({ mfaType, hasAuthenticator, hasPasskey, cellularPhoneNumber }: Factor): boolean =>
  mfaType === 2 ||
  (mfaType === 1 && (hasAuthenticator || hasPasskey)) ||
  (mfaType === 3 && cellularPhoneNumber !== null)

const codeRecipient = (factor: Factor, mfaType: number): string =>
  (mfaType === 2 ? factor.email : factor.cellularPhoneNumber) ?? ''

/** Binds the code to its challenge, which only the client has, and to its recipient. */
const hashCode = (challenge: string, code: string, recipient: string): Buffer =>
  hashToken(`${challenge}\n${code}\n${recipient}`)

/**
 * Starts a challenge, and sends the code when the factor is e-mail or SMS. Returns the challenge for the client. Throws
 * a 429 when too many codes were sent.
 */
export function startChallenge(
  db: Db,
  factor: Factor,
  purpose: Purpose,
  mfaType: number = factor.mfaType,
): Promise<string> {
  const { userId, languageCode } = factor
  const challenge = newSecret()
  const made = { hash: hashToken(challenge), userId, purpose, mfaType, minutes: challengeMinutes }
  return inTransaction(db, async (tx) => {
    if (mfaType === 1) {
      await store.insertChallenge(tx, { ...made, codeHash: null })
      return challenge
    }
    await store.lockUser(tx, userId)
    const sent = await store.countCodes(tx, userId, challengeMinutes)
    if (sent.count >= codesMax) throw tooManyCodes(Math.max(1, sent.seconds))
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    const recipient = codeRecipient(factor, mfaType)
    await store.insertChallenge(tx, { ...made, codeHash: hashCode(challenge, code, recipient) })
    await queueMessage(tx, {
      kind: 'mfa-code',
      channel: mfaType === 2 ? 'email' : 'sms',
      recipient,
      userGuid: userId,
      languageCode,
      secret: code,
      minutes: challengeMinutes,
    })
    return challenge
  })
}

const tooManyCodes = (seconds: number) =>
  new ApiError(
    'too-many-requests',
    `Too many codes were sent to you. Use one of them, or wait ${seconds} s.`,
    {
      headers: { 'retry-after': String(seconds) },
    },
  )

/**
 * Tries a code. Attempts of one user run one after the other, so that concurrent ones cannot bypass the count. A
 * failure (undefined) is counted; a locked user fails without an attempt. Throws a 429 when the address is locked.
 */
export function tryCode<T>(
  db: Db,
  { userId, address }: { userId: string; address: string },
  attempt: (tx: Db) => Promise<T | undefined>,
): Promise<T | undefined> {
  const [login, from] = [userKey(userId), addressKey(address)]
  return inTransaction(db, async (tx) => {
    await store.lockUser(tx, userId)
    const blocks = await findBlocks(tx, login, from)
    requireOpenAddress(blocks)
    if (blocks.login) return undefined
    const result = await attempt(tx)
    if (result === undefined) await countFailure(tx, { login, address: from, blocked: false })
    return result
  })
}

export interface Proof {
  userId: string
  code: string
  challenge: string
  purpose: Purpose
}

/**
 * Tries a code against a challenge and counts the attempt. Returns the proven `mfaType`, or undefined. Run it in a
 * transaction that is committed even on failure.
 */
export async function proveByChallenge(
  tx: Db,
  settings: Settings,
  { userId, code, challenge, purpose }: Proof,
): Promise<number | undefined> {
  const challengeHash = hashToken(challenge)
  const found = await store.tryChallenge(tx, challengeHash, { purpose, userId }, challengeTriesMax)
  if (!found) return undefined
  const factor = await store.findFactor(tx, userId)
  // Until now the channel need not be the user's factor, and no other code stands for it.
  const isNew = purpose === 'choose' || purpose === 'email'
  // A factor disabled or changed since the challenge was created is not proven by it.
  if (factor.disabled || (!isNew && factor.mfaType !== found.mfaType)) return undefined
  const expected = found.codeHash
  const given = hashCode(challenge, code.replace(/\s/g, ''), codeRecipient(factor, found.mfaType))
  const proven =
    (expected !== null && timingSafeEqual(expected, given)) ||
    (!isNew && (await proveByOwnCode(tx, settings, factor, code)))
  if (!proven) return undefined
  await store.markChallengeUsed(tx, challengeHash)
  return found.mfaType
}

/** Uses up a code of the user's app, or a recovery code. Returns whether it was valid. */
export async function proveByOwnCode(
  tx: Db,
  settings: Settings,
  factor: Factor,
  code: string,
): Promise<boolean> {
  const { userId, mfaType } = factor
  if (mfaType === 1 && (await useAppCode(tx, settings, { userId, active: true, code }))) return true
  return store.takeRecoveryCode(tx, userId, hashRecoveryCode(userId, code))
}

/** Uses up a new code of the user's app, the active one or the one being enrolled. Returns whether it was valid. */
export async function useAppCode(
  tx: Db,
  settings: Settings,
  { userId, active, code }: { userId: string; active: boolean; code: string },
): Promise<boolean> {
  const token = code.replace(/\s/g, '')
  if (!/^[0-9]{6}$/.test(token)) return false
  const stored = await store.findAuthenticator(tx, userId, active)
  if (!stored) return false
  const secret = openSeed(settings, userId, stored)
  const result = verifySync({ secret, token, period: stepSeconds, epochTolerance: stepSeconds })
  if (!result.valid || !('timeStep' in result)) return false
  if (!(await store.takeStep(tx, userId, active, result.timeStep))) return false
  if (needsSealing(settings, userId, stored)) {
    await store.replaceSeed(tx, userId, active, sealSeed(settings, userId, secret))
  }
  return true
}

const recoveryCodes = 10
const recoveryBytes = 10
/** Crockford's Base32, which has no ambiguous letters. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

/** A byte gives five random bits without bias, because 256 is a multiple of 32. */
const newRecoveryCode = () =>
  [...randomBytes((recoveryBytes * 8) / 5)]
    .map((byte) => alphabet[byte % 32]!)
    .join('')
    .replace(/(.{4})(?=.)/g, '$1-')

const hashRecoveryCode = (userId: string, code: string): Buffer => {
  const plain = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1')
  return hash('sha256', `${userId} ${plain}`, 'buffer')
}

/** Replaces the user's recovery codes by ten new ones. */
export async function renewRecoveryCodes(tx: Db, userId: string): Promise<string[]> {
  const codes = Array.from({ length: recoveryCodes }, newRecoveryCode)
  await store.replaceRecoveryCodes(
    tx,
    userId,
    codes.map((code) => hashRecoveryCode(userId, code)),
  )
  return codes
}
