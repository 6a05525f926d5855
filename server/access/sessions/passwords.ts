/** Passwords (NIST SP 800-63B-4), hashed by argon2id off the main thread, few at a time. */
import { hash, verify } from '@node-rs/argon2'
import { openHashQueue, type HashTurn } from './hash-queue.ts'

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const options = {
  algorithm: 2,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
} as const

/**
 * Maximum concurrent hashes: signing in must not starve the rest of the service. So many wait as are hashed within
 * about ten seconds, after which a browser's user gives up.
 */
const queue = openHashQueue(2, 512)

/** The service itself, such as for an import. */
const ownTurn: HashTurn = { sender: '', account: '' }

/** Call it outside of transactions: it takes long, and may wait for its turn. */
export const hashPassword = (password: string, turn = ownTurn): Promise<string> =>
  queue.run(turn, () => hash(password.normalize('NFKC'), options))

/**
 * Verified for an unknown user, so that the answer takes equally long: a hash with the options above. Written down,
 * because every command and every import would make it anew.
 */
export const placeholderHash =
  '$argon2id$v=19$m=19456,t=2,p=1$izdBLUiMV4jWRKADVYh2NQ$Sta1VgQe3zH75NoQWIRf3VFgRITboi2ILWa7+RD4Y7o'

/** True if the password matches the hash. Without a hash it takes equally long and returns false. */
export const isPassword = (passwordHash: string | null, password: string, turn: HashTurn): Promise<boolean> =>
  provePassword({ passwordHash, password, turn }, (matches) => Promise.resolve(matches))

/** As `isPassword`; what follows from the outcome is done before the turn ends, so before the next one is checked. */
export const provePassword = <T>(
  { passwordHash, password, turn }: { passwordHash: string | null; password: string; turn: HashTurn },
  conclude: (matches: boolean) => Promise<T>,
): Promise<T> =>
  queue.run(turn, async () => {
    const same = await verify(passwordHash ?? placeholderHash, password.normalize('NFKC'))
    return conclude(same && passwordHash !== null)
  })
