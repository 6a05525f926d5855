/** Which arm of a trial a debtor belongs to: at random by share, and always the same. */

/**
 * A number from 0 up to 1 for a text: FNV-1a, mixed by the last steps of MurmurHash3 so that all bits depend on
 * all characters. It is stable across releases, because an assignment is never drawn again.
 */
export function hashToUnit(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32
}

/**
 * The number of the arm, by the share of each arm in percent. Arm 0 is the champion. The trial's seed keeps others
 * from foreseeing it. Throws a RangeError if the shares are not positive whole numbers with the sum 100.
 */
export function assignArm(seed: string, debtorGuid: string, shares: readonly number[]): number {
  if (shares.some((share) => !Number.isInteger(share) || share <= 0))
    throw new RangeError('Each share must be a whole number of percent above 0.')
  if (shares.reduce((sum, share) => sum + share, 0) !== 100)
    throw new RangeError('The shares must have the sum 100.')
  const drawn = hashToUnit(`${seed}/${debtorGuid}`) * 100
  let upto = 0
  return shares.findIndex((share) => drawn < (upto += share))
}
