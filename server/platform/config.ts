/** The configuration: environment variables (also from a `.env` file), checked at startup. */
import { Ajv } from 'ajv'
import { Type, type Static } from 'typebox'
import {
  assistantsPattern,
  bearerPattern,
  describeError,
  keysPattern,
  settingFormats,
} from './setting-formats.ts'
import { nameSuggestions } from './setting-names.ts'

const whole = (defaultValue: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: defaultValue, minimum, maximum, description })
const optional = (description: string, options: object = {}) =>
  Type.Optional(Type.String({ minLength: 1, description, ...options }))

const Settings = Type.Object(
  {
    PORT: whole(3000, 0, 65535, 'Port to listen on. 0 takes a free port.'),
    FORDRA_HEALTH_PORT: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 65535,
        description:
          'Port of HOST for `/health/live`, `/health/ready` and `/metrics` alone, which PORT answers too. Probes need not wait there behind clients.',
      }),
    ),
    HOST: Type.String({ default: '127.0.0.1', description: 'Address to listen on.' }),
    DATABASE_URL: optional('Your own PostgreSQL 15 or newer. Without it the embedded PostgreSQL runs.', {
      pattern: '^postgres(ql)?://',
    }),
    FORDRA_DIRECT_URL: optional(
      'The database itself, for migrations and the job queue, where DATABASE_URL is a pooler in transaction mode.',
      { pattern: '^postgres(ql)?://' },
    ),
    FORDRA_REPLICA_URL: optional('Streaming replicas, for reads whose callers accept slightly old data.', {
      pattern: '^postgres(ql)?://',
    }),
    FORDRA_PREPARE: whole(
      1,
      0,
      1,
      '0 turns prepared statements off, for a pooler without them such as PgBouncer before 1.21.',
    ),
    FORDRA_DATA: Type.String({ default: './data-local', description: 'Folder of the embedded database.' }),
    FORDRA_ARCHIVE: optional(
      'Folder on another disk where the embedded database archives its write-ahead log.',
    ),
    FORDRA_BACKUPS: optional('Folder of backups. The restore drill takes the newest one of it.'),
    FORDRA_ANCHOR: optional(
      'Folder outside the database for signed heads of the audit trail and the record of erasures. Default: `anchor` in FORDRA_DATA.',
    ),
    FORDRA_DEMO: whole(0, 0, 1, '1 loads the demo agency into an empty database. `npm start` sets it to 1.'),
    FORDRA_ADMIN_EMAIL: optional('E-mail of the first administrator, created in an empty database.', {
      maxLength: 254,
      format: 'email',
    }),
    FORDRA_ADMIN_PASSWORD: optional('Password of the first administrator, 15 to 128 characters.', {
      minLength: 15,
      maxLength: 128,
    }),
    FORDRA_COMPANY: optional(
      'The agency that runs this installation, shown as `licensedTo`. Default: the name of the agency.',
      {
        maxLength: 200,
      },
    ),
    FORDRA_CUSTOMER_NO: optional('Customer number of the agency.', { maxLength: 50 }),
    FORDRA_VALID_UNTIL_COLLECT: optional('Date until which collection is licensed.', { format: 'day' }),
    FORDRA_VALID_UNTIL_EDGE: optional('Date until which Edge is licensed.', { format: 'day' }),
    FORDRA_VALID_UNTIL_CREDIT: optional('Date until which Credit is licensed.', { format: 'day' }),
    FORDRA_COUNTRY: Type.String({
      default: 'SE',
      format: 'country',
      description: 'Country of identity numbers and phone numbers that name none.',
    }),
    FORDRA_CURRENCY: Type.String({
      default: 'SEK',
      pattern: '^[A-Z]{3}$',
      description: 'System currency (ISO 4217).',
    }),
    FORDRA_TIME_ZONE: Type.String({
      default: 'Europe/Stockholm',
      format: 'time-zone',
      description: 'IANA time zone in which the business day begins.',
    }),
    FORDRA_RATE_LIMIT: whole(
      50,
      0,
      1_000_000,
      'Requests per second for each caller, with a burst of four times that. 0 turns the limit off.',
    ),
    FORDRA_MAX_IN_FLIGHT: whole(64, 1, 100_000, 'Requests worked on at once. One more waits for its turn.'),
    FORDRA_QUEUE_SECONDS: whole(
      8,
      1,
      3600,
      'Seconds that a request waits for its turn. It is then answered 503.',
    ),
    FORDRA_MAX_PER_CALLER: whole(
      256,
      1,
      100_000,
      'Requests open at once of one user, or of one address before sign-in, and connections of one address. One more is answered 429.',
    ),
    FORDRA_MAX_CONNECTIONS: whole(
      4096,
      10,
      1_000_000,
      'Connections at once. Beyond them only health checks are answered.',
    ),
    FORDRA_SLOW_SECONDS: whole(
      20,
      1,
      3600,
      'Seconds for sending the headers, the body, or reading the answer. Bodies and answers get a second more per 4 kB.',
    ),
    FORDRA_STOP_SECONDS: whole(
      25,
      1,
      3600,
      'Seconds within which the service stops, whatever it still waits for.',
    ),
    FORDRA_JOBS: whole(4, 0, 100, 'Jobs that this node runs at once. 0 leaves them to other nodes.'),
    FORDRA_DAY_END_HOUR: whole(
      1,
      0,
      23,
      "Hour of the day in the system's time zone from which the day-end runs.",
    ),
    FORDRA_SERVICES: optional('Folder of custom services. Without it the shipped examples are loaded.'),
    FORDRA_UPLOAD_MB: whole(100, 1, 2000, 'Largest import file that can be uploaded, in megabytes.'),
    FORDRA_ATTACHMENT_MB: whole(20, 1, 200, 'Largest file that can be attached, in megabytes.'),
    FORDRA_LETTERS: optional(
      'Folder where letters to be posted are written as PDF. Without it they stay in the outbox.',
    ),
    FORDRA_PRIVATE_TARGETS: whole(
      0,
      0,
      1,
      '1 lets webhooks and services call private addresses and plain HTTP. For testing only.',
    ),
    FORDRA_POOL: whole(16, 2, 200, 'Connections to the database.'),
    FORDRA_LOG_LEVEL: whole(
      1,
      0,
      10,
      'Until `setLogLevel` sets one: 0 errors, 1 requests too, 2 to 10 more and more.',
    ),
    FORDRA_TRUST_PROXY: whole(0, 0, 10, 'Number of proxies in front whose X-Forwarded-For is trusted.'),
    FORDRA_ACCESS_MINUTES: whole(15, 1, 60, 'Lifetime of an access token, in minutes.'),
    FORDRA_IDLE_MINUTES: whole(60, 1, 1440, 'Minutes without use after which a session ends.'),
    FORDRA_SESSION_HOURS: whole(24, 1, 720, 'Hours after which a session ends even when it is used.'),
    FORDRA_API_TOKEN_MINUTES: whole(60, 1, 1440, "Lifetime of an API client's token, in minutes."),
    FORDRA_PUBLIC_URL: optional(
      'Origin under which browsers reach this installation, such as `https://collections.example`. Without it, addresses in answers (OAuth metadata, OData, SCIM) name the Host that each request names.',
      {
        pattern: '^https?://[^/?#@\\s]+$',
      },
    ),
    FORDRA_CORS_ORIGINS: optional(
      'Origins whose web pages may call the API with a token, such as `https://portal.example`. Separate several by commas. Without it none may.',
      { format: 'origins' },
    ),
    FORDRA_OIDC_ISSUER: optional('OpenID Connect provider for single sign-on. HTTPS, except on localhost.', {
      pattern: '^(https://|http://(localhost|127\\.0\\.0\\.1|\\[::1\\])(:|/|$))',
    }),
    FORDRA_OIDC_CLIENT_ID: optional('Client id at the provider.'),
    FORDRA_OIDC_CLIENT_SECRET: optional('Client secret at the provider.'),
    FORDRA_OIDC_NAME: Type.String({
      default: 'Single sign-on',
      maxLength: 100,
      description: 'What the sign-in page calls the provider.',
    }),
    FORDRA_OIDC_TRUST_MFA: whole(0, 0, 1, "1 accepts the provider's second factor in place of Fordra's own."),
    FORDRA_SCIM_ROLE: whole(
      5,
      1,
      14,
      'Role of users that a directory provisions by SCIM without naming one. 5 reads and changes nothing.',
    ),
    FORDRA_ASSISTANTS: Type.String({
      default: 'read',
      pattern: assistantsPattern,
      description:
        'What assistants may do at /mcp, within the rights of their user: `read`, or `write` to change data too. `off` closes the address.',
    }),
    FORDRA_ASSISTANT_DAYS: whole(
      30,
      1,
      365,
      'Days after which an assistant that a user connected must be allowed again.',
    ),
    FORDRA_ASSISTANT_HOSTS: optional(
      'Hosts whose programs may ask for a connection by a client ID metadata document, such as `claude.ai`. Separate several by commas. Without it none may.',
      { format: 'hosts' },
    ),
    FORDRA_ASSISTANT_REGISTRATION: whole(
      1,
      0,
      1,
      '0 closes the registration of assistants by themselves (RFC 7591). Those of FORDRA_ASSISTANT_HOSTS still connect.',
    ),
    FORDRA_METRICS: whole(1, 0, 1, '1 serves /metrics, 0 does not.'),
    FORDRA_METRICS_TOKEN: optional(
      'Bearer token that opens /metrics, 16 characters or more. Without it only a session with system.admin does.',
      { minLength: 16, maxLength: 200, pattern: bearerPattern },
    ),
    FORDRA_OTLP_URL: optional(
      'OpenTelemetry collector (OTLP over HTTP) for traces and metrics, such as `http://collector:4318`.',
      { pattern: '^https?://' },
    ),
    FORDRA_OTLP_HEADERS: optional(
      'Headers for the collector: name=value,name=value. Values are percent-encoded.',
    ),
    FORDRA_TRACE_PERCENT: whole(
      100,
      0,
      100,
      'Percentage of requests traced when the caller does not decide.',
    ),
    FORDRA_SECRET_KEY: optional(
      'Key that encrypts the secrets of authenticator apps and webhooks: 32 bytes in Base64. Separate several by commas: the first encrypts, all decrypt.',
      { pattern: keysPattern },
    ),
    FORDRA_SEAL_KEY: optional(
      'Key that signs the audit trail: 32 bytes in Base64. Separate several by commas: the first signs, the others hand over to it. Default: the file `seal-key` in the anchor folder.',
      { pattern: keysPattern },
    ),
    FORDRA_TSA_URL: optional(
      'Time stamp authority (RFC 3161 over HTTP) that stamps the audit trail, such as `http://timestamp.digicert.com`.',
      { pattern: '^https?://' },
    ),
    FORDRA_TSA_CA: optional(
      'PEM file with the certificates that vouch for the time stamp authority: its root, and what it does not send along.',
    ),
    FORDRA_TSA_CRL: optional(
      'File with the revocation lists of the issuers of its certificates, in PEM or DER. None is fetched: keep the file new.',
    ),
    FORDRA_TSA_MINUTES: whole(
      60,
      1,
      10_080,
      'Minutes after which a new end of the audit trail gets a time stamp.',
    ),
    FORDRA_SMTP_URL: optional('Mail server: `smtps://user:password@host` or `smtp://host?requireTLS=true`.', {
      pattern: '^smtps?://',
    }),
    FORDRA_MAIL_FROM: optional('Sender of e-mails, such as `Agency <no-reply@agency.example>`.', {
      pattern: '@',
    }),
    FORDRA_SMS_URL: optional('SMS gateway. It receives the JSON members `to` and `text` by POST.', {
      pattern: '^https?://',
    }),
    FORDRA_SMS_TOKEN: optional('Bearer token for the SMS gateway.'),
  },
  {
    additionalProperties: false,
    dependencies: {
      FORDRA_DIRECT_URL: ['DATABASE_URL'],
      FORDRA_REPLICA_URL: ['DATABASE_URL'],
      FORDRA_OIDC_ISSUER: ['FORDRA_OIDC_CLIENT_ID', 'FORDRA_PUBLIC_URL'],
      FORDRA_SMTP_URL: ['FORDRA_MAIL_FROM'],
      FORDRA_TSA_URL: ['FORDRA_TSA_CA'],
    },
  },
)
export type Settings = Static<typeof Settings>

