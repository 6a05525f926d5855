/**
 * The checks of WebAuthn (W3C, level 2) by `@simplewebauthn/server`, which is loaded with the first passkey. No attestation is
 * asked for: which make of authenticator a user has does not matter here.
 */
import { hash } from 'node:crypto'
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server'
import type { RelyingParty } from './relying-party.ts'
import type { StoredPasskey } from './passkeys.store.ts'

const timeoutMs = 600_000

/** What the authenticator signs: derived from the challenge that only the client has, so that it needs no column. */
const deriveChallenge = (challenge: string): Buffer => hash('sha256', `passkey\n${challenge}`, 'buffer')

type Known = Pick<StoredPasskey, 'credentialId' | 'transports'>

const describeCredential = ({ credentialId, transports }: Known) => ({
  type: 'public-key' as const,
  id: credentialId.toString('base64url'),
  transports,
})

export interface Owner {
  userId: string
  login: string
  company: string
}

/** PublicKeyCredentialCreationOptionsJSON. */
export const makeCreationOptions = (
  party: RelyingParty,
  { userId, login, company }: Owner,
  known: readonly Known[],
  challenge: string,
) => ({
  rp: { id: party.id, name: company },
  user: { id: Buffer.from(userId).toString('base64url'), name: login, displayName: login },
  challenge: deriveChallenge(challenge).toString('base64url'),
  // EdDSA, ECDSA with P-256, RSA: what authenticators have.
  pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: 'public-key', alg })),
  excludeCredentials: known.map(describeCredential),
  authenticatorSelection: { residentKey: 'discouraged', userVerification: 'preferred' },
  attestation: 'none',
  timeout: timeoutMs,
})

/** PublicKeyCredentialRequestOptionsJSON. */
export const makeRequestOptions = (party: RelyingParty, known: readonly Known[], challenge: string) => ({
  challenge: deriveChallenge(challenge).toString('base64url'),
  rpId: party.id,
  allowCredentials: known.map(describeCredential),
  userVerification: 'preferred',
  timeout: timeoutMs,
})

/** The new credential; undefined when a check fails. */
export async function verifyCreation(
  { id, origin }: RelyingParty,
  challenge: string,
  credential: unknown,
): Promise<Omit<StoredPasskey, 'passkeyGuid'> | undefined> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server')
  const response = credential as RegistrationResponseJSON
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: deriveChallenge(challenge).toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    // The password is the first factor; possession is the second.
    requireUserVerification: false,
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo) return undefined
  const { credential: made } = registrationInfo
  return {
    credentialId: Buffer.from(made.id, 'base64url'),
    publicKey: Buffer.from(made.publicKey),
    counter: made.counter,
    transports: [...(response.response.transports ?? [])],
  }
}

/** The new signature counter; undefined when a check fails, also for a counter that went back. */
export async function verifyUse(
  { id, origin }: RelyingParty,
  challenge: string,
  { credentialId, publicKey, counter }: StoredPasskey,
  credential: unknown,
): Promise<number | undefined> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server')
  const answer = await verifyAuthenticationResponse({
    response: credential as AuthenticationResponseJSON,
    expectedChallenge: deriveChallenge(challenge).toString('base64url'),
    expectedOrigin: origin,
    expectedRPID: id,
    credential: {
      id: credentialId.toString('base64url'),
      publicKey: new Uint8Array(publicKey),
      counter,
    },
    requireUserVerification: false,
  }).catch(() => undefined)
  return answer?.verified ? answer.authenticationInfo.newCounter : undefined
}
