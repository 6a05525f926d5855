import { Type, type Static } from 'typebox'
import { guid } from '../metadata/fields.ts'
import { operation } from '../platform/operation.ts'
import { Problem } from '../platform/problem.ts'
import { RecoveryCodes } from './second-factors.ts'
import { SignedIn, signInHeaders } from './sessions.ts'

/** Base64 for URLs, as WebAuthn writes bytes in JSON. */
const bytes = (maxLength: number) => Type.String({ minLength: 1, maxLength, pattern: '^[A-Za-z0-9_-]+$' })
const challenge = Type.String({ minLength: 1, maxLength: 200, title: 'Challenge' })
const password = Type.String({ minLength: 1, maxLength: 128, title: 'Current password' })

const credentialMembers = {
  id: bytes(1400),
  rawId: bytes(1400),
  type: Type.Literal('public-key'),
  clientExtensionResults: Type.Optional(Type.Object({}, { additionalProperties: true })),
}

const newCredential = Type.Object(
  {
    ...credentialMembers,
    response: Type.Object(
      {
        clientDataJSON: bytes(8000),
        attestationObject: bytes(32_000),
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 10 })),
      },
      { additionalProperties: true },
    ),
  },
  {
    $id: 'NewPasskeyCredential',
    additionalProperties: true,
    description: '`toJSON()` of what `navigator.credentials.create` returned (RegistrationResponseJSON).',
  },
)

const usedCredential = Type.Object(
  {
    ...credentialMembers,
    response: Type.Object(
      { clientDataJSON: bytes(8000), authenticatorData: bytes(8000), signature: bytes(8000) },
      { additionalProperties: true },
    ),
  },
  {
    $id: 'PasskeyCredential',
    additionalProperties: true,
    description: '`toJSON()` of what `navigator.credentials.get` returned (AuthenticationResponseJSON).',
  },
)

export type NewPasskeyCredential = Static<typeof newCredential>
export type PasskeyCredential = Static<typeof usedCredential>

export const PasskeyEnrolment = Type.Object(
  {
    challenge: Type.String({ description: 'Send it back together with the credential.' }),
    publicKey: Type.Object(
      {},
      {
        additionalProperties: true,
        description:
          'For `PublicKeyCredential.parseCreationOptionsFromJSON` (PublicKeyCredentialCreationOptionsJSON of WebAuthn).',
      },
    ),
    expiresIn: Type.Integer({ description: 'Seconds until the challenge expires.' }),
  },
  { $id: 'PasskeyEnrolment' },
)
export type PasskeyEnrolment = Static<typeof PasskeyEnrolment>

export const Passkey = Type.Object(
  {
    passkeyGuid: guid('Passkey'),
    name: Type.String({ title: 'Name' }),
    createdAt: Type.String({ format: 'date-time', title: 'Made at' }),
    lastUsedAt: Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'date-time',
      title: 'Last used',
    }),
  },
  { $id: 'Passkey' },
)
export type Passkey = Static<typeof Passkey>

const exampleIds = { id: 'kJ3xQm1vT2o', rawId: 'kJ3xQm1vT2o', type: 'public-key' } as const

const common = { area: 'Authentication', access: 'session', status: 200 } as const

export const signInWithPasskey = operation({
  id: 'signInWithPasskey',
  name: 'signInWithPasskey',
  method: 'POST',
  path: '/auth/mfa/passkey',
  area: 'Authentication',
  summary: 'Sign in: passkey',
  description:
    'Completes a sign-in that was answered with `passkey`, in place of a code. A challenge is valid for ten minutes, allows five attempts and works once.',
  access: 'public',
  headers: signInHeaders,
  body: Type.Object(
    { challenge, credential: usedCredential },
    { $id: 'PasskeyProof', additionalProperties: false },
  ),
  status: 200,
  response: SignedIn,
  example: {
    body: {
      challenge: 'the-challenge-of-the-first-step',
      credential: {
        ...exampleIds,
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0',
          authenticatorData: 'SZYN5YgO',
          signature: 'MEUCIQDx',
        },
      },
    },
  },
  problems: ['login-failed'],
})
export const enrolPasskey = operation({
  id: 'enrolPasskey',
  name: 'enrolPasskey',
  method: 'POST',
  path: '/users/current/mfa/passkeys/options',
  ...common,
  summary: 'Begin to enrol a passkey',
  description:
    'Answers what a browser needs to make a passkey. A user who has a second factor already also sends a `code` of it, or a recovery code. 409 while codes by e-mail or SMS are active, and beyond ten passkeys. 422 unless the service has a domain (`FORDRA_PUBLIC_URL`) or is `localhost`.',
  mfaPending: true,
  body: Type.Object(
    {
      currentPassword: password,
      code: Type.Optional(Type.String({ minLength: 6, maxLength: 40, title: 'Code' })),
    },
    { $id: 'EnrolPasskey', additionalProperties: false },
  ),
  response: PasskeyEnrolment,
  problems: ['conflict', 'unprocessable'],
})
export const confirmPasskey = operation({
  id: 'confirmPasskey',
  name: 'confirmPasskey',
  method: 'POST',
  path: '/users/current/mfa/passkeys',
  ...common,
  summary: 'Store a passkey',
  description:
    "Checks what the authenticator made and stores the passkey. The first second factor of a user ends the user's other sessions and gives recovery codes; later passkeys give none.",
  mfaPending: true,
  body: Type.Object(
    {
      challenge,
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        title: 'Name',
        pattern: '^[^\\u0000-\\u001f\\u007f]*$',
      }),
      credential: newCredential,
    },
    { $id: 'ConfirmPasskey', additionalProperties: false },
  ),
  response: RecoveryCodes,
  example: {
    body: {
      challenge: 'the-challenge-of-enrolPasskey',
      name: 'Laptop',
      credential: {
        ...exampleIds,
        response: {
          clientDataJSON: 'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0',
          attestationObject: 'o2NmbXRkbm9uZQ',
        },
      },
    },
  },
  problems: ['conflict', 'unprocessable'],
})
export const listPasskeys = operation({
  id: 'listPasskeys',
  name: 'listPasskeys',
  method: 'GET',
  path: '/users/current/mfa/passkeys',
  ...common,
  summary: 'List own passkeys',
  description: 'The newest first; there are ten at most.',
  response: Type.Object({ passkeys: Type.Array(Passkey) }, { $id: 'Passkeys' }),
})
export const deletePasskey = operation({
  id: 'deletePasskey',
  name: 'deletePasskey',
  method: 'DELETE',
  path: '/users/current/mfa/passkeys/:passkeyGuid',
  ...common,
  summary: 'Delete a passkey',
  description:
    '409 for the last one of a user without an authenticator app: remove the second factor instead (`disableMfa`).',
  params: Type.Object({ passkeyGuid: guid('Passkey') }),
  body: Type.Object({ currentPassword: password }, { $id: 'DeletePasskey', additionalProperties: false }),
  response: Problem,
  example: { body: { currentPassword: 'a passphrase of your own' } },
  problems: ['conflict', 'unprocessable'],
})
