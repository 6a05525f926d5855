/**
 * Stands in for the library that hashes passwords: the same hashes, which the simulated clock waits for. Otherwise
 * the clock moves on every 15 ms while a busy machine still hashes.
 */
import * as real from '@node-rs/argon2'
import { countThread } from './virtual-time.ts'

export const hash: typeof real.hash = (...given) => countThread(real.hash(...given))
export const verify: typeof real.verify = (...given) => countThread(real.verify(...given))
