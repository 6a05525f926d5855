/** Passwords (NIST SP 800-63B-4), hashed by argon2id off the main thread, few at a time. */
import { hash, verify } from '@node-rs/argon2'
import { ApiError } from '../../platform/http/errors.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const options = {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const

/** Maximum concurrent hashes: signing in must not starve the rest of the service. */
const parallelMax = 2
const queueMax = 64

let running = 0
const waiting: (() => void)[] = []

async function withSlot<T>(work: () => Promise<T>): Promise<T> {
  if (running >= parallelMax) {
    if (waiting.length >= queueMax) {
      throw new ApiError('overloaded', 'Too many sign-ins at once. Try again in a moment.', {
        headers: { 'retry-after': '2' },
      })
    }
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running++
  }
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

export const hashPassword = (password: string): Promise<string> =>
  withSlot(() => hash(password.normalize('NFKC'), options))

/** Hashed for an unknown user, so that the answer takes equally long. */
const placeholderHash = hash('nobody has this password', options)

/** True if the password matches the hash. Without a hash it takes equally long and returns false. */
export async function isPassword(passwordHash: string | null, password: string): Promise<boolean> {
  const expected = passwordHash ?? (await placeholderHash)
  const same = await withSlot(() => verify(expected, password.normalize('NFKC')))
  return same && passwordHash !== null
}
