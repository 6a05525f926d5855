import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openDatabase, socketUrl, withDatabaseName } from './database.ts'

/** How an address was read; a pool connects only at the first query. */
function readOptions(url: string) {
  const { address, settings, max } = openDatabase(url).options
  return { ...address, settings, max }
}

describe('addresses of databases', () => {
  test('an ordinary one', () => {
    const options = readOptions(
      'postgres://anna:p%40ss@db.example:6432/claims?sslmode=require&statement_timeout=5000',
    )
    assert.deepEqual(options, {
      host: 'db.example',
      port: 6432,
      database: 'claims',
      user: 'anna',
      password: 'p@ss',
      ssl: { rejectUnauthorized: false },
      max: 10,
      settings: {
        application_name: 'fordra',
        TimeZone: 'UTC',
        DateStyle: 'ISO, YMD',
        statement_timeout: '5000',
      },
    })
  })

  test('a Unix socket, as libpq writes it', () => {
    const url = socketUrl('/srv/a folder/å', 'fordra', 'claims')
    const options = readOptions(url)
    assert.equal(options.host, '/srv/a folder/å')
    assert.equal(options.user, 'fordra')
    assert.equal(options.database, 'claims')
    assert.deepEqual(Object.keys(options.settings).toSorted(), ['DateStyle', 'TimeZone', 'application_name'])
  })

  test('another database on the same server', () => {
    const url = withDatabaseName('postgres:///fordra?host=%2Fsrv%2Fpg&user=fordra', 'other')
    assert.equal(readOptions(url).database, 'other')
    assert.equal(readOptions(url).host, '/srv/pg')
    assert.equal(
      withDatabaseName('postgres://a:b@h:1/x?sslmode=require', 'y'),
      'postgres://a:b@h:1/y?sslmode=require',
    )
  })

  const modes = [
    ['disable', false],
    ['prefer', 'prefer'],
    ['require', { rejectUnauthorized: false }],
    ['verify-full', { rejectUnauthorized: true }],
  ] as const
  for (const [mode, expected] of modes) {
    test(`sslmode=${mode}`, () => {
      assert.deepEqual(readOptions(`postgres://a@h/d?sslmode=${mode}`).ssl, expected)
    })
  }

  test('an unknown sslmode is refused with the known ones', () => {
    assert.throws(() => openDatabase('postgres://a:secret@h/d?sslmode=yes'), {
      message: /sslmode=yes .* disable, allow, prefer, require, verify-ca, verify-full/,
    })
  })
})