const ajv = new Ajv({
  allErrors: true,
  useDefaults: true,
  coerceTypes: true,
  formats: settingFormats,
})
const check = ajv.compile(Settings)

const ownNames = Object.keys(Settings.properties)
const names = nameSuggestions(ownNames)

/** The settings with their defaults and descriptions, for the documentation. */
export const settingList = Object.entries(Settings.properties).map(([name, schema]) => ({
  name,
  ...(schema as object as { default?: unknown; description: string }),
}))

/** Reads the settings. Throws with one line for every misspelt or invalid setting. */
export function readSettings(environment: Record<string, string | undefined>): Settings {
  const given = Object.fromEntries(
    Object.entries(environment).filter(
      ([name, value]) =>
        value !== undefined &&
        value !== '' &&
        (ownNames.includes(name) || name.startsWith('FORDRA_') || names.isSlip(name, environment)),
    ),
  )
  const settings: Record<string, unknown> = { ...given }
  for (const name of internalNames) delete settings[name]
  if (check(settings)) return settings as Settings
  const lines = (check.errors ?? []).map((error) => {
    const unknown = (error.params as { additionalProperty?: string }).additionalProperty
    if (unknown) return `${unknown} is not a setting.${names.suggest(unknown)}`
    const { missingProperty: missing, property } = error.params as Record<string, string | undefined>
    if (missing !== undefined) return `${missing} is required when ${property} is set.`
    const name = error.instancePath.slice(1)
    return `${name} ${describeError(error)}. ${settingList.find((setting) => setting.name === name)?.description}`
  })
  throw new Error(
    `The configuration has ${lines.length === 1 ? 'an error' : 'errors'}:\n${lines.map((line) => `  ${line}`).join('\n')}`,
  )
}

/** Used by the project's scripts for tests, or by other commands. */
const internalNames = [
  'FORDRA_NO_BROWSER',
  'FORDRA_CHROMIUM',
  'FORDRA_ODATA_CLIENTS',
  'FORDRA_TEST_DATABASE_URL',
  'FORDRA_TEST_JOBS',
  'FORDRA_TEST_POOLER',
  'FORDRA_TEST_POOLER_PREPARES',
  // Settings of `fordra mcp`, which may share a file with the service.
  'FORDRA_API_URL',
  'FORDRA_API_TOKEN',
  'FORDRA_CLIENT_ID',
  'FORDRA_CLIENT_SECRET',
]
