#!/usr/bin/env node
// Makes a release in release/ of the commit that is checked out: npm run release [-- --test].
// npm package, Debian package, container context, clients for TypeScript and Python; each with bill of materials, provenance and checksums.
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureDependencies, fail, report, root, runNpm } from './bootstrap.mjs'
import { ensureConsole } from './console.mjs'
import { makeContainerContext } from './release/container.mjs'
import { makeDebianPackage } from './release/debian.mjs'
import { describeProvenance, listChanges, readCommit } from './release/provenance.mjs'
import { hashFile, listTracked, readJson, run, writeJson } from './release/run.mjs'
import { createSbom } from './release/sbom.mjs'
import { stagePackage } from './release/stage.mjs'
import { tryRelease } from './release/try.mjs'

const changes = listChanges(root)
if (changes.length > 0)
  fail(`A release is made of a commit. Commit or remove these first:\n${changes.slice(0, 10).join('\n')}`)

await ensureDependencies({ development: true })
const manifest = readJson(join(root, 'package.json'))
const commit = readCommit(root)
const target = join(root, 'release')
fs.rmSync(target, { recursive: true, force: true })
fs.mkdirSync(target)
const folder = fs.mkdtempSync(join(tmpdir(), 'fordra-release-'))
try {
  report('Building')
  ensureConsole()
  stagePackage(folder)
  const archive = pack()
  run(process.execPath, ['bin/pack-client.mjs', target])
  run(process.execPath, ['bin/pack-python.mjs', target])
  report('Debian package')
  const debian = makeDebianPackage({ folder, target, manifest, commit })
  makeContainerContext({ target, archive, manifest, commit })
  writeRecords()
  if (process.argv.includes('--test')) await tryRelease({ target, archive, debian, manifest })
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

function pack() {
  const { status, stdout } = runNpm(
    ['pack', folder, '--pack-destination', target, '--silent', '--ignore-scripts'],
    {
      encoding: 'utf8',
    },
  )
  if (status !== 0) fail('npm pack failed')
  return join(target, stdout.trim().split('\n').at(-1))
}

/** The records beside the files: what they contain, what they were made of, and their checksums. */
function writeRecords() {
  const base = join(target, `${manifest.name}-${manifest.version}`)
  const sources = listTracked('console/src').filter((file) => /\.(tsx?|css)$/.test(file))
  const texts = sources.map((file) => fs.readFileSync(join(root, file), 'utf8'))
  const lockfile = readJson(join(root, 'package-lock.json'))
  const made = fs.readdirSync(target).toSorted()
  writeJson(`${base}.cdx.json`, createSbom(lockfile, manifest, texts, commit.date))
  writeJson(`${base}.provenance.json`, describeProvenance(commit, target, made))
  const files = fs.readdirSync(target).toSorted()
  const sums = files.map((name) => `${hashFile(join(target, name))}  ${name}\n`)
  fs.writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
  for (const name of [...files, 'SHA256SUMS'])
    report(`release/${name}  ${Math.ceil(fs.statSync(join(target, name)).size / 1024)} KiB`)
}
