import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Database } from './database.ts'
import { openDatabase, socketUrl, withDatabaseName } from './database.ts'

/** How the driver read an address; it connects only at the first query. */
function readOptions(url: string): Partial<Database['options']> {
  const { host, port, path, database, user, pass, ssl, connection, max } = openDatabase(url).options
  return { host, port, path, database, user, pass, ssl, connection, max }
}

describe('addresses of databases', () => {
  test('an ordinary one', () => {
    const options = readOptions(
      'postgres://anna:p%40ss@db.example:6432/claims?sslmode=require&statement_timeout=5000',
    )
    assert.deepEqual(options, {
      host: ['db.example'],
      port: [6432],
      path: false,
      database: 'claims',
      user: 'anna',
      pass: 'p@ss',
      ssl: 'require',
      max: 10,
      connection: {
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
    assert.equal(options.path, '/srv/a folder/å/.s.PGSQL.5432')
    assert.equal(options.user, 'fordra')
    assert.equal(options.database, 'claims')
    assert.deepEqual(Object.keys(options.connection ?? {}).toSorted(), [
      'DateStyle',
      'TimeZone',
      'application_name',
    ])
  })

  test('another database on the same server', () => {
    const url = withDatabaseName('postgres:///fordra?host=%2Fsrv%2Fpg&user=fordra', 'other')
    assert.equal(readOptions(url).database, 'other')
    assert.equal(readOptions(url).path, '/srv/pg/.s.PGSQL.5432')
    assert.equal(
      withDatabaseName('postgres://a:b@h:1/x?sslmode=require', 'y'),
      'postgres://a:b@h:1/y?sslmode=require',
    )
  })

  const modes = [
    ['disable', false],
    ['prefer', 'prefer'],
    ['require', 'require'],
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
