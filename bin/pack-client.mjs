#!/usr/bin/env node
// Makes the npm package of the client and its contract: node bin/pack-client.mjs [FOLDER]. Prints the file's path.
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { ensureDependencies, fail, findNode, root, runNpm } from './bootstrap.mjs'

await ensureDependencies({ development: true })
const target = resolve(process.argv[2] ?? '.')
const folder = fs.mkdtempSync(join(tmpdir(), 'fordra-client-'))
try {
  emit()
  writeManifest()
  for (const file of ['LICENSE', 'client/README.md'])
    fs.copyFileSync(join(root, file), join(folder, file.split('/').at(-1)))
  const { status, stdout } = runNpm(['pack', folder, '--pack-destination', target, '--silent'], {
    encoding: 'utf8',
  })
  if (status !== 0) fail('npm pack failed')
  process.stdout.write(`${join(target, stdout.trim().split('\n').at(-1))}\n`)
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}

/** Node strips no types inside node_modules: what is published is JavaScript with declarations. */
function emit() {
  const args = ['-p', join(root, 'client', 'tsconfig.package.json'), '--outDir', folder]
  const { status, stdout } = spawnSync(findNode(), [join(root, 'node_modules/typescript/bin/tsc'), ...args], {
    encoding: 'utf8',
  })
  if (status !== 0) fail(`The client could not be compiled:\n${stdout}`)
  for (const path of fs.readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (!path.endsWith('.d.ts')) continue
    const file = join(folder, path)
    fs.writeFileSync(file, forReaders(fs.readFileSync(file, 'utf8')))
  }
}

/** Declarations as TypeScript 5.0 reads them: an array of bytes takes the kind of its buffer only since 5.7. */
function forReaders(declarations) {
  return declarations
    .replaceAll(/(from |import\()(['"]\.[^'"]*)\.ts(['"])/g, '$1$2.js$3')
    .replaceAll(/\bUint8Array<ArrayBuffer(Like)?>/g, 'Uint8Array')
}

function writeManifest() {
  const { version, license, dependencies } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: 'fordra-client',
    version,
    description: 'The typed client of Fordra, an open debt-collection platform.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    exports: {
      '.': { types: './client/client.d.ts', default: './client/client.js' },
      './contract/*': { types: './contract/*.d.ts', default: './contract/*.js' },
    },
    // The types of bodies and answers are its types; the client itself runs without it.
    dependencies: { typebox: dependencies.typebox },
  }
  fs.writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
