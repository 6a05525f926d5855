/** What the service refuses in a handler's everyday work has words in `data/refusals.json`, which the texts translate. */
import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findRefusal } from '../core/text/refusals.ts'

/** Where handlers and those who lead them work all day, by screens that send what these rooms check. */
const everyday = [
  'cases',
  'collection/letters',
  'parties',
  'plans',
  'treasury/held-files',
  'treasury/bank-files',
  'work',
]

/** Their callers are programs: the console does not send what they refuse, or offers only what is taken. */
const forPrograms = [
  /caseGuid|lawReviewGuid|currencyCode|feeCurrencyCode|demandedAlone|asOf|Content-Type|GUID|access code/,
  /must be left out|Leave it out|is only for|cannot be cleared|FORDRA_/,
  /^17 Nothing of the file was booked/,
  /^(must be more than dots|must be LEGAL|of the first debtor|Send the file|is required. Send)/,
  // The detail of a fault that a field says too.
  /^\w+ 17$/,
  /can no longer be corrected|that was demanded with others/,
]

const refusingCall =
  /(?:new ApiError\(\s*'[\w-]+',|new BadPaymentFile\(|\.add\(\s*[^,'`]+,|ruleError\(\s*[^,]+,)\s*(['`])/g

/** The messages that the code of a room refuses with; a place filled at run time becomes 17. */
function listMessages(room: string): { file: string; message: string }[] {
  return readdirSync(join('server', room), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap((file) => {
      const source = readFileSync(join('server', room, file), 'utf8')
      return [...source.matchAll(refusingCall)].map((call) => ({
        file: `${room}/${file}`,
        message: readLiteral(source, call.index + call[0].length, call[1]!),
      }))
    })
}

function readLiteral(source: string, from: number, quote: string): string {
  let text = ''
  for (let at = from, depth = 0; source[at] !== quote || depth > 0; at++) {
    if (source.startsWith('${', at)) {
      if (depth === 0) text += '17'
      depth++
    } else if (depth > 0 && source[at] === '}') depth--
    else if (depth === 0 && source[at] !== '\\') text += source[at]
  }
  return text
}

test('a refusal of everyday work has words in each language', () => {
  const all = everyday.flatMap(listMessages)
  assert.ok(all.length > 70, `${all.length} messages`)
  const without = all.filter(
    ({ message }) => !findRefusal(message) && !forPrograms.some((program) => program.test(message)),
  )
  assert.deepEqual(without, [])
})
