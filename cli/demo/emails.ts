/**
 * E-mail addresses at domains that can never belong to anyone: example.com, .org and .net (RFC 2606) and names under
 * the top-level domain example (RFC 6761).
 */
import { weighByRank, type Random } from './random.ts'

const domains = weighByRank([
  'example.com',
  'mail.example',
  'example.org',
  'post.example',
  'example.net',
  'epost.example',
  'inbox.example',
])

const letters: Record<string, string> = {
  æ: 'ae',
  ø: 'o',
  å: 'a',
  ä: 'a',
  ö: 'o',
  ß: 'ss',
  ł: 'l',
  đ: 'd',
  ı: 'i',
}
const germanLetters: Record<string, string> = { ...letters, ä: 'ae', ö: 'oe', ü: 'ue' }

/** Letters a to z, digits and hyphens only. Names are ASCII for the most part, so those are not taken apart. */
function foldName(name: string, german: boolean): string {
  const lower = name.toLowerCase()
  if (/^[a-z]+$/.test(lower)) return lower
  const table = german ? germanLetters : letters
  return lower
    .replace(/[^a-z]/g, (letter) => table[letter] ?? letter)
    .normalize('NFD')
    .replace(/[^a-z0-9-]+/g, (other) => (/[\s&]/.test(other) ? '-' : ''))
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '')
}

/** The names of persons are few thousand, so what became of them is kept. */
const foldedNames = new Map<string, string>()
const foldedGermanNames = new Map<string, string>()
function foldPersonName(name: string, german: boolean): string {
  const kept = german ? foldedGermanNames : foldedNames
  const known = kept.get(name)
  if (known !== undefined) return known
  const folded = foldName(name, german)
  kept.set(name, folded)
  return folded
}

/** `anna.berg@example.com` and the other ways people make addresses of their names. */
export function makePersonEmail(
  name: { firstname: string; lastname: string },
  options: { random: Random; bornIn: number; german: boolean },
): string {
  const { random, bornIn, german } = options
  const first = foldPersonName(name.firstname, german)
  const last = foldPersonName(name.lastname, german)
  const way = random.below(10)
  const year = String(bornIn).slice(2)
  const local =
    way < 4
      ? `${first}.${last}`
      : way < 6
        ? `${first}.${last}${random.below(99) + 1}`
        : way < 7
          ? `${first[0]}.${last}`
          : way < 9
            ? `${first}${last}${year}`
            : `${first}_${year}`
  return `${local}@${domains(random)}`
}

/** `info@bergs-bygg.example`, the company's own domain under example. */
export function makeCompanyEmail(mailbox: string, companyName: string, german: boolean): string {
  // A label of a domain name has at most 63 letters.
  const label = foldName(companyName, german).slice(0, 60).replace(/-$/, '')
  return `${mailbox}@${label}.example`
}
