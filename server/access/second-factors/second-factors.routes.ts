/** Users enrol, change and remove their second factor; administrators reset it for users who lost it. */
import { generateSecret, generateURI } from 'otplib'
import { toString as drawQrCode } from 'qrcode'
import type { UserRole } from '../../../contract/access/access.ts'
import * as contract from '../../../contract/access/second-factors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Change } from '../../platform/events/record.ts'
import { ApiError, done, FieldErrors, notFound } from '../../platform/http/errors.ts'
import { visibleUsers } from '../users/users.scope.ts'
import { serve } from '../serve/route.ts'
import type { ServerContext } from '../serve/server-context.ts'
import {
  activateAuthenticator,
  deleteFactor,
  findFactor,
  storePendingSeed,
  type Factor,
} from './mfa.store.ts'
import {
  challengeMinutes,
  isEnrolled,
  proveByChallenge,
  renewRecoveryCodes,
  startChallenge,
  tryCode,
  useAppCode,
} from './mfa.ts'
import { sealSeed } from './second-factor-seed.ts'
import { revokeUserSessions } from '../sessions/sessions.store.ts'
import { findGrants, requireGrantable } from '../users/grants.ts'
import { findAgencyName } from '../users/parties.store.ts'
import { findPasswordFault } from '../users/password.rules.ts'
import {
  enrolFactor,
  lockSelf,
  verifyAndLockSelf,
  requireOwnPassword,
  wrongCode,
} from './second-factors.changes.ts'
import { lockUser, updateUser } from '../users/users.store.ts'

export function serveSecondFactors(service: ServerContext): void {
  serveEnrolment(service)
  serveMessages(service)
  serveChanges(service)
  serveReset(service)
}

function requireNone(factor: Factor): void {
  if (factor.mfaType === 0 || !isEnrolled(factor)) return
  throw new ApiError(
    'conflict',
    'You have a second factor already. Remove it first with DELETE /api/v1/users/current/mfa, then enrol another.',
  )
}

function requireOne(factor: Factor): void {
  if (factor.mfaType !== 0 && isEnrolled(factor)) return
  throw new ApiError(
    'conflict',
    'You have no second factor. Enrol one with POST /api/v1/users/current/mfa/totp or /mfa/message.',
  )
}

const sent = (challenge: string) => ({ body: { challenge, expiresIn: challengeMinutes * 60 } })

function serveEnrolment(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.enrolTotp, async ({ db, caller, body, address }) => {
    await requireOwnPassword(db, caller, body.currentPassword, address)
    const factor = await findFactor(db, caller.userId)
    requireNone(factor)
    const secret = generateSecret()
    await storePendingSeed(db, caller.userId, sealSeed(settings, caller.userId, secret))
    const issuer = settings.FORDRA_COMPANY ?? 'Fordra'
    // A colon separates the label from its issuer, so the issuer must not have one.
    const otpauthUrl = generateURI({ issuer: issuer.replaceAll(':', ' '), label: factor.email, secret })
    const image = await drawQrCode(otpauthUrl, { type: 'svg', margin: 2 })
    const qrCode = `data:image/svg+xml;base64,${Buffer.from(image).toString('base64')}`
    return { body: { otpauthUrl, secret, qrCode } }
  })

  serve(service, contract.confirmTotp, async ({ db, caller, body, origin, address }) => {
    const { userId } = caller
    requireNone(await findFactor(db, userId))
    const codes = await tryCode(db, { userId, address }, async (tx) => {
      const before = await lockSelf(tx, caller)
      requireNone(await findFactor(tx, userId))
      if (!(await useAppCode(tx, settings, { userId, active: false, code: body.code }))) return undefined
      await activateAuthenticator(tx, userId)
      return enrolFactor(tx, caller, before, 1, origin)
    })
    if (!codes) throw wrongCode()
    sessions.forgetUser(userId)
    return { body: { recoveryCodes: codes } }
  })
}

