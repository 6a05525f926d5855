/** The installation's custom fields and overrides, cached: a change on one node reaches the others within a second. */
import type { Sql } from '../database/driver/pool.ts'
import { customFieldSchema, type CustomField } from './custom-field.ts'
import { listCustomFields } from './custom-fields.store.ts'

const cacheMs = 900
const none: readonly CustomField[] = []

export class CustomFields {
  readonly #sql: Sql
  #read: Promise<ReadonlyMap<string, readonly CustomField[]>> | undefined
  #until = 0
  /** The same arrays while nothing changed, so that derived values can be cached. */
  #text = ''
  #known: ReadonlyMap<string, readonly CustomField[]> = new Map()
  #schemas: { of: object; map: ReadonlyMap<string, Record<string, object>> } | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async of(entity: string): Promise<readonly CustomField[]> {
    return (await this.all()).get(entity) ?? none
  }

  all(): Promise<ReadonlyMap<string, readonly CustomField[]>> {
    if (this.#read && Date.now() < this.#until) return this.#read
    const read = this.#load()
    this.#read = read
    this.#until = Date.now() + cacheMs
    read.catch(() => (this.#until = 0))
    return read
  }

  /** The schemas of custom fields by entity. The same map while nothing changed. */
  async schemas(): Promise<ReadonlyMap<string, Record<string, object>>> {
    const all = await this.all()
    if (this.#schemas?.of === all) return this.#schemas.map
    const map = new Map<string, Record<string, object>>()
    for (const [entity, rows] of all) {
      const own = rows.filter(({ type, hidden }) => type !== null && !hidden)
      if (own.length > 0)
        map.set(entity, Object.fromEntries(own.map((row) => [row.code, customFieldSchema(row)])))
    }
    this.#schemas = { of: all, map }
    return map
  }

  /** Invalidates the cache: the next reader queries the database. */
  forget(): void {
    this.#until = 0
  }

  async #load(): Promise<ReadonlyMap<string, readonly CustomField[]>> {
    const rows = await listCustomFields(this.#sql)
    const text = JSON.stringify(rows)
    if (text === this.#text) return this.#known
    this.#known = Map.groupBy(rows, ({ entity }) => entity)
    this.#text = text
    return this.#known
  }
}
