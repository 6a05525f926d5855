/** An authenticator in software: it makes passkeys and signs with them as WebAuthn says (W3C, level 2, section 6). */
import { generateKeyPairSync, hash, randomBytes, sign, type KeyObject } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface SoftwarePasskey {
  id: Buffer
  key: KeyObject
  counter: number
}

export interface CreationOptions {
  challenge: string
  rp: { id: string }
}

export interface RequestOptions {
  challenge: string
  rpId: string
  allowCredentials: { id: string }[]
}

const userPresent = 0x01
const attested = 0x40
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url')

const writeClientData = (type: string, challenge: string, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

function writeCounter(counter: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(counter)
  return bytes
}

const hashDomain = (domain: string) => hash('sha256', domain, 'buffer')

/** The public key in COSE (RFC 9053, section 7.1.1). */
function writePublicKey(key: KeyObject): Uint8Array {
  const { x, y } = key.export({ format: 'jwk' }) as { x: string; y: string }
  const entries: [number, number | Uint8Array][] = [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
    [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
  ]
  return isoCBOR.encode(new Map(entries))
}

export function createPasskey({ challenge, rp }: CreationOptions, origin: string) {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const passkey: SoftwarePasskey = { id: randomBytes(32), key: privateKey, counter: 1 }
  const length = Buffer.from([0, passkey.id.length])
  const authData = Buffer.concat([
    hashDomain(rp.id),
    Buffer.from([userPresent | attested]),
    writeCounter(passkey.counter),
    Buffer.alloc(16),
    length,
    passkey.id,
    writePublicKey(publicKey),
  ])
  const members: [string, string | Uint8Array | Map<string, string>][] = [
    ['fmt', 'none'],
    ['attStmt', new Map<string, string>()],
    ['authData', new Uint8Array(authData)],
  ]
  const credential = {
    id: text(passkey.id),
    rawId: text(passkey.id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: text(writeClientData('webauthn.create', challenge, origin)),
      attestationObject: text(isoCBOR.encode(new Map(members))),
      transports: ['internal'],
    },
  }
  return { passkey, credential }
}

/** Signs, and counts up. */
export function usePasskey(passkey: SoftwarePasskey, { challenge, rpId }: RequestOptions, origin: string) {
  passkey.counter += 1
  const clientData = writeClientData('webauthn.get', challenge, origin)
  const authenticatorData = Buffer.concat([
    hashDomain(rpId),
    Buffer.from([userPresent]),
    writeCounter(passkey.counter),
  ])
  const signed = Buffer.concat([authenticatorData, hash('sha256', clientData, 'buffer')])
  return {
    id: text(passkey.id),
    rawId: text(passkey.id),
    type: 'public-key',
    clientExtensionResults: {},
    response: {
      clientDataJSON: text(clientData),
      authenticatorData: text(authenticatorData),
      signature: text(sign('sha256', signed, passkey.key)),
    },
  }
}
