import { existsSync } from 'node:fs'
import { readSettings, type Settings } from '../server/platform/config.ts'

/** Reads the settings from `.env` and the environment, which wins. Throws naming every misspelt or invalid one. */
export function loadSettings(defaults: Record<string, string> = {}): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readSettings({ ...defaults, ...process.env })
}

/** Progress goes to standard error, so that what a command prints can be piped. */
export const report = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
