/** What is known of the order of texts in a database, the collation `fordra_order`. */
import type { Sql } from '../driver/pool.ts'

/**
 * Languages in whose order no text that begins with a prefix sorts before the prefix (`boundOfPrefix`). In Welsh one
 * does: Ng is a letter between G and H. Maltese and Chinese have such cases too.
 */
export const prefixFirstLanguages: ReadonlySet<string> = new Set(
  'sv nb nn no da fi is fo de en nl fr et lv lt pl es it pt'.split(' '),
)

export async function doPrefixesSortFirst(sql: Sql): Promise<boolean> {
  // The locale's column is called differently from version to version.
  const [row] = await sql<{ locale: string | null }[]>`
    select coalesce(to_jsonb(c) ->> 'colllocale', to_jsonb(c) ->> 'colliculocale', collcollate) as locale
    from pg_collation c where collname = 'fordra_order' and collprovider = 'i'`
  return prefixFirstLanguages.has(row?.locale?.split(/[-_]/)[0] ?? '')
}
