/** Passkeys by the browser's own functions (WebAuthn). */
import type { NewPasskeyCredential, PasskeyCredential } from '../../../contract/access/passkeys.ts'

/** The browser, its user or the authenticator did not do it. */
export class PasskeyRefused extends Error {}

export const hasPasskeys = (): boolean =>
  'PublicKeyCredential' in window && 'parseCreationOptionsFromJSON' in PublicKeyCredential

export async function createPasskey(options: object): Promise<NewPasskeyCredential> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  )
  return toJson(() => navigator.credentials.create({ publicKey }))
}

export async function readPasskey(options: object): Promise<PasskeyCredential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  )
  return toJson(() => navigator.credentials.get({ publicKey }))
}

async function toJson<T>(ask: () => Promise<Credential | null>): Promise<T> {
  const credential = await ask().catch((cause: unknown) => {
    throw new PasskeyRefused('The browser refused.', { cause })
  })
  if (!(credential instanceof PublicKeyCredential)) throw new PasskeyRefused('The browser has no passkey.')
  return credential.toJSON() as T
}
