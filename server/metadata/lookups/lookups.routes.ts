import * as contract from '../../../contract/metadata/lookups.ts'
import type { LookupValue } from '../../../contract/metadata/lookups.ts'
import type { Db } from '../../platform/database/transaction.ts'
import { requireAccess } from '../../access/serve/admit.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { ApiError } from '../../platform/http/errors.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import type { LookupMatch, Lookup } from './lookup.ts'
import { findLookup, lookupCodes } from './registry.ts'

/** `installed` has the lookups whose values depend on the installation, by code. */
export function serveLookups(service: ServerContext, installed: Readonly<Record<string, Lookup>>): void {
  const brought = new Map(Object.entries(installed))
  const requireLookup = async (db: Db, caller: Caller, code: string) =>
    brought.get(code.toLowerCase()) ?? requireBuiltIn(db, caller, code)

  serve(service, contract.searchLookup, async ({ db, caller, params, body }) => {
    const lookup = await requireLookup(db, caller, params.lookupcode)
    const found = await lookup.search({ db, caller }, body.searchStr ?? '', body.arguments ?? [])
    return { body: { values: toLookupValues(params.lookupcode, found) } }
  })

  serve(service, contract.getLookupValue, async ({ db, caller, params }) => {
    const lookup = await requireLookup(db, caller, params.lookupcode)
    const found = await lookup.find({ db, caller }, params.key)
    return { body: { values: toLookupValues(params.lookupcode, found ? [found] : []) } }
  })
}

const toLookupValues = (code: string, found: readonly LookupMatch[]): LookupValue[] =>
  found.map(({ key, description }) => ({
    lookupCode: code.toLowerCase(),
    lookupKey: key,
    description,
  }))

async function requireBuiltIn(db: Db, caller: Caller, code: string): Promise<Lookup> {
  const lookup = await findLookup(db, code)
  if (!lookup) {
    throw new ApiError(
      'not-found',
      `There is no such lookup. There are ${lookupCodes.join(', ')}, and those that the installation defined.`,
    )
  }
  if (lookup.access) requireAccess({ access: lookup.access }, caller)
  return lookup
}
