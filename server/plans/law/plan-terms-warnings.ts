/** Tells where the plan terms of a client ask more than the law of the client's country allows. */
import { locales } from '../../../contract/platform/languages.ts'
import { addDays } from '../../../core/calendar/calendar.ts'
import type { DebtorKind } from '../../../core/law/terms.ts'
import { imagineCase, type LegalCase } from '../../../core/law/legal-case.ts'
import type { Verdict } from '../../../core/law/verdict.ts'
import { readAmount } from '../../../core/money/money.ts'
import { fillPlaceholders } from '../../../core/text/fill-in.ts'
import { findText, texts } from '../../../core/text/texts.ts'
import { describeRefusal } from '../../ledger/lawful-fees.ts'
import { findFeeTables } from '../../ledger/legal-cases.store.ts'
import { effectiveSettings, type Environment } from '../../metadata/system/system-settings.changes.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { runStatement } from '../../platform/database/statement.ts'
import { findReader, type Reader } from '../../platform/dictionary/reader.ts'
import type { Caller } from '../../platform/http/caller.ts'
import {
  findCountry,
  resolvePlanDefaults,
  termsByClient,
  type PlanTermsFound,
} from '../plan-defaults.store.ts'
import { judgePlanFees, planFeeNames, type PlanFeeName, type PlanLaw } from './lawful-plan-fees.ts'

/** Fees that are not stored yet. What is null or left out counts as it is stored. */
export type AskedFees = { readonly [N in PlanFeeName]?: number | null | undefined }

interface ClientFees {
  country: string
  currency: string
  today: string
  fees: Record<PlanFeeName, bigint>
}

/**
 * One line for each fee beyond the law, in the caller's language. Null where there is none, and where no law of the
 * country is known. A plan itself has at most what the law of its case allows.
 */
export async function warnOfPlanFees(
  db: Db,
  { language }: Pick<Caller, 'language'>,
  { clientGuid, asked }: { clientGuid: string; asked: AskedFees },
  environment: Environment,
): Promise<string | null> {
  const client = await findClientFees(db, clientGuid, asked, environment)
  const tables = await findFeeTables(db, [client.country], client.today)
  const laws = (['consumer', 'business'] as const).map((debtor) => ({
    debtor,
    law: judgePlanFees(largeClaim(client, debtor), tables(client.country), { date: client.today }),
  }))
  const reader = findReader(language)
  const lines = planFeeNames.flatMap((name) => describeFee(name, client, { laws, reader }))
  if (lines.length === 0) return null
  const names = new Intl.DisplayNames([locales[language]], { type: 'region' })
  const country = names.of(client.country) ?? client.country
  return [fillPlaceholders(texts[language].law.planTerms, { country }), ...lines].join('\n')
}

/** So large that the table leaves most, overdue and demanded: what such a claim may not cost, no claim may. */
const largeClaim = ({ country, currency, today }: ClientFees, debtor: DebtorKind): LegalCase => ({
  ...imagineCase({ country, currency, debtor, principal: 10n ** 13n, dueDate: addDays(today, -1) }),
  letters: [{ kind: 'demand', date: addDays(today, -1), due: addDays(today, -1) }],
})

interface Laws {
  laws: readonly { debtor: DebtorKind; law: PlanLaw }[]
  reader: Reader
}

/** One line where the law says the same of all debtors, else one for each kind that is refused. */
/** As many payments as a plan may have: a longer plan may cost more. */
const longest = 600

function describeFee(name: PlanFeeName, { fees, currency }: ClientFees, { laws, reader }: Laws): string[] {
  const { language } = reader
  if (fees[name] === 0n) return []
  const label = findText(language, 'field', `client.${name}`, name)!
  const describe = (verdict: Verdict) => describeRefusal(verdict, { reader, currency })
  const refused = laws.flatMap(({ debtor, law }) => {
    const verdict = law.judge(name, fees[name], name === 'registrationFee' ? longest : null)
    return law.refuses(name, verdict) ? [{ debtor, told: describe(verdict) }] : []
  })
  if (refused.length === laws.length && new Set(refused.map(({ told }) => told)).size === 1)
    return [`${label}: ${refused[0]!.told}`]
  return refused.map(({ debtor, told }) => {
    const kind = findText(language, 'lookup', `debtorkind.${debtor.toUpperCase()}`)!
    return `${label} (${kind}): ${told}`
  })
}

async function findClientFees(
  db: Db,
  clientGuid: string,
  asked: AskedFees,
  environment: Environment,
): Promise<ClientFees> {
  const [row] = await runStatement<PlanTermsFound & { today: string }>(
    db,
    `select ${termsByClient('select $1::uuid')} as "byClient", (select settings from system_setting) as settings,
       (select business_date from business_clock) as today`,
    [clientGuid],
  )
  const { today, ...found } = row!
  const currency =
    found.byClient[clientGuid]!.find(({ currencyCode }) => currencyCode !== null)?.currencyCode ??
    effectiveSettings(found.settings, environment).currencyCode ??
    environment.currencyCode
  const stored = resolvePlanDefaults(found, { clientGuid, currencyCode: currency }, environment)
  const amount = (name: PlanFeeName): bigint => {
    const read = readAmount(asked[name] ?? 0, currency)
    return typeof asked[name] === 'number' && read.ok ? read.minor : stored[name]
  }
  const fees = {
    registrationFee: amount('registrationFee'),
    invoiceFee: amount('invoiceFee'),
    reminderFee: amount('reminderFee'),
  }
  return { country: findCountry(found, clientGuid, environment), currency, today, fees }
}
