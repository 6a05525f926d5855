import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { archiveCommand, restoreCommand, walFolder } from './log-archive.ts'

describe('the commands of the archived log', () => {
  let folder: string
  let archive: string
  const wal = (): string => walFolder(archive)

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'fordra-log-'))
    archive = join(folder, `it's $HOME "100%p" \`id\``)
    mkdirSync(wal(), { recursive: true })
    writeFileSync(join(folder, 'segment'), 'log')
    utimesSync(join(folder, 'segment'), 1_700_000_000, 1_700_000_000)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Runs the command as PostgreSQL does: in its own folder, with placeholders replaced. */
  const run = (command: string, path: string): number | null => {
    const signs: Record<string, string> = { '%%': '%', '%p': path, '%f': '0001' }
    const line = command.replaceAll(/%[%pf]/g, (sign) => signs[sign]!)
    return spawnSync('/bin/sh', ['-c', line], { cwd: folder, stdio: 'ignore' }).status
  }

  test('archive and restore a segment with its time, whatever the folder is called', () => {
    assert.equal(run(archiveCommand(archive), 'segment'), 0)
    assert.deepEqual(readdirSync(wal()), ['0001'])
    assert.equal(statSync(join(wal(), '0001')).mtimeMs, 1_700_000_000_000)
    assert.equal(run(restoreCommand(archive), 'back'), 0)
    assert.equal(readFileSync(join(folder, 'back'), 'utf8'), 'log')
    rmSync(join(wal(), '0001'))
    assert.notEqual(run(restoreCommand(archive), 'back'), 0)
  })

  test('accept the same segment again, also one truncated by a crash, but never overwrite another', () => {
    writeFileSync(join(wal(), '0001.part'), 'l')
    assert.equal(run(archiveCommand(archive), 'segment'), 0)
    assert.equal(run(archiveCommand(archive), 'segment'), 0)
    writeFileSync(join(wal(), '0001'), 'of another')
    assert.notEqual(run(archiveCommand(archive), 'segment'), 0)
    assert.equal(readFileSync(join(wal(), '0001'), 'utf8'), 'of another')
  })

  test('fail where the folder is gone', () => {
    rmSync(archive, { recursive: true })
    assert.notEqual(run(archiveCommand(archive), 'segment'), 0)
  })
})
