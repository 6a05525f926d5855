/**
 * The environment of a program that a test starts: no settings but those given, the run's temporary folder, and the
 * compiled code of earlier programs, which saves a quarter of what a start costs.
 */
export function childEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const kept = ['PATH', 'TMPDIR', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), ...settings }
}
