/** Compares what clients were told with what the trail says: each acknowledged change is there, once. */
import type { Attempt, RequestRecord, World } from '../world.ts'

interface Told {
  id: string
  entries: number
  types: string
  /** Kinds of records of which it made more than one. */
  repeated: string | null
}

export async function findClientFaults({ sql, requests }: World): Promise<string[]> {
  const rows = await sql<Told[]>`
    select request_id as id, sum(entries)::int as entries, string_agg(types, ', ') as types,
      string_agg(entity, ', ') filter (where made > 1) as repeated
    from (
      select request_id, entity, count(*) as entries, string_agg(action || ' ' || entity, ', ' order by position) as types,
        count(distinct entity_id) filter (where action in ('created', 'registered', 'proposed')) as made
      from audit_entry where request_id like 'sim-%' group by 1, 2) e
    group by 1`
  const told = new Map(rows.map((row) => [row.id, row]))
  const faults = requests.flatMap((request) => checkRequest(request, told))
  return [...faults, ...findSharedVersions(requests)]
}

const isSuccess = ({ status }: Attempt) => status !== undefined && status < 300
/** An answer that is repeated after the erasure of its personal data. */
const isErased = ({ status, body = '' }: Attempt) =>
  status === 404 && body.includes('The personal data in this answer was erased.')
const isTransient = (attempt: Attempt) => isPassing(attempt) || isErased(attempt)
const isPassing = ({ status, body = '' }: Attempt) =>
  status === undefined ||
  status === 429 ||
  status >= 500 ||
  (status === 409 && body.includes('idempotency-in-flight'))

function checkRequest(request: RequestRecord, told: ReadonlyMap<string, Told>): string[] {
  const { name, attempts, keyed, audited, method, path } = request
  const about = `${name} ${method} ${path} (${attempts[0]?.id})`
  // A service that failed has done nothing; it may be called again.
  const written = attempts.filter(({ id }) => told.has(id) && told.get(id)!.types !== 'failed service')
  const faults: string[] = []
  const answers = attempts.filter((attempt) => !isTransient(attempt))
  if (keyed) {
    if (written.length > 1)
      faults.push(
        `${about} was done ${written.length} times by one key: ${written.map(({ id }) => told.get(id)!.types).join(' | ')}.`,
      )
    const [first] = answers
    for (const other of answers) {
      const isSame =
        other.status === first!.status && (request.secret || isUnkept(first!) || sameBody(other, first!))
      if (!isSame)
        faults.push(`${about} was answered differently by one key: ${describe(first!)} | ${describe(other)}`)
    }
  }
  // Its transaction may have been run again after its commit.
  for (const { id } of audited === 'always' ? written : []) {
    const { repeated } = told.get(id)!
    if (repeated !== null) faults.push(`${about} made more than one ${repeated}.`)
  }
  if ((method === 'GET' || request.changesNothing) && written.length > 0)
    faults.push(`${about} is a read or a dry run and has changed something.`)
  if (audited === 'always') {
    if (keyed && answers.some(isSuccess) && written.length === 0)
      faults.push(`${about} was acknowledged and is not in the trail.`)
    if (!keyed)
      for (const attempt of answers.filter(isSuccess))
        if (!told.has(attempt.id)) faults.push(`${about} was acknowledged and is not in the trail.`)
  }
  for (const attempt of answers.filter((one) => !isSuccess(one) && one.replayed !== true)) {
    // A refresh token that is used again ends its session.
    if (told.has(attempt.id) && told.get(attempt.id)!.types !== 'revoked session')
      faults.push(
        `${about} was refused with ${attempt.status} and has changed something: ${told.get(attempt.id)!.types}.`,
      )
  }
  return faults
}

/** Who may not ask at all is refused before the key is looked at. */
const isUnkept = ({ status }: Attempt) => status === 401 || status === 403

const describe = ({ id, status, body = '' }: Attempt) => `${id} ${status} ${body.slice(0, 300)}`

/** A problem names the request that it answers, and a repetition gives the first answer. */
const sameBody = ({ body: one = '' }: Attempt, { body: other = '' }: Attempt) => one === other

/** Two changes on one version were never both taken. */
function findSharedVersions(requests: readonly RequestRecord[]): string[] {
  const taken = new Map<string, RequestRecord>()
  const faults: string[] = []
  for (const request of requests) {
    const { ifMatch, path, method, final } = request
    if (ifMatch === undefined || !final || !isSuccess(final) || method === 'GET') continue
    // What changes nothing keeps its version.
    if (final.etag === ifMatch) continue
    const key = `${path} ${ifMatch}`
    if (taken.has(key))
      faults.push(`Two changes of ${path} on version ${ifMatch} were both taken (${final.id}).`)
    taken.set(key, request)
  }
  return faults
}
