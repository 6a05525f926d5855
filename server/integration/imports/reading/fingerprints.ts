import { hash } from 'node:crypto'

const firstSlots = 1 << 16
const fingerprintBytes = 6

/**
 * Maps very many texts to whole numbers, in about 20 bytes per text, by 48 bits of the text's SHA-256. Two texts may
 * collide (about once in some hundred files of a million rows); callers must stay correct then.
 */
export class Fingerprints {
  #keys = new Float64Array(firstSlots)
  #values = new Uint32Array(firstSlots)
  #count = 0

  /** Changes the number of a text (undefined if none yet) and returns the number before. */
  update(text: string, change: (before: number | undefined) => number): number | undefined {
    if (this.#count * 4 >= this.#keys.length * 3) this.#grow()
    const key = fingerprint(text)
    const slot = this.#findSlot(key)
    const before = this.#keys[slot] === 0 ? undefined : this.#values[slot]!
    if (before === undefined) this.#count += 1
    this.#keys[slot] = key
    this.#values[slot] = change(before)
    return before
  }

  /** The number of a text; undefined if none. */
  find(text: string): number | undefined {
    const slot = this.#findSlot(fingerprint(text))
    return this.#keys[slot] === 0 ? undefined : this.#values[slot]!
  }

  #findSlot(key: number): number {
    const slots = this.#keys.length
    let slot = key % slots
    while (this.#keys[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) % slots
    return slot
  }

  #grow(): void {
    const [keys, values] = [this.#keys, this.#values]
    this.#keys = new Float64Array(keys.length * 2)
    this.#values = new Uint32Array(keys.length * 2)
    for (const [at, key] of keys.entries()) {
      if (key === 0) continue
      const slot = this.#findSlot(key)
      this.#keys[slot] = key
      this.#values[slot] = values[at]!
    }
  }
}

// Plus one, because 0 marks a free slot.
const fingerprint = (text: string) => hash('sha256', text, 'buffer').readUIntBE(0, fingerprintBytes) + 1
