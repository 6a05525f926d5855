import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readSettings, settingList } from './config.ts'

const readMessage = (environment: Record<string, string>): string => {
  try {
    readSettings(environment)
  } catch (error) {
    return (error as Error).message
  }
  return ''
}

test('every setting has a working default', () => {
  const { FORDRA_DATA, ...settings } = readSettings({})
  assert.equal(FORDRA_DATA, './data-local')
  assert.deepEqual(settings, {
    PORT: 3000,
    HOST: '127.0.0.1',
    FORDRA_DEMO: 0,
    FORDRA_COUNTRY: 'SE',
    FORDRA_CURRENCY: 'SEK',
    FORDRA_TIME_ZONE: 'Europe/Stockholm',
    FORDRA_RATE_LIMIT: 50,
    FORDRA_SCIM_ROLE: 5,
    FORDRA_ASSISTANTS: 'read',
    FORDRA_ASSISTANT_DAYS: 30,
    FORDRA_ASSISTANT_REGISTRATION: 1,
    FORDRA_MAX_IN_FLIGHT: 64,
    FORDRA_QUEUE_SECONDS: 8,
    FORDRA_MAX_PER_CALLER: 256,
    FORDRA_MAX_CONNECTIONS: 4096,
    FORDRA_SLOW_SECONDS: 20,
    FORDRA_STOP_SECONDS: 25,
    FORDRA_TSA_MINUTES: 60,
    FORDRA_JOBS: 4,
    FORDRA_DAY_END_HOUR: 1,
    FORDRA_UPLOAD_MB: 100,
    FORDRA_ATTACHMENT_MB: 20,
    FORDRA_PRIVATE_TARGETS: 0,
    FORDRA_POOL: 16,
    FORDRA_PREPARE: 1,
    FORDRA_LOG_LEVEL: 1,
    FORDRA_TRUST_PROXY: 0,
    FORDRA_ACCESS_MINUTES: 15,
    FORDRA_IDLE_MINUTES: 60,
    FORDRA_SESSION_HOURS: 24,
    FORDRA_API_TOKEN_MINUTES: 60,
    FORDRA_OIDC_NAME: 'Single sign-on',
    FORDRA_OIDC_TRUST_MFA: 0,
    FORDRA_METRICS: 1,
    FORDRA_TRACE_PERCENT: 100,
  })
})

test('settings are read with their types; an empty one counts as unset', () => {
  const settings = readSettings({
    PORT: '0',
    FORDRA_COMPANY: '007',
    FORDRA_RATE_LIMIT: '',
    DATABASE_URL: 'postgresql://localhost/fordra',
    FORDRA_VALID_UNTIL_EDGE: '2028-02-29',
    FORDRA_COUNTRY: 'DE',
  })
  assert.deepEqual(
    [settings.PORT, settings.FORDRA_COMPANY, settings.FORDRA_RATE_LIMIT, settings.FORDRA_COUNTRY],
    [0, '007', 50, 'DE'],
  )
})

test("other programs' variables are ignored", () => {
  assert.equal(
    readMessage({ PATH: '/bin', PORTS: '1', FORDRA_NO_BROWSER: '1', FORDRA_TEST_DATABASE_URL: 'x' }),
    '',
  )
})

test('a misspelt name without our prefix is reported if the right one is unset', () => {
  for (const [name, meant] of [
    ['DATABSE_URL', 'DATABASE_URL'],
    ['DATABASE_ULR', 'DATABASE_URL'],
    ['PROT', 'PORT'],
    ['HOTS', 'HOST'],
  ] as const) {
    assert.match(
      readMessage({ [name]: '1' }),
      new RegExp(`${name} is not a setting. Did you mean .*${meant}`),
    )
    assert.equal(readMessage({ [name]: '1', [meant]: meant === 'PORT' ? '1' : 'postgres://x' }), '')
  }
})

