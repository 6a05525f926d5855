/** What is shipped to run the service elsewhere names settings, addresses, files and figures that exist. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
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
import { dirname, join, sep } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { parseAllDocuments } from 'yaml'
import { readSettings, settingList } from '../server/platform/config.ts'
import '../server/metrics.ts'
import { collectProcessMetrics, registry } from '../server/platform/telemetry/metrics.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const known = new Set(settingList.map(({ name }) => name))
const ours = (name: string) => known.has(name) || name.startsWith('FORDRA_')

type Tree = Record<string, unknown>
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null

function* walkTrees(value: unknown): Generator<Tree> {
  if (!isTree(value)) return
  yield value
  for (const child of Object.values(value)) yield* walkTrees(child)
}

/** Throws where a file is no YAML. */
function parse(file: string): Tree[] {
  return parseAllDocuments(read(file)).map((document) => {
    assert.deepEqual(document.errors, [], file)
    return document.toJS() as Tree
  })
}

test('every setting is in the tables of the settings guide, and the tables have no other', () => {
  const [, tables = ''] = /\n## Reference\n([\s\S]*)$/.exec(read('docs/operate/settings.md')) ?? []
  const rows = [...tables.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name!)
  assert.ok(rows.length > 30)
  assert.deepEqual(rows.toSorted(), [...known].toSorted())
})

/** The paths of this repository that a source imports, or puts together from where it is itself. */
function listReadFiles(source: string): string[] {
  const text = read(source)
  const imported = [...text.matchAll(/(?:from|import)[ (]'(\.[^']+)'/g)].map(([, path]) => path!)
  const joined = [...text.matchAll(/import\.meta\.dirname((?:, '[^']+')+)/g)].map(([, parts]) =>
    join(...[...parts!.matchAll(/'([^']+)'/g)].map(([, part]) => part!)),
  )
  return [...imported, ...joined].map((path) => join(dirname(source), path)).filter((path) => path !== '.')
}

describe('the image', () => {
  const text = read('deploy/Dockerfile')

  test('copies files that are there and runs one of them', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, files]) => files!.split(' '))
    assert.ok(copied.length >= 4)
    for (const file of copied) assert.ok(existsSync(file), file)
    assert.match(text, /ENTRYPOINT .*"cli\/main\.ts"\]\nCMD \["start"\]/)
    assert.ok(existsSync('cli/main.ts') && existsSync('bin/console.mjs'))
  })

  const lines = read('.dockerignore')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const takenIn = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1))

  test('takes in what is named and nothing else: no backup, no data, no secret of the working folder', () => {
    assert.equal(lines[0], '*')
    const left = lines.slice(lines.findLastIndex((line) => line.startsWith('!')) + 1)
    assert.deepEqual(left, ['**/node_modules', '**/*.test.ts', '**/*.tsbuildinfo', 'console/dist*'])
    for (const name of takenIn.filter((taken) => !taken.includes('*'))) assert.ok(existsSync(name), name)
    for (const name of takenIn) assert.doesNotMatch(name, /^\.env|^data-local|\.tar$|\.csv$/)
  })

  test('takes in all that its sources read', () => {
    const rooms = takenIn.filter((name) => statSync(name, { throwIfNoEntry: false })?.isDirectory())
    const sources = rooms
      .filter((room) => room !== 'docs')
      .flatMap((room) =>
        readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
      )
      .filter((name) => /\.(ts|tsx|mjs)$/.test(name) && !/\.test\.ts$|^console.dist/.test(name))
    assert.ok(sources.length > 300)
    for (const source of sources)
      for (const path of listReadFiles(source))
        assert.ok(takenIn.includes(path.split(sep)[0]!), `${source} reads ${path}`)
  })

  test('runs as nobody special, with a check of its health', () => {
    const last = text.slice(text.lastIndexOf('FROM'))
    assert.match(last, /^USER 1000:1000$/m)
    assert.ok(last.indexOf('USER') > last.indexOf('COPY'))
    assert.match(last, /HEALTHCHECK[\s\S]*\$\{process\.env\.FORDRA_HEALTH_PORT\}\/health\/ready/)
    assert.match(last, /^ENV .*FORDRA_HEALTH_PORT=/m)
  })

  test('sets settings that there are', () => {
    const [, line = ''] = /^ENV (.+)$/m.exec(text) ?? []
    const names = line.split(' ').map((pair) => pair.split('=')[0]!)
    assert.deepEqual(
      names.filter((name) => !known.has(name) && !name.startsWith('NODE_')),
      [],
    )
  })
})

