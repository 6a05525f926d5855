/** What the explanation of a case tells beside its figures, in words: rules, rates, standstills and reversals. */
import type { ExplanationLine, ReversedLine, Standstill } from '../../contract/cases/case-explanation.ts'
import { toMidnight } from '../../core/calendar/date-time.ts'
import { citeRule, findPack } from '../../core/law/packs.ts'
import { describeRule, nameRule } from '../../core/law/rule-name.ts'
import type { ExplainedFigure, ExplanationLine as CoreLine } from '../../core/ledger/case-explanation.ts'
import { fromMinor } from '../../core/money/money.ts'
import { fillPlaceholders } from '../../core/text/fill-in.ts'
import { findText, texts as allTexts } from '../../core/text/texts.ts'
import { describeMovement } from '../claims/movement-text.ts'
import type { Db } from '../platform/database/transaction.ts'
import type { Reader } from '../platform/dictionary/reader.ts'
import type { PastDay } from './as-of/past-day.ts'
import * as store from './explanation-facts.store.ts'

interface Words {
  reader: Reader
  currency: string
}

type MoreOfLine = Partial<
  Pick<
    ExplanationLine,
    'referenceRate' | 'rounding' | 'note' | 'feeType' | 'lawRule' | 'lawSource' | 'overrideReason'
  >
>

export interface Told {
  /** The members of a line that name sources. */
  describeLine(line: CoreLine): MoreOfLine
  standstills: Standstill[]
  reversals: ReversedLine[]
}

export async function findTold(
  db: Db,
  caseGuid: string,
  { figures, day, ...words }: Words & { figures: readonly ExplainedFigure[]; day: PastDay | null },
): Promise<Told> {
  const lines = figures.flatMap((figure) => figure.lines)
  const series = new Set(lines.flatMap(({ interest }) => interest?.reference?.series ?? []))
  const rates = series.size === 0 ? [] : await store.findRateSources(db, [...series], day)
  const sources = new Map(rates.map((rate) => [`${rate.series} ${rate.from}`, rate]))
  const isFee = lines.some(({ rule }) => rule === 'FEE')
  const facts = isFee ? await store.findFeeFacts(db, caseGuid) : []
  const fees = new Map(facts.map((fee) => [fee.movementGuid, fee]))
  const hasInterest = lines.some(({ interest }) => interest !== undefined)
  const begun = hasInterest ? await store.findInterestStarts(db, caseGuid) : []
  const starts = new Map(begun.map(({ invoiceGuid, rule }) => [invoiceGuid, rule]))
  const standstills = await store.findStandstills(db, caseGuid, day)
  const reversals = await store.findReversals(db, caseGuid, day)
  return {
    describeLine: (line) => {
      if (line.interest) {
        const start = line.claim === null ? null : (starts.get(line.claim) ?? null)
        return describeInterest(line.interest, { sources, start }, words)
      }
      const fee = line.rule === 'FEE' && line.movementId !== null ? fees.get(line.movementId) : undefined
      return fee ? describeFee(fee, words) : {}
    },
    standstills: standstills.map((one) => describeStandstill(one, words)),
    reversals: reversals.map((one) => describeReversal(one, words)),
  }
}

function describeInterest(
  { reference, rounding }: NonNullable<CoreLine['interest']>,
  { sources, start }: { sources: ReadonlyMap<string, store.RateSource>; start: string | null },
  { reader: { language, formats }, currency }: Words,
): MoreOfLine {
  const texts = allTexts[language].ledger
  const notes: string[] = []
  const more: MoreOfLine = {}
  if (reference) {
    const { series, rate, points, from } = reference
    const found = sources.get(`${series} ${from}`)
    more.referenceRate = {
      series,
      ratePercent: Number(rate),
      marginPercent: Number(points),
      validFrom: toMidnight(from),
      source: found?.source ?? null,
      verified: found?.unverified === false,
    }
    const filled = {
      series,
      rate: formats.rate(rate),
      points: formats.rate(points),
      date: formats.day(from),
      source: found?.source ?? '–',
    }
    notes.push(fillPlaceholders(texts['interest.reference'], filled))
  }
  if (rounding !== 0n) {
    more.rounding = fromMinor(rounding, currency)
    const amount = formats.money(rounding, currency)
    notes.push(fillPlaceholders(texts['interest.rounding'], { amount }))
  }
  if (start !== null) notes.push(`${citeLaw(start, more, language)}.`)
  return notes.length === 0 ? more : { ...more, note: notes.join(' ') }
}

/** Sets the rule of a line and its source. Returns both in words. */
function citeLaw(rule: string, more: MoreOfLine, language: Reader['language']): string {
  more.lawRule = rule
  const country = rule.slice(0, 2)
  const found = findPack(country)?.rules.find(({ code }) => code === rule)
  if (!found) return nameRule(language, rule)
  more.lawSource = citeRule(country, found)
  return describeRule(language, found)
}

function describeFee(
  { feeType, rule, overrideReason, claims }: store.FeeFact,
  { reader: { language } }: Words,
): MoreOfLine {
  const notes: string[] = []
  const more: MoreOfLine = {}
  if (feeType !== null) {
    more.feeType = feeType
    notes.push(findText(language, 'lookup', `feetype.${feeType}`) ?? feeType)
  }
  const texts = allTexts[language].ledger
  if (claims !== null) notes.push(fillPlaceholders(texts['fee.together'], { count: String(claims) }))
  if (rule !== null) notes.push(citeLaw(rule, more, language))
  if (overrideReason !== null) {
    more.overrideReason = overrideReason
    notes.push(overrideReason)
  }
  return { ...more, ...(notes.length > 0 && { note: `${notes.join('. ')}.` }) }
}

const standstillKinds = ['HOLD', 'CLOSED', 'DISPUTE', 'INTEREST_PAUSE'] as const
const reasonLookups: Record<(typeof standstillKinds)[number], string | null> = {
  INTEREST_PAUSE: null,
  HOLD: 'holdreason',
  CLOSED: 'closurecode',
  DISPUTE: 'objectionkind',
}

function describeStandstill(
  { kind, reason, from, to }: store.StandstillFact,
  { reader: { language, formats } }: Words,
): Standstill {
  const texts = allTexts[language].ledger
  const why =
    reason === null ? '' : (findText(language, 'lookup', `${reasonLookups[kind]}.${reason}`) ?? reason)
  const text = to === null ? texts[`standstill.${kind}.open`] : texts[`standstill.${kind}`]
  return {
    kind,
    text: fillPlaceholders(text, {
      reason: why,
      from: formats.day(from),
      to: to === null ? '' : formats.day(to),
    }),
    reason,
    fromDate: toMidnight(from),
    toDate: to && toMidnight(to),
    stopsInterest: kind === 'CLOSED' || kind === 'INTEREST_PAUSE',
  }
}

function describeReversal(one: store.ReversalFact, { reader, currency }: Words): ReversedLine {
  const texts = allTexts[reader.language].ledger
  const { kind, movementGuid, paymentGuid, amount, date, reversedDate } = one
  const movement = describeMovement({ ...one, reversed: false }, currency, reader)
  return {
    kind,
    text: fillPlaceholders(texts.reversed, {
      movement,
      date: reader.formats.day(date),
      reversed: reader.formats.day(reversedDate),
    }),
    movementGuid,
    paymentGuid,
    amount: fromMinor(BigInt(amount), currency),
    date: toMidnight(date),
    reversedDate: toMidnight(reversedDate),
  }
}
