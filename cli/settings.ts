import { existsSync } from 'node:fs'
import { readSettings, type Settings } from '../server/platform/config.ts'

/**
 * Reads the settings from `.env` and the environment, which takes precedence. Throws an error that names every misspelt
 * or invalid one.
 */
export function loadSettings(defaults: Record<string, string> = {}): Settings {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readSettings({ ...defaults, ...process.env })
}

/** Progress goes to standard error, so that a command's output can be piped. */
export const report = (line: string): void => {
  process.stderr.write(`${line}\n`)
}