describe('the compose file', () => {
  const [file] = parse('deploy/compose.yaml') as [Tree & { services: Record<string, Tree> }]
  const { fordra, database } = file.services as Record<
    string,
    Tree & { environment: Record<string, unknown> }
  >

  test('gives the service settings that are accepted', () => {
    const filled = Object.entries(fordra!.environment).map(([name, value]) => [
      name,
      String(value).replaceAll(/\$\{(\w+)(:[-?]([^}]*))?\}/g, (_, variable: string) => examples[variable]!),
    ])
    const settings = readSettings(Object.fromEntries(filled) as Record<string, string>)
    assert.equal(settings.DATABASE_URL, 'postgres://fordra:secret@database:5432/fordra')
    assert.equal(settings.FORDRA_TRUST_PROXY, 1)
  })

  test('waits for a database that is healthy, and publishes nothing beyond this machine', () => {
    assert.deepEqual(fordra!['depends_on'], { database: { condition: 'service_healthy' } })
    assert.ok(database!['healthcheck'])
    assert.deepEqual(fordra!['ports'], ['127.0.0.1:3000:3000'])
    assert.equal(database!['ports'], undefined)
    const { build } = fordra as { build?: { dockerfile: string; context: string } }
    assert.ok(existsSync(join('deploy', build!.context, build!.dockerfile)))
  })
})
const examples: Record<string, string> = {
  POSTGRES_PASSWORD: 'secret',
  FORDRA_ADMIN_EMAIL: 'admin@agency.example',
  FORDRA_ADMIN_PASSWORD: 'fifteen characters or more',
  FORDRA_SECRET_KEY: Buffer.alloc(32).toString('base64'),
  FORDRA_METRICS_TOKEN: 'sixteen-characters-or-more',
}

describe('the nightly backup', () => {
  const folder = mkdtempSync(join(tmpdir(), 'fordra-nightly-'))
  after(() => rmSync(folder, { recursive: true }))
  const backups = join(folder, 'backups')
  const anchor = join(folder, 'anchor')
  const calls = join(folder, 'calls')
  const programs = join(folder, 'programs')

  const program = (name: string, body: string) =>
    writeFileSync(join(programs, name), `#!/bin/sh\necho "${name} $*" >> "${calls}"\n${body}\n`, {
      mode: 0o755,
    })

  before(() => {
    for (const made of [backups, anchor, programs]) mkdirSync(made)
    program('fordra', 'case $1 in backup) echo rows > "$3";; restore) test -z "${BROKEN:-}";; esac')
    program('restic', '')
  })

  const run = (settings: Record<string, string> = {}) => {
    rmSync(calls, { force: true })
    const { status, stderr } = spawnSync('deploy/backup/fordra-backup', {
      encoding: 'utf8',
      env: {
        PATH: `${programs}:${process.env['PATH']}`,
        FORDRA_BACKUPS: backups,
        FORDRA_ANCHOR: anchor,
        RESTIC_REPOSITORY: 'sftp:backup@elsewhere.example:/srv/fordra',
        ...settings,
      },
    })
    const made = existsSync(calls) ? read(calls).trim().split('\n') : []
    return { status, stderr, calls: made.map((call) => call.replaceAll(/fordra-[\d-]+/g, 'fordra-NOW')) }
  }

  test('is checked before it is sent with the anchor folder, and old ones are dropped', () => {
    const old = join(backups, 'fordra-2026-01-01-020000.tar')
    writeFileSync(old, '')
    utimesSync(old, new Date('2026-01-01'), new Date('2026-01-01'))
    const { status, stderr, calls: made } = run()
    assert.deepEqual([status, stderr], [0, ''])
    assert.deepEqual(made, [
      `fordra backup --quiet ${backups}/fordra-NOW.tar.part`,
      `fordra restore --check ${backups}/fordra-NOW.tar.part`,
      `restic backup --quiet --tag fordra ${backups}/fordra-NOW.tar ${anchor}`,
      'restic forget --quiet --tag fordra --group-by tags --prune --keep-daily 14 --keep-weekly 8 --keep-monthly 12',
      'restic check --quiet',
    ])
    const [kept, ...others] = readdirSync(backups)
    assert.match(kept!, /^fordra-[\d-]+\.tar$/)
    assert.deepEqual(others, [])
    rmSync(join(backups, kept!))
  })

  test('is neither kept nor sent when the check fails', () => {
    const { status, calls: made } = run({ BROKEN: '1' })
    assert.equal(status, 1)
    assert.equal(made.length, 2)
    assert.deepEqual(readdirSync(backups), [])
  })

  test('needs to be told where to', () => {
    const { status, stderr, calls: made } = run({ RESTIC_REPOSITORY: '' })
    assert.notEqual(status, 0)
    assert.match(stderr, /RESTIC_REPOSITORY: Name where the backups are kept/)
    assert.deepEqual(made, [])
  })

  test('has a unit with settings that there are', () => {
    const names = [...read('deploy/backup/fordra-backup.service').matchAll(/\b(FORDRA_\w+)=/g)]
    assert.ok(names.length >= 2)
    for (const [, name] of names) assert.ok(known.has(name!), name)
  })
})

