import { ApiError } from './errors.ts'

const depthMax = 32
const decoder = new TextDecoder('utf-8', { fatal: true })

/**
 * Parses a JSON body. Throws a 400 for bytes that are not UTF-8, malformed JSON, nesting deeper than 32 (found before
 * parsing), a member `__proto__`, and texts with NUL or lone surrogates, which the database cannot store.
 */
export function parseJsonBody(bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined
  const source = decode(bytes)
  checkDepth(source)
  let value: unknown
  try {
    value = JSON.parse(source)
  } catch (error) {
    throw malformed(errorPosition(error, source))
  }
  // Lone surrogates, NUL and a disguised __proto__ can only occur as escapes.
  if (source.includes('\\u') || source.includes('__proto__')) checkTexts(value, '')
  return value
}

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

function checkDepth(source: string): void {
  let depth = 0
  let inText = false
  for (let at = 0; at < source.length; at++) {
    const char = source.charCodeAt(at)
    if (inText) {
      if (char === 92) at++
      else if (char === 34) inText = false
    } else if (char === 34) inText = true
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
}

function checkTexts(value: unknown, path: string): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed())
      throw badText(path, 'has a NUL character or half a surrogate pair. Remove it.')
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const below = Array.isArray(value) ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
      if (name === '__proto__') throw badText(path, 'has a member named __proto__, which is not allowed.')
      if (name.includes('\0') || !name.isWellFormed())
        throw badText(path, 'has a member whose name is not valid text.')
      checkTexts(member, below)
    }
  }
}

const badText = (path: string, message: string) =>
  new ApiError('invalid', `${path === '' ? 'The body' : path} ${message}`, { errors: { [path]: [message] } })
