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

/** Node strips no types inside node_modules: what is published is JavaScript with declarations, for both module systems. */
function emit() {
  compile('esm', [])
  compile('cjs', ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false'])
  fs.writeFileSync(join(folder, 'cjs/package.json'), '{ "type": "commonjs" }\n')
  runNode([join(root, 'cli/typescript/write-declarations.ts'), join(folder, 'esm'), join(folder, 'cjs')])
}

/** The client's own files. Those of the contract are types alone, which stand in `operations.d.ts`. */
function compile(name, options) {
  const made = join(folder, `${name}-all`)
  const compiler = join(root, 'node_modules/typescript/bin/tsc')
  runNode([compiler, '-p', join(root, 'client/tsconfig.package.json'), '--outDir', made, ...options])
  fs.mkdirSync(join(folder, name))
  for (const file of fs.readdirSync(join(made, 'client'))) {
    const text = fs.readFileSync(join(made, 'client', file), 'utf8')
    if (file !== 'operations.js') fs.writeFileSync(join(folder, name, file), forReaders(text))
  }
  fs.rmSync(made, { recursive: true })
}

function runNode(args) {
  const { status, stdout, stderr } = spawnSync(findNode(), args, { encoding: 'utf8' })
  if (status !== 0) fail(`The client could not be compiled:\n${stdout}${stderr}`)
}

/** Declarations as TypeScript 5.0 reads them: an array of bytes takes the kind of its buffer only since 5.7. */
function forReaders(text) {
  return text
    .replaceAll(/(from |import\()(['"]\.[^'"]*)\.ts(['"])/g, '$1$2.js$3')
    .replaceAll(/\bUint8Array<ArrayBuffer(Like)?>/g, 'Uint8Array')
}

function writeManifest() {
  const { version, license } = JSON.parse(fs.readFileSync(join(root, 'package.json'), 'utf8'))
  const manifest = {
    name: 'fordra-client',
    version,
    description: 'The typed client of Fordra, an open debt-collection platform.',
    license,
    type: 'module',
    sideEffects: false,
    engines: { node: '>=20' },
    main: './cjs/client.js',
    types: './cjs/client.d.ts',
    exports: {
      '.': {
        import: { types: './esm/client.d.ts', default: './esm/client.js' },
        require: { types: './cjs/client.d.ts', default: './cjs/client.js' },
      },
      './types': {
        import: { types: './esm/operations.d.ts' },
        require: { types: './cjs/operations.d.ts' },
      },
      './package.json': './package.json',
    },
  }
  fs.writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}
