/** Read from the rules' table of ISO 4217 while the console is built: browsers count some currencies in another way. */
import { currenciesWith } from '../../../core/identity/codes.ts'

const most = 4
const counts = Array.from({ length: most + 1 }, (_, count) => count).filter((count) => count !== 2)

/** The decimals of each currency that does not have two. */
export const unusualDecimals: Readonly<Record<string, number>> = Object.fromEntries(
  counts.flatMap((count) => currenciesWith(count).map((currency) => [currency, count])),
)
