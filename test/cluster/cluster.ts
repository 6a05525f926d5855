/** The cluster of docs/operate/scaling-out.md on hosts of this machine, from the very files of deploy/cluster. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openDatabase, type Database } from '../../server/platform/database/database.ts'
import { closeNetwork, Host, network, openNetwork } from './hosts.ts'

const root = join(import.meta.dirname, '..', '..')
const recipes = join(root, 'deploy', 'cluster')
const passwords = {
  superuser: 'superuser of the test',
  replication: 'replication of the test',
  fordra: 'fordra-of-the-test',
}
export const admin = { login: 'admin@agency.example', password: 'administrator of the test' }

/** Debian's programs, by package. */
const programs = {
  'etcd-server': '/usr/bin/etcd',
  patroni: '/usr/bin/patroni',
  haproxy: '/usr/sbin/haproxy',
  pgbouncer: '/usr/sbin/pgbouncer',
  iproute2: '/usr/sbin/ip',
}
const version = existsSync('/usr/lib/postgresql')
  ? readdirSync('/usr/lib/postgresql').toSorted().at(-1)
  : undefined

/** What keeps the cluster from being tried here, or undefined. */
export function findObstacle(): string | undefined {
  if (process.getuid?.() !== 0) return 'network namespaces need root'
  const missing = Object.entries(programs).flatMap(([name, file]) => (existsSync(file) ? [] : [name]))
  if (version === undefined) missing.push('postgresql')
  return missing.length > 0 ? `packages of Debian are missing: ${missing.join(' ')}` : undefined
}

export interface Member {
  name: string
  role: 'leader' | 'sync_standby' | 'replica' | string
  state: string
  host: string
  lag?: number | string
}

export class Cluster {
  readonly folder = mkdtempSync(join(tmpdir(), 'fordra-cluster-'))
  readonly databases: Host[]
  readonly servers: Host[]

  constructor() {
    chmodSync(this.folder, 0o711)
    openNetwork()
    this.databases = [1, 2, 3].map((number) => new Host(`db${number}`, number, this.folder))
    this.servers = [1, 2].map((number) => new Host(`app${number}`, 10 + number, this.folder))
  }

  /** Five hosts, and on the last two a Fordra that answers. */
  async start(): Promise<void> {
    for (const host of this.databases) this.startDatabase(host)
    await this.until('a primary with two synchronous replicas', (members) => isWhole(members))
    await this.makeDatabase()
    for (const host of this.servers) {
      this.startPooler(host)
      host.start(
        [process.execPath, '--disable-warning=ExperimentalWarning', join(root, 'cli/main.ts'), 'start'],
        {
          env: this.buildSettings(host),
        },
      )
      while (!(await isReady(host))) await sleep(200)
    }
  }

  startDatabase(host: Host): void {
    this.write(host, 'patroni.yml')
    execFileSync('chown', ['-R', 'postgres:postgres', host.folder])
    host.start([programs['etcd-server']], {
      user: 'postgres',
      env: readVariables(this.write(host, 'etcd.env')),
    })
    host.start([programs.patroni, join(host.folder, 'patroni.yml')], { user: 'postgres' })
  }

  private startPooler(host: Host): void {
    for (const file of ['haproxy.cfg', 'pgbouncer.ini']) this.write(host, file)
    writeFileSync(join(host.folder, 'userlist.txt'), `"fordra" "${passwords.fordra}"\n`)
    execFileSync('chown', ['-R', 'postgres:postgres', host.folder])
    host.start([programs.haproxy, '-db', '-f', join(host.folder, 'haproxy.cfg')], { user: 'postgres' })
    host.start([programs.pgbouncer, join(host.folder, 'pgbouncer.ini')], { user: 'postgres' })
  }

  private buildSettings(host: Host): Record<string, string> {
    return {
      ...readVariables(this.write(host, 'fordra.env')),
      FORDRA_ADMIN_EMAIL: admin.login,
      FORDRA_ADMIN_PASSWORD: admin.password,
      FORDRA_RATE_LIMIT: '0',
    }
  }

  /** A file of the recipe with its variables filled in, as `envsubst` does. */
  private write(host: Host, file: string): string {
    const [DB1, DB2, DB3] = this.databases.map(({ address }) => address)
    const values: Record<string, string | undefined> = {
      DB1,
      DB2,
      DB3,
      HOST: host.name,
      ADDRESS: host.address,
      NETWORK: network,
      DATA: host.folder,
      VERSION: version,
      SUPERUSER_PASSWORD: passwords.superuser,
      REPLICATION_PASSWORD: passwords.replication,
      FORDRA_PASSWORD: passwords.fordra,
    }
    const text = readFileSync(join(recipes, file), 'utf8').replace(/\$\{(\w+)\}/g, (_, name: string) => {
      if (values[name] === undefined) throw new Error(`${file} has the variable ${name}, which is not known.`)
      return values[name]
    })
    writeFileSync(join(host.folder, file), text)
    return text
  }

  private async makeDatabase(): Promise<void> {
    const sql = await this.openPrimary('postgres', 'postgres', passwords.superuser)
    await sql.unsafe(`create role fordra login password '${passwords.fordra}'`)
    await sql.unsafe(`create database fordra owner fordra`)
    await sql.end()
  }

  /** Past everything that is in front of it. */
  async openPrimary(database = 'fordra', user = 'fordra', password = passwords.fordra): Promise<Database> {
    return openDatabase(this.buildUrl((await this.leader()).host, database, user, password), { max: 2 })
  }

  buildUrl(address: string, database = 'fordra', user = 'fordra', password = passwords.fordra): string {
    return `postgres://${user}:${encodeURIComponent(password)}@${address}:5432/${database}`
  }

  /** What the first host that can be asked knows of all. */
  async members(): Promise<Member[]> {
    for (const { address } of this.databases) {
      const answer = await ask<{ members: Member[] }>(`http://${address}:8008/cluster`)
      if (answer) return answer.members
    }
    return []
  }

  async leader(): Promise<Member> {
    const members = await this.until('a primary', (all) => all.some(isLeader))
    return members.find(isLeader)!
  }

  async until(what: string, holds: (members: Member[]) => boolean, patienceMs = 120_000): Promise<Member[]> {
    const began = performance.now()
    for (;;) {
      const members = await this.members()
      if (holds(members)) return members
      if (performance.now() - began > patienceMs)
        throw new Error(`No ${what}: ${JSON.stringify(members)}; the logs are in ${this.folder}`)
      await sleep(250)
    }
  }

  /** `keep` leaves the logs. */
  close(keep: boolean): void {
    closeNetwork()
    if (!keep) rmSync(this.folder, { recursive: true, force: true })
  }
}

const isLeader = ({ role, state }: Member) => role === 'leader' && state === 'running'
export const isWhole = (members: readonly Member[]) =>
  members.filter(isLeader).length === 1 &&
  members.filter(({ role }) => role === 'sync_standby').length === 2 &&
  members.filter(
    ({ role, state, lag }) => role !== 'leader' && /^(running|streaming)$/.test(state) && lag === 0,
  ).length === 2

const isReady = async ({ address }: Host) => (await ask(`http://${address}:3000/health/ready`)) !== undefined

async function ask<T>(url: string): Promise<T | undefined> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(1_000) })
    return response.ok ? ((await response.json()) as T) : undefined
  } catch {
    return undefined
  }
}

const readVariables = (text: string): Record<string, string> =>
  Object.fromEntries([...text.matchAll(/^(\w+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]))
