import { ApiError } from './errors.ts'

const depthMax = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body; undefined for an empty one. Throws a 400 for bytes that are not UTF-8, malformed JSON, nesting
 * deeper than 32 (found before parsing), a name given twice in one object (RFC 8259 section 4 leaves its meaning open),
 * a member `__proto__` or `constructor`, and texts with NUL or lone surrogates, which the database cannot store.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const source = decode(bytes)
  const members = countMembers(source)
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw malformed(errorPosition(error, source))
  }
  if (countKept(value) !== members)
    throw badText('', `has the member ${findRepeated(source)} twice. Send it once.`)
  // Lone surrogates, NUL and a disguised name can only occur as escapes.
  if (source.includes('\\u') || refusedNames.some((name) => source.includes(name))) checkTexts(value, '')
  return value
}

/** Names that reach an object's prototype where a program copies members carelessly. */
const refusedNames = ['__proto__', 'constructor']

const malformed = (where: string) =>
  new ApiError('invalid', `The body is not well-formed JSON${where}. Send one JSON object in UTF-8.`, {
    errors: { '': ['is not well-formed JSON.'] },
  })

function decode(bytes: Buffer): string {
  try {
    return decoder.decode(bytes)
  } catch {
    throw new ApiError('invalid', 'The body is not UTF-8. Encode it as UTF-8.', {
      errors: { '': ['is not UTF-8.'] },
    })
  }
}

/** Gives the position, never the text: it may be personal data. */
function errorPosition(error: unknown, source: string): string {
  const position = /at position (\d+)/.exec((error as Error).message)?.[1]
  if (position !== undefined) return ` at character ${position}`
  return source.trim() === '' ? ': it is blank' : ''
}

/** Returns the number of members of all objects: the colons outside texts. Throws for nesting deeper than the limit. */
function countMembers(source: string): number {
  let members = 0
  let depth = 0
  let inText = false
  for (let at = 0; at < source.length; at++) {
    const char = source.charCodeAt(at)
    if (inText) {
      if (char === 92) at++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
    else if (char === 58) members++
    else if (char === 123 || char === 91) {
      if (++depth > depthMax) {
        throw new ApiError(
          'invalid',
          `The body is nested deeper than ${depthMax} levels. Send a flatter one.`,
          {
            errors: { '': [`is nested deeper than ${depthMax} levels.`] },
          },
        )
      }
    } else if (char === 125 || char === 93) depth--
  }
  return members
}

/** The number of members that parsing kept; it keeps the last of equal names. */
function countKept(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  const members = Object.values(value)
  let count = Array.isArray(value) ? 0 : members.length
  for (const member of members) count += countKept(member)
  return count
}

/** The first name that an object has twice, in well-formed JSON. */
function findRepeated(source: string): string {
  const objects: Set<string>[] = []
  for (const [token, , colon] of source.matchAll(/"(?:[^"\\]|\\.)*"(\s*(:)|)|[{}[\]]/g)) {
    if (token === '{' || token === '[') objects.push(new Set())
    else if (token === '}' || token === ']') objects.pop()
    else if (colon !== undefined) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)) as string
      if (objects.at(-1)!.has(name)) return name.toWellFormed().slice(0, 100)
      objects.at(-1)!.add(name)
    }
  }
  return ''
}

function checkTexts(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw badText(path, 'has a NUL character or half a surrogate pair. Remove it.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const below = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      if (!Array.isArray(value) && refusedNames.includes(name))
        throw badText(path, `has a member named ${name}, which is not allowed.`)
      if (name.includes('\0') || !name.isWellFormed())
        throw badText(path, 'has a member whose name is not valid text.')
      checkTexts(member, below)
    }
  }
}

const badText = (path: string, message: string) =>
  new ApiError('invalid', `${path === '' ? 'The body' : path} ${message}`, { errors: { [path]: [message] } })
