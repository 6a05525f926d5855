/** The shipped law packs, checked when they are loaded: a wrong pack stops the start. */
import de from '../../data/law/de.json' with { type: 'json' }
import dk from '../../data/law/dk.json' with { type: 'json' }
import eu from '../../data/law/eu.json' with { type: 'json' }
import fi from '../../data/law/fi.json' with { type: 'json' }
import is from '../../data/law/is.json' with { type: 'json' }
import no from '../../data/law/no.json' with { type: 'json' }
import se from '../../data/law/se.json' with { type: 'json' }
import type { LawPack, RuleOf, RuleSubject } from './pack.ts'
import { readPack } from './read-pack.ts'
import type { DebtorKind } from './terms.ts'

export const lawPacks: readonly LawPack[] = [se, no, dk, fi, de, is, eu].map(readPack)

const byCountry = new Map(lawPacks.map((pack) => [pack.country, pack]))

/** The pack of a country. Undefined when none is shipped. */
export const findPack = (country: string | null): LawPack | undefined =>
  country === null ? undefined : byCountry.get(country)

interface InForce {
  from: string | null
  to: string | null
}

export const isInForce = ({ from, to }: InForce, date: string): boolean =>
  (from === null || from <= date) && (to === null || date <= to)

/** The rule of a subject that applies to a debtor on a day. Proposed rules never apply. */
export function findRule<S extends RuleSubject>(
  country: string | null,
  subject: S,
  { date, debtor }: { date: string; debtor?: DebtorKind },
): RuleOf<S> | undefined {
  return findPack(country)?.rules.find(
    (rule): rule is RuleOf<S> =>
      rule.subject === subject &&
      rule.status !== 'proposed' &&
      isInForce(rule, date) &&
      (rule.debtor === undefined || rule.debtor === 'all' || debtor === undefined || rule.debtor === debtor),
  )
}

/** The title of a rule's source with its paragraph, as shown beside an answer. */
export function citeRule(
  country: string,
  { source, paragraph }: { source: string; paragraph: string },
): string {
  const title = findPack(country)?.sources[source]?.title ?? source
  return paragraph === '' ? title : `${title}, ${paragraph}`
}
