// Tries a release as those who adopt it do: each file installed in an empty place, started, asked and removed.
import assert from 'node:assert/strict'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report, runNpm } from '../bootstrap.mjs'
import { run } from './run.mjs'
import { checkAnswers, startService } from './running.mjs'
import { tryInDebian } from './try-debian.mjs'

const demoLogin = { login: 'admin@demo.example', password: 'demo-password-admin' }

export async function tryRelease({ target, archive, debian, manifest }) {
  run('sha256sum', ['--check', '--strict', 'SHA256SUMS'], { cwd: target })
  const folder = fs.mkdtempSync(join(tmpdir(), 'fordra-try-'))
  // An unprivileged database server must reach its files.
  fs.chmodSync(folder, 0o755)
  try {
    await tryNpmPackage(folder, archive, manifest)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
  await tryInDebian({ target, debian, manifest })
}

async function tryNpmPackage(folder, archive, { name, version }) {
  report('Trying the npm package in an empty folder')
  const install = ['install', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error', archive]
  assert.equal(runNpm(install, { cwd: folder, stdio: ['ignore', 2, 2] }).status, 0, 'npm install')
  const options = { cwd: folder, env: { ...process.env, FORDRA_DATA: join(folder, 'data'), PORT: '0' } }
  assert.equal(run('npx', [name, '--version'], options), version)
  const service = await startService('npx', [name, 'start', '--demo'], options)
  try {
    await checkAnswers(service.address, version, demoLogin)
    fs.writeFileSync(join(folder, 'debtors.csv'), 'sourceReference,lastname\nA-1,Andersson\n')
    // The import runs in a thread, whose module is found beside its caller.
    run('npx', [name, 'import', 'debtors', 'debtors.csv', '--json'], options)
    run('npx', [name, 'verify'], options)
  } finally {
    await service.stop()
  }
  await tryOwnService(name, version, options)
}

/** A service in TypeScript imports `fordra/service`, which the package has as JavaScript. A second start finds its data. */
async function tryOwnService(name, version, options) {
  const services = join(options.cwd, 'custom')
  run('npx', [name, 'service', 'new', 'try-it', '--scope', 'debtor', '--folder', services], options)
  const env = { ...options.env, FORDRA_SERVICES: services }
  const service = await startService('npx', [name, 'start'], { ...options, env })
  await checkAnswers(service.address, version, demoLogin)
  await service.stop()
}
