/** Checks a law pack: each rule's members, and that the versions of a rule and of a fee neither overlap nor leave a gap. */
import {
  agreements,
  anchors,
  answeredMatters,
  circumstances,
  dayCounts,
  ruleStatuses,
  type LawPack,
  type PackFee,
  type RuleSubject,
} from './pack.ts'

const isDay = (value: unknown) => value === null || (typeof value === 'string' && dayPattern.test(value))
const isDays = (value: unknown) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 3660
const isText = (value: unknown) => typeof value === 'string' && value.length > 0
const isDecimal = (value: unknown) => typeof value === 'string' && /^\d+(\.\d{1,4})?$/.test(value)
const isBound = (value: unknown) => value === null || isDecimal(value)
const isOptional = (check: Check) => (value: unknown) => value === undefined || check(value)
const isAmong =
  (values: readonly unknown[]): Check =>
  (value) =>
    values.includes(value)
const isListWith =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.length > 0 && value.every(check)
const isFlag = (value: unknown) => typeof value === 'boolean'
const isAction = (value: unknown) =>
  typeof value === 'string' && /^(fee|letter|contact|status):(\*|\w+)$/.test(value)
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const dayPattern = /^\d{4}-\d{2}-\d{2}$/

type Check = (value: unknown) => boolean
type Shape = Record<string, Check>

const debtors = ['consumer', 'business', 'all']
const common: Shape = {
  code: (value) => typeof value === 'string' && /^[A-Z]{2}(-[A-Z]+)+$/.test(value),
  from: isDay,
  to: isDay,
  debtor: isOptional(isAmong(debtors)),
  override: isOptional(isFlag),
  source: isText,
  paragraph: (value) => typeof value === 'string',
  status: isAmong(ruleStatuses),
  text: isText,
}
const about: Shape = { ...common, actions: isListWith(isAction) }
const isLater: Check = (value) =>
  isRecord(value) && isAmong(anchors)(value['after']) && isDays(value['days']) && isDecimal(value['factor'])
const isFewer: Check = (value) => isRecord(value) && isDecimal(value['upTo']) && isDays(value['most'])
const isStage: Check = (value) =>
  isRecord(value) &&
  isText(value['stage']) &&
  isOptional(isAmong(anchors))(value['after']) &&
  isOptional(isDays)(value['days']) &&
  isOptional(isDays)(value['untitledInstalmentsAbove'])

const shapes: Record<RuleSubject, Shape> = {
  waiting: {
    ...about,
    after: isAmong(anchors),
    days: isDays,
    missing: isAmong(['refused', 'allowed']),
    titled: isOptional(isAmong(['allowed'])),
    validMonths: isOptional(isDays),
  },
  spacing: { ...about, days: isDays },
  count: { ...about, most: isDays, each: isFlag, fewer: isOptional(isFewer) },
  ceiling: {
    ...about,
    fee: isText,
    sum: isOptional(isListWith(isText)),
    stages: isOptional(isListWith(isStage)),
    instalmentsAbove: isOptional(isDays),
  },
  total: { ...about, fees: isListWith(isText), fee: isText, enforceable: isText },
  offset: { ...about, compensation: isText },
  scale: {
    ...about,
    fees: isListWith(isText),
    factor: isDecimal,
    later: isOptional(isLater),
    valueShare: isOptional(isDecimal),
  },
  others: { ...common, allowed: isListWith(isText) },
  agreement: { ...about, what: isAmong(agreements) },
  circumstance: { ...about, circumstance: isAmong(circumstances), guardian: isOptional(isFlag) },
  deadline: { ...about, days: isDays },
  dayCount: { ...common, basis: isAmong(dayCounts) },
  margin: { ...common, points: isDecimal },
  interestStart: {
    ...common,
    after: isAmong(['invoice', 'invoiceAndDueDate']),
    days: (value) => value === null || isDays(value),
    months: isOptional(isDays),
  },
  rateChange: {
    ...common,
    months: isListWith((value) => isDays(value) && Number(value) <= 12),
    ahead: isOptional(isDays),
  },
  limitation: {
    ...common,
    claim: isText,
    years: isDays,
    fromYearEnd: isOptional(isFlag),
    fromOrigin: isOptional(isFlag),
    anew: isRecord,
    anewInWriting: isOptional(isDays),
    final: isOptional(isRecord),
  },
  bundling: { ...about, principal: isAmong(['joint', 'own']) },
  answer: {
    ...common,
    matters: isListWith(isAmong(answeredMatters)),
    days: (value) => value === null || isDays(value),
  },
  assessment: { ...about, what: isAmong(['hardship']), claims: isListWith(isText) },
  contact: { ...about, weekdays: isText, saturdays: isText },
}
const feeShape: Shape = {
  type: isText,
  debtor: isAmong(debtors),
  currency: (value) => typeof value === 'string' && /^[A-Z]{3}$/.test(value),
  from: isDay,
  to: isDay,
  above: isBound,
  upTo: isBound,
  amount: isBound,
  second: (value) => value === undefined || isBound(value),
  perStarted: isOptional(isDecimal),
  stage: isOptional((value) => value === null || isText(value)),
  creditorDeductsVat: isOptional((value) => value === null || isFlag(value)),
  condition: isOptional((value) => value === null || isText(value)),
  source: isText,
  unverified: isFlag,
}

