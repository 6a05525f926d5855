/** Hosts of their own on one machine: network namespaces on a bridge. Needs root and iproute2. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream, mkdirSync } from 'node:fs'
import { join } from 'node:path'

const prefix = 'fordra-'
const bridge = 'fordra-bridge'
export const network = '10.77.0.0/24'

const ip = (...words: string[]) =>
  execFileSync('ip', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })

/** Like `ip`, where it does not matter that there was nothing to do. */
function tryIp(...words: string[]): string {
  try {
    return ip(...words)
  } catch {
    return ''
  }
}

export class Host {
  readonly name: string
  readonly address: string
  /** Its disk: settings, data and logs. */
  readonly folder: string

  constructor(name: string, number: number, disks: string) {
    this.name = name
    this.address = `10.77.0.${number}`
    this.folder = join(disks, name)
    mkdirSync(this.folder, { recursive: true })
    ip('netns', 'add', prefix + name)
    ip('link', 'add', prefix + name, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', prefix + name)
    ip('link', 'set', prefix + name, 'master', bridge, 'up')
    ip('-n', prefix + name, 'address', 'add', `${this.address}/24`, 'dev', 'eth0')
    for (const device of ['lo', 'eth0']) ip('-n', prefix + name, 'link', 'set', device, 'up')
  }

  /** Starts a program on the host; what it says goes to a file in its folder. */
  start(
    words: string[],
    { user, env = {} }: { user?: string; env?: Record<string, string> } = {},
  ): ChildProcess {
    const as = user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups']
    const child = spawn('ip', ['netns', 'exec', prefix + this.name, ...as, ...words], {
      cwd: this.folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: this.folder, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const log = createWriteStream(join(this.folder, `${words[0]!.split('/').at(-1)}.log`), { flags: 'a' })
    for (const stream of [child.stdout, child.stderr]) stream.pipe(log, { end: false })
    return child
  }

  /** Kills every process of the host at once, as a power cut does. */
  kill(): void {
    killAll(prefix + this.name)
  }

  /** Pulls the cable: packets are lost without a word to either side. */
  cut(): void {
    ip('link', 'set', prefix + this.name, 'nomaster')
  }

  mend(): void {
    ip('link', 'set', prefix + this.name, 'master', bridge)
  }
}

function killAll(namespace: string): void {
  for (const pid of tryIp('netns', 'pids', namespace).split('\n').filter(Boolean)) {
    try {
      process.kill(Number(pid), 'SIGKILL')
    } catch {
      // It ended by itself, or with another.
    }
  }
}

/** The network with ourselves on it, after what an earlier run may have left. */
export function openNetwork(): void {
  closeNetwork()
  ip('link', 'add', bridge, 'type', 'bridge')
  ip('address', 'add', '10.77.0.254/24', 'dev', bridge)
  ip('link', 'set', bridge, 'up')
}

const ours = (list: string) => list.split(/\s+/).filter((word) => word.startsWith(prefix))

/** Ends the hosts with all that runs on them, and takes the network away. */
export function closeNetwork(): void {
  for (const namespace of ours(tryIp('netns', 'list'))) {
    killAll(namespace)
    tryIp('netns', 'del', namespace)
  }
  // A namespace and its end of a link may outlive its name by a moment.
  for (const link of ours(tryIp('-brief', 'link'))) tryIp('link', 'del', link.split('@')[0]!)
}
