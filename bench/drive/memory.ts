/** The memory of processes, from Linux's /proc; elsewhere unknown. */
import { readFileSync } from 'node:fs'

/** Bytes of memory that a process holds now (`VmRSS`), or held at most (`VmHWM`). */
export function readMemory(pid: number, line: 'VmRSS' | 'VmHWM'): number | null {
  try {
    const kibibytes = new RegExp(`${line}:\\s+(\\d+) kB`).exec(
      readFileSync(`/proc/${pid}/status`, 'utf8'),
    )?.[1]
    return kibibytes === undefined ? null : Number(kibibytes) * 1024
  } catch {
    return null
  }
}