describe('the Kubernetes manifests', () => {
  const manifests = readdirSync('deploy/kubernetes').flatMap((name) => parse(join('deploy/kubernetes', name)))
  const kind = (name: string) => manifests.find((manifest) => manifest['kind'] === name)!

  test('have a kind, a version and a name each', () => {
    assert.deepEqual(manifests.map((manifest) => manifest['kind']).toSorted(), [
      'ConfigMap',
      'PodDisruptionBudget',
      'Service',
      'Service',
      'StatefulSet',
    ])
    for (const { apiVersion, metadata } of manifests) {
      assert.match(String(apiVersion), /^(v1|[a-z]+\/v1)$/)
      assert.match(String((metadata as Tree)['name']), /^fordra(-nodes)?$/)
    }
  })

  test('give settings that are accepted', () => {
    const data = kind('ConfigMap')['data'] as Record<string, string>
    for (const [name, value] of Object.entries(data)) assert.equal(typeof value, 'string', name)
    assert.equal(readSettings(data).FORDRA_PUBLIC_URL, 'https://collections.example')
  })

  test('ask for health at addresses that there are, run as nobody special, and select what they make', () => {
    const trees = [...walkTrees(kind('StatefulSet'))]
    const probes = trees.flatMap((tree) => (isTree(tree['httpGet']) ? [tree['httpGet']] : []))
    assert.deepEqual(
      probes.map(({ path }) => path),
      ['/health/live', '/health/live', '/health/ready'],
    )
    const { FORDRA_HEALTH_PORT: healthPort } = kind('ConfigMap')['data'] as Record<string, string>
    for (const { port } of probes) {
      assert.equal(String(trees.find(({ name }) => name === port)?.['containerPort']), healthPort)
    }
    assert.ok(trees.some((tree) => tree['prometheus.io/port'] === healthPort))
    assert.ok(trees.some((tree) => tree['runAsNonRoot'] === true))
    assert.ok(trees.some((tree) => tree['readOnlyRootFilesystem'] === true))
    const selectors = manifests.flatMap((manifest) =>
      [...walkTrees(manifest)].flatMap((tree) => tree['matchLabels'] ?? []),
    )
    for (const selector of selectors) assert.deepEqual(selector, { app: 'fordra' })
    assert.equal(selectors.length, 3)
  })
})

test('the systemd unit starts what is there, with settings that there are', () => {
  const text = read('deploy/fordra.service')
  const [, script = ''] = /^ExecStart=\/usr\/bin\/env node (\S+) start$/m.exec(text) ?? []
  assert.ok(existsSync(script), script)
  const names = [...text.matchAll(/^Environment=(\w+)=/gm)].map(([, name]) => name!)
  assert.ok(names.length > 0)
  for (const name of names) assert.ok(known.has(name), name)
  assert.match(text, /^KillMode=mixed$/m)
  assert.match(text, /^User=fordra$/m)
})

