#!/usr/bin/env node
// Makes the wheel of the Python client: node bin/pack-python.mjs [FOLDER]. Prints the file's path.
import { spawnSync } from 'node:child_process'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureDependencies, fail, findNode, root } from './bootstrap.mjs'

await ensureDependencies({ development: false })
const target = resolve(process.argv[2] ?? '.')
const program = `
  import { writePythonWheel } from ${JSON.stringify(pathToFileURL(join(root, 'cli/python/write-wheel.ts')).href)}
  process.stdout.write(writePythonWheel(${JSON.stringify(target)}))`
const { status, stdout, stderr } = spawnSync(findNode(), ['--input-type=module', '-e', program], {
  encoding: 'utf8',
})
if (status !== 0) fail(`The Python client could not be packed:\n${stderr}`)
process.stdout.write(`${stdout}\n`)