function serveMessages(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.chooseMfa, async ({ db, caller, body, address }) => {
    await requireOwnPassword(db, caller, body.currentPassword, address)
    const factor = await findFactor(db, caller.userId)
    requireNone(factor)
    if (body.mfaType === 3 && factor.cellularPhoneNumber === null) {
      throw new ApiError(
        'unprocessable',
        'You have no cellularPhoneNumber. Ask an administrator to add it, or choose another second factor.',
      )
    }
    return sent(await startChallenge(db, factor, 'choose', body.mfaType))
  })

  serve(service, contract.confirmMfa, async ({ db, caller, body, origin, address }) => {
    const { userId } = caller
    requireNone(await findFactor(db, userId))
    const codes = await tryCode(db, { userId, address }, async (tx) => {
      const before = await lockSelf(tx, caller)
      requireNone(await findFactor(tx, userId))
      const mfaType = await proveByChallenge(tx, settings, { ...body, userId, purpose: 'choose' })
      return mfaType === undefined ? undefined : enrolFactor(tx, caller, before, mfaType, origin)
    })
    if (!codes) throw wrongCode()
    sessions.forgetUser(userId)
    return { body: { recoveryCodes: codes } }
  })

  serve(service, contract.sendMfaCode, async ({ db, caller }) => {
    const factor = await findFactor(db, caller.userId)
    requireOne(factor)
    if (factor.mfaType === 1)
      throw new ApiError('conflict', 'Your second factor is an authenticator app: take the code from it.')
    return sent(await startChallenge(db, factor, 'change'))
  })
}

function serveChanges(service: ServerContext): void {
  const { settings, sessions } = service

  serve(service, contract.renewRecoveryCodes, async ({ db, caller, body, origin, address }) => {
    await requireOwnPassword(db, caller, body.currentPassword, address)
    requireOne(await findFactor(db, caller.userId))
    const codes = await tryCode(db, { userId: caller.userId, address }, async (tx) => {
      const before = await verifyAndLockSelf(tx, settings, caller, body)
      if (!before) return undefined
      const changes: Change['changes'] = { recoveryCodes: [null, 'renewed'] }
      await updateUser(tx, caller.userId, before, { changes }, origin)
      return renewRecoveryCodes(tx, caller.userId)
    })
    if (!codes) throw wrongCode()
    return { body: { recoveryCodes: codes } }
  })

  serve(service, contract.disableMfa, async ({ db, caller, body, origin, path, address }) => {
    const { userId } = caller
    await requireOwnPassword(db, caller, body.currentPassword, address)
    requireOne(await findFactor(db, userId))
    const left = await tryCode(db, { userId, address }, async (tx) => {
      const before = await verifyAndLockSelf(tx, settings, caller, body)
      if (!before) return undefined
      const fault = await findPasswordFault(
        body.currentPassword,
        { ...before.record, mfaType: 0 },
        await findAgencyName(tx),
      )
      if (fault !== null) {
        throw new ApiError(
          'unprocessable',
          `Without a second factor your password ${fault} Change the password first.`,
          {
            errors: { currentPassword: [fault] },
          },
        )
      }
      await deleteFactor(tx, userId)
      await revokeUserSessions(tx, userId, caller.sessionId)
      const changes: Change['changes'] = { mfaType: [before.record.mfaType, 0] }
      await updateUser(tx, userId, before, { changes }, origin)
      return true
    })
    if (left === undefined) throw wrongCode()
    sessions.forgetUser(userId)
    return { body: done('Your second factor is removed.', path) }
  })
}

function serveReset(service: ServerContext): void {
  serve(service, contract.resetMfa, async ({ db, caller, params, origin, path }) => {
    const { userGuid } = params
    if (userGuid === caller.userId) {
      throw new ApiError(
        'conflict',
        'This is your own second factor. Remove it with DELETE /api/v1/users/current/mfa, or ask another administrator to reset it.',
      )
    }
    await inTransaction(db, async (tx) => {
      const before = await lockUser(tx, visibleUsers(caller), userGuid)
      if (!before) throw notFound('user')
      const held = await findGrants(tx, { partyIds: null }, before, new FieldErrors())
      const { userRole, mfaType } = before.record
      await requireGrantable(tx, caller, { role: userRole as UserRole, partyId: before.partyId, ...held })
      if (mfaType === 0) throw new ApiError('conflict', 'The user has no second factor to reset.')
      await deleteFactor(tx, userGuid)
      await revokeUserSessions(tx, userGuid)
      const changes: Change['changes'] = {
        secondFactor: [null, 'reset'],
        ...(mfaType !== 1 && { mfaType: [mfaType, 1] }),
      }
      await updateUser(tx, userGuid, before, { changes }, origin)
    })
    service.sessions.forgetUser(userGuid)
    return {
      body: done('The second factor is reset. The user must enrol a new one at the next sign-in.', path),
    }
  })
}