/** Checks a pack. Throws a RangeError that names the pack, the rule and the member, gap or overlap. */
export function readPack(given: unknown): LawPack {
  if (!isRecord(given) || !isText(given['country'])) throw new RangeError('A law pack names its country.')
  const pack = given as unknown as LawPack
  const fail = (what: string): never => {
    throw new RangeError(`The law pack ${pack.country} ${what}`)
  }
  for (const member of ['name', 'asOf'] as const) if (!isText(pack[member])) fail(`lacks ${member}.`)
  if (!isRecord(pack.sources) || !Array.isArray(pack.rules) || !Array.isArray(pack.fees))
    fail('lacks sources, rules or fees.')
  for (const rule of pack.rules) {
    const shape = shapes[rule.subject] ?? fail(`has a rule of the unknown subject ${String(rule.subject)}.`)
    checkShape({ ...rule, subject: undefined }, shape, `in the rule ${rule.code}`, fail)
    if (!rule.code.startsWith(`${pack.country}-`)) fail(`has a rule of another country: ${rule.code}.`)
    if (!pack.sources[rule.source]) fail(`names no source ${rule.source} of the rule ${rule.code}.`)
    if (rule.status === 'verified' && pack.sources[rule.source]!.seen === null)
      fail(`calls the rule ${rule.code} verified, but nobody has read its source.`)
  }
  for (const [code, versions] of Map.groupBy(pack.rules, (rule) => rule.code))
    checkVersions(versions, `the rule ${code}`, fail)
  for (const fee of pack.fees) {
    checkShape({ ...fee }, feeShape, `in the fee ${fee.type}`, fail)
    if (!pack.sources[fee.source]) fail(`names no source ${fee.source} of the fee ${fee.type}.`)
    if (!fee.unverified && pack.sources[fee.source]!.seen === null)
      fail(`calls the fee ${fee.type} verified, but nobody has read its source.`)
  }
  for (const [slot, versions] of Map.groupBy(pack.fees, feeSlot))
    checkVersions(versions, `the fee ${slot}`, fail)
  return pack
}

const feeSlot = ({ type, debtor, currency, above, upTo, stage, creditorDeductsVat, condition }: PackFee) =>
  [type, debtor, currency, above, upTo, stage, creditorDeductsVat, type === 'paymentPlan' ? condition : null]
    .filter((part) => part !== null && part !== undefined)
    .join(' ')

function checkShape(
  given: Record<string, unknown>,
  shape: Shape,
  where: string,
  fail: (what: string) => never,
): void {
  for (const [member, check] of Object.entries(shape))
    if (!check(given[member])) fail(`has a wrong ${member} ${where}: ${JSON.stringify(given[member])}.`)
  for (const member of Object.keys(given))
    if (given[member] !== undefined && !Object.hasOwn(shape, member))
      fail(`has an unknown ${member} ${where}.`)
}

/** The versions of a rule follow each other day by day. */
function checkVersions(
  versions: readonly { from: string | null; to: string | null }[],
  what: string,
  fail: (what: string) => never,
): void {
  const sorted = versions.toSorted((a, b) => ((a.from ?? '') < (b.from ?? '') ? -1 : 1))
  for (const [index, { from, to }] of sorted.entries()) {
    if (from !== null && to !== null && to < from) fail(`ends ${what} on ${to}, before it begins on ${from}.`)
    const next = sorted[index + 1]
    if (!next) continue
    if (to === null || next.from === null || next.from <= to)
      fail(`has two versions of ${what} on ${next.from ?? 'every day'}: an overlap.`)
    if (next.from !== dayAfter(to!)) fail(`has no version of ${what} from ${dayAfter(to!)}: a gap.`)
  }
}

const dayAfter = (day: string): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
