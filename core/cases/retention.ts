/**
 * How long records of a closed case must be kept before their personal data may be erased. Bookkeeping is the
 * legal obligation that article 17(3)(b) of Regulation (EU) 2016/679 excepts from erasure. Years count from
 * the end of the calendar year.
 *
 * Sources: SE bokföringslag (1999:1078) 7 kap. 2 §, 7; NO bokføringsloven (2004-11-19-73) § 13, 5; DK
 * bogføringsloven (lov 700 of 2022) § 12, 5; FI kirjanpitolaki (1336/1997) 2 luku 10 §, 10 for the books; DE
 * HGB § 257 (4) and AO § 147 (3), 10 for the books; IS lög um bókhald (145/1994) 20. gr., 7.
 *
 * Unverified: SE is as quoted by zentralen.se and by Skatteverket (seven years), NO as quoted by
 * deloitte.com/no, the others are from memory. The statutes themselves were not read. Not legal advice.
 */
const years: Readonly<Record<string, number>> = { SE: 7, NO: 5, DK: 5, FI: 10, DE: 10, IS: 7 }
const longest = 10

/**
 * The last day, YYYY-MM-DD, on which records of a case closed on `closureDate` must be kept. Unknown
 * countries use the longest period.
 */
export const keptUntil = (closureDate: string, countryCode: string | null): string =>
  `${Number(closureDate.slice(0, 4)) + (years[countryCode ?? ''] ?? longest)}-12-31`
