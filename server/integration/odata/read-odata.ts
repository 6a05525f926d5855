/** Reads what /odata gives: pages, single entities and counts. */
import { isGuid } from '../../../core/text/guid.ts'
import type { FastifyRequest } from 'fastify'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { readKeysetPage, type KeysetPage } from '../../platform/database/lists/keyset-page.ts'
import { listRows } from '../../platform/database/list.ts'
import type { Caller } from '../../platform/http/caller.ts'
import type { Property } from '../../platform/odata/properties.ts'
import { toEntity } from './csdl.ts'
import type { EntitySet } from './entity-sets.ts'
import { contentType, negotiate, readPageSize } from './negotiate.ts'
import { badOption, ODataFailure } from './odata-failure.ts'
import * as options from './query-options.ts'

export interface ODataRequest {
  service: ServerContext
  caller: Caller
  set: EntitySet
  /** The absolute address of the service. */
  root: string
  query: Record<string, unknown>
}

export interface ODataAnswer {
  body: object
  headers: Record<string, string>
}

export async function readCollection(asked: ODataRequest, request: FastifyRequest): Promise<ODataAnswer> {
  const { set, root, query } = asked
  const raw = options.checkOptions(query)
  const level = negotiate(request, raw['$format'])
  const wanted = options.readOptions(raw, set.properties)
  const size = readPageSize(request)
  const top = Math.min(wanted.top ?? Infinity, size.rows)
  const [{ rows, next }, total] = await Promise.all([
    readPage(asked, { ...wanted, top }),
    wanted.count ? countRows(asked, wanted.$filter) : undefined,
  ])
  const left = wanted.top === undefined ? undefined : wanted.top - rows.length
  const goesOn = next !== undefined && left !== 0
  const members = wanted.select ?? [...set.properties.values()]
  return {
    body: {
      ...(level !== 'none' && {
        '@odata.context': `${root}/$metadata#${set.set}${selection(wanted.select)}`,
      }),
      ...(total !== undefined && { '@odata.count': total }),
      value: rows.map((row) => toEntity(row, members)),
      ...(goesOn && {
        '@odata.nextLink': `${root}/${set.set}?${options.writeNextQuery(raw, options.writeToken(next, wanted.$orderby), left)}`,
      }),
    },
    headers: {
      'content-type': contentType(level),
      ...(size.applied && { 'preference-applied': `odata.maxpagesize=${size.rows}` }),
    },
  }
}

const selection = (select: readonly Property[] | undefined) =>
  select === undefined ? '' : `(${select.map(({ name }) => name).join(',')})`

async function readPage(
  { service, caller, set }: ODataRequest,
  wanted: options.QueryOptions & { top: number },
): Promise<KeysetPage> {
  const { kind, properties, select } = set
  try {
    return await readKeysetPage(
      service.totals.pool ?? service.sql,
      { source: kind.source, visible: kind.visible(caller) },
      wanted,
      { properties, select, today: service.clock.today() },
    )
  } catch (error) {
    if (wanted.after !== undefined && options.isWrongToken(error)) throw options.wrongToken()
    throw error
  }
}

export async function readEntity(
  asked: ODataRequest,
  request: FastifyRequest,
  key: string,
): Promise<ODataAnswer> {
  const { set, root, query } = asked
  const raw = options.checkOptions(query, options.ofEntities)
  const level = negotiate(request, raw['$format'])
  if (!isGuid(key)) throw badOption('key', `write ${set.set}(GUID), without quotes.`)
  const { select } = options.readOptions(raw, set.properties)
  const filter = `${set.key.name} eq ${key.toLowerCase()}`
  const { rows } = await readPage(asked, { $filter: filter, skip: 0, top: 1, count: false })
  const [row] = rows
  if (!row)
    throw new ODataFailure(404, 'not-found', 'There is no such entity, or it is outside what you may see.')
  const context = `${root}/$metadata#${set.set}${selection(select)}/$entity`
  return {
    body: {
      ...(level !== 'none' && { '@odata.context': context }),
      ...toEntity(row, select ?? set.properties.values()),
    },
    headers: { 'content-type': contentType(level) },
  }
}

/** The number of entities, as text. */
export async function readCount(asked: ODataRequest): Promise<string> {
  const raw = options.checkOptions(asked.query, options.ofCounts)
  return String(await countRows(asked, raw['$filter']))
}

/** Counted as for the lists of the API, which remember totals. */
async function countRows(
  { service, caller, set }: ODataRequest,
  $filter: string | undefined,
): Promise<number> {
  const { sql, totals, clock } = service
  const { kind, properties } = set
  const page = await listRows(
    sql,
    kind.source,
    kind.visible(caller),
    { ...($filter !== undefined && { $filter }), $top: 0 },
    { totals, today: clock.today(), customFields: properties },
  )
  return page.total
}