test('every setting that a file for running elsewhere names exists', () => {
  const files = readdirSync('deploy', { recursive: true, encoding: 'utf8' }).map((name) =>
    join('deploy', name),
  )
  for (const file of files.filter((name) => /\.(yaml|service)$|Dockerfile$/.test(name))) {
    const names = [...read(file).matchAll(/\bFORDRA_\w+/g)].map(([name]) => name)
    for (const name of names.filter(ours)) assert.ok(known.has(name), `${file}: ${name}`)
  }
})

test('the monitoring guide has a table of all metrics of ours, and of no other', async () => {
  const [, table = ''] = /\n\| metric .*\n([\s\S]*?)\n\n/.exec(read('docs/operate/monitoring.md')) ?? []
  const rows = [...table.matchAll(/^\| `(fordra_\w+)`/gm)].map(([, name]) => name!)
  const own = [...(await registry.metrics()).matchAll(/^# TYPE (fordra_\w+) /gm)].map(([, name]) => name!)
  assert.deepEqual(rows.toSorted(), own.toSorted())
})

test('the Grafana dashboard shows figures that the service has', async () => {
  collectProcessMetrics()
  const metrics = (await registry.metrics()).matchAll(/^# TYPE (\w+) (\w+)$/gm)
  const names = new Set(
    [...metrics].flatMap(([, name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_count`, `${name}_sum`] : [name!],
    ),
  )
  const dashboard = JSON.parse(read('deploy/grafana/fordra.json')) as Tree
  const expressions = [...walkTrees(dashboard)].flatMap(({ expr, query }) =>
    [expr, query].filter((text) => typeof text === 'string' && /[({]/.test(text)),
  ) as string[]
  assert.ok(expressions.length >= 12)
  const used = expressions.flatMap((text) => text.match(/\b(fordra|process|nodejs)_\w+/g) ?? [])
  assert.ok(used.length >= 12)
  for (const name of used) assert.ok(names.has(name), name)
  const own = [...names].filter((name) => name.startsWith('fordra_') && !/_(count|sum)$/.test(name))
  assert.ok(own.length >= 9)
  for (const name of own) assert.ok(used.includes(name), `${name} is shown`)
  const ids = (dashboard['panels'] as Tree[]).map(({ id }) => id)
  assert.equal(new Set(ids).size, ids.length)
})

test('the alert rules use metrics that the service has, and are those of the monitoring guide', async () => {
  const [file] = parse('deploy/prometheus/fordra.rules.yaml') as [
    { groups: { rules: { alert: string; expr: string; for: string; annotations: Tree }[] }[] },
  ]
  const rules = file.groups.flatMap((group) => group.rules)
  const types = [...(await registry.metrics()).matchAll(/^# TYPE (fordra_\w+) (\w+)$/gm)]
  const names = new Set(
    types.flatMap(([, name, type]) => (type === 'histogram' ? [`${name}_count`, `${name}_sum`] : [name!])),
  )
  for (const { alert, expr, annotations } of rules) {
    assert.match(alert, /^Fordra[A-Z]/)
    assert.equal(typeof annotations['summary'], 'string')
    for (const name of expr.match(/\bfordra_\w+/g) ?? []) assert.ok(names.has(name), `${alert}: ${name}`)
  }
  const [, table = ''] = /### Alerts\n\n([\s\S]*?)\n\n/.exec(read('docs/operate/monitoring.md')) ?? []
  const described = [...table.matchAll(/^\| [^|]+\| `(.+)` +\| (\d+) ([mh]) +\|$/gm)]
  assert.equal(described.length, table.split('\n').length - 2)
  assert.deepEqual(
    rules.map((rule) => `${rule.expr} ${rule.for}`),
    described.map(([, expr, count, unit]) => `${expr} ${count}${unit}`),
  )
})

test('the proxies lead to the port of the service and hold back neither events nor uploads', () => {
  const [caddy, nginx] = [read('deploy/proxy/Caddyfile'), read('deploy/proxy/nginx.conf')]
  for (const text of [caddy, nginx]) assert.match(text, /127\.0\.0\.1:3000/)
  assert.match(caddy, /flush_interval -1/)
  assert.match(nginx, /proxy_buffering off;/)
  assert.match(nginx, /limit_conn_zone \$binary_remote_addr zone=(\w+):[\s\S]*limit_conn \1 256;/)
  assert.match(nginx, /X-Forwarded-For \$remote_addr;[\s\S]*X-Forwarded-Proto \$scheme;/)
})
