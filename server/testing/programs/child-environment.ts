/**
 * The environment of a program that a test starts: no settings but those given, and the compiled code of the programs
 * before it, which saves a quarter of what a start costs.
 */
export function childEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const kept = ['PATH', 'NODE_COMPILE_CACHE'].flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { ...Object.fromEntries(kept), ...settings }
}