test('a sign-in provider needs our client id and our own address', () => {
  const message = readMessage({ FORDRA_OIDC_ISSUER: 'https://id.example' })
  assert.match(message, /FORDRA_OIDC_CLIENT_ID/)
  assert.match(message, /FORDRA_PUBLIC_URL/)
  const whole = { FORDRA_OIDC_CLIENT_ID: 'fordra', FORDRA_PUBLIC_URL: 'https://collect.example' }
  assert.equal(readMessage({ FORDRA_OIDC_ISSUER: 'https://id.example', ...whole }), '')
  assert.equal(readMessage({ FORDRA_OIDC_ISSUER: 'http://127.0.0.1:8080', ...whole }), '')
  const plain = readMessage({ FORDRA_OIDC_ISSUER: 'http://id.example', ...whole })
  assert.match(plain, /FORDRA_OIDC_ISSUER must begin with https:\/\//)
})

const wrong: [name: string, value: string, says: RegExp][] = [
  ['FORDRA_PUBLIC_URL', 'https://desk.example/path', /FORDRA_PUBLIC_URL must be an origin such as/],
  ['FORDRA_PUBLIC_URL', 'desk.example', /FORDRA_PUBLIC_URL must be an origin such as/],
  ['FORDRA_IDLE_MINUTES', '0', /FORDRA_IDLE_MINUTES must be >= 1/],
  ['PORT', 'http', /PORT must be integer\. Port to listen on/],
  ['PORT', '65536', /PORT must be <= 65535/],
  ['PORT', '-1', /PORT must be >= 0/],
  ['PORT', '1.5', /PORT must be integer/],
  ['DATABASE_URL', 'mysql://localhost', /DATABASE_URL must begin with postgres:\/\//],
  ['FORDRA_DEMO', 'yes', /FORDRA_DEMO must be integer/],
  ['FORDRA_DEMO', '2', /FORDRA_DEMO must be <= 1/],
  ['FORDRA_ADMIN_PASSWORD', 'too short', /FORDRA_ADMIN_PASSWORD must NOT have fewer than 15 characters/],
  ['FORDRA_ADMIN_EMAIL', 'the chief', /FORDRA_ADMIN_EMAIL must be an e-mail address such as/],
  ['FORDRA_ADMIN_PASSWORD', 'x'.repeat(129), /FORDRA_ADMIN_PASSWORD must NOT have more than 128/],
  ['FORDRA_VALID_UNTIL_COLLECT', '2026-02-30', /such as 2027-12-31/],
  ['FORDRA_VALID_UNTIL_COLLECT', '31/12/2027', /such as 2027-12-31/],
  ['FORDRA_VALID_UNTIL_CREDIT', '2027-12-31T00:00:00Z', /such as 2027-12-31/],
  ['FORDRA_ASSISTANT_HOSTS', 'https://claude.ai', /must be hosts such as claude\.ai/],
  ['FORDRA_ASSISTANT_HOSTS', '*', /must be hosts such as claude\.ai/],
  ['FORDRA_ASSISTANT_HOSTS', 'claude.ai, assistant.example', /must be hosts such as claude\.ai/],
  ['FORDRA_COUNTRY', 'Sweden', /such as SE/],
  ['FORDRA_COUNTRY', 'ZZ', /such as SE/],
  ['FORDRA_TIME_ZONE', 'Europe/Malmoe', /such as Europe\/Stockholm/],
  ['FORDRA_LOG_LEVEL', 'debug', /FORDRA_LOG_LEVEL must be integer\. Until `setLogLevel` sets one/],
  ['FORDRA_POOL', '1', /FORDRA_POOL must be >= 2/],
  ['FORDRA_OTLP_URL', 'otel.internal:4317', /FORDRA_OTLP_URL/],
  ['FORDRA_METRICS_TOKEN', 'fifteen-letters', /FORDRA_METRICS_TOKEN must NOT have fewer than 16/],
  ['FORDRA_METRICS_TOKEN', 'sixteen letters and', /FORDRA_METRICS_TOKEN must have only letters/],
  ['FORDRA_TRACE_PERCENT', '101', /FORDRA_TRACE_PERCENT must be <= 100/],
]

describe('an invalid setting is named with what would be right', () => {
  for (const [name, value, says] of wrong) {
    test(`${name}=${value.slice(0, 30)}`, () => {
      const message = readMessage({ [name]: value })
      assert.match(message, /^The configuration has an error:\n {2}[A-Z]/)
      assert.match(message, says)
      if (value.length > 5) assert.ok(!message.includes(value), 'a value may be a secret')
    })
  }
})

const misspelt: [name: string, meant: string][] = [
  ['FORDRA_RATELIMIT', 'FORDRA_RATE_LIMIT'],
  ['FORDRA_TIMEZONE', 'FORDRA_TIME_ZONE'],
  ['FORDRA_LOGLEVEL', 'FORDRA_LOG_LEVEL'],
  ['FORDRA_LOG', 'FORDRA_LOG_LEVEL'],
  ['FORDRA_POOLS', 'FORDRA_POOL'],
  ['FORDRA_CONTRY', 'FORDRA_COUNTRY'],
  ['FORDRA_PORT', 'PORT'],
  ['FORDRA_DATABASE_URL', 'DATABASE_URL'],
  ['FORDRA_ADMIN_MAIL', 'FORDRA_ADMIN_EMAIL'],
]

describe('an unknown setting is named with the likely one', () => {
  for (const [name, meant] of misspelt) {
    test(name, () => {
      assert.match(
        readMessage({ [name]: '1' }),
        new RegExp(`${name} is not a setting\\. Did you mean .*${meant}\\b`),
      )
    })
  }

  test('or with all settings', () => {
    const message = readMessage({ FORDRA_XYZZY: '1' })
    for (const { name } of settingList) assert.ok(message.includes(name), name)
  })
})

test('all mistakes are reported at once', () => {
  const message = readMessage({ PORT: 'x', FORDRA_POOL: '0', FORDRA_WRONG: '1' })
  assert.match(message, /^The configuration has errors:\n/)
  assert.equal(message.split('\n').length, 4)
})

test('every setting has a description', () => {
  for (const { name, description } of settingList) assert.match(description, /\.$/, name)
})
