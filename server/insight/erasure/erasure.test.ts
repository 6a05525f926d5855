/** An erasure leaves nothing of a person in any table or file, the audit trail verifies, and a restore cannot undo it. */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Sql } from '../../platform/database/driver/pool.ts'
import type { AuditEntry } from '../../../contract/insight/audit.ts'
import { startApi, type TestApi } from '../../testing/api.ts'
import { makeCamt } from '../../testing/records/files.ts'
import { openTestDatabase } from '../../testing/database.ts'
import { listTables, quoteName } from '../../platform/backups/archive.ts'
import { checkArchive, restoreArchive } from '../../platform/backups/restore-backup.ts'
import { writeBackup } from '../../platform/backups/write-backup.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { sealAudit } from '../../platform/events/audit-seal.ts'
import { verifyAnchor } from '../../platform/events/verify-anchor.ts'
import { verifyLedger } from '../../ledger/verify-ledger.ts'
import { replayErasures } from './erasure.routes.ts'

const folder = mkdtempSync(join(tmpdir(), 'fordra-erasure-'))
const anchorFolder = join(folder, 'anchor')
let api: TestApi
before(async () => {
  api = await startApi({ FORDRA_SERVICES: '', FORDRA_ANCHOR: anchorFolder })
  await api.setDate('2026-06-15')
})
after(async () => {
  await api.close()
  rmSync(folder, { recursive: true })
})

/** Words that stand nowhere else. */
const canaries = [
  'Kanariefågel',
  'Sparvhök',
  'domherre@example.org',
  '701740605',
  '121212121212',
  'Papegojgatan',
  'told by a bullfinch',
  'seen by a magpie',
  'heard from a jay',
  'told on the telephone',
  'to be asked about a thrush',
  'a debt of the nuthatch',
  'a receipt of the treecreeper',
  'as the wren wrote',
  'as the starling found',
  'asked as the dunnock did',
  'withdrawn by the linnet',
  'pasted by the pipit',
]
/** Texts of tables in which the search is by words. */
const folded = ['kanariefagel', 'sparvhok', 'domherre']

/** Where a canary is found: `table.column: canary`. */
async function findCanaries(sql: Sql): Promise<string[]> {
  const found: string[] = []
  for (const { table, columns } of await listTables(sql)) {
    for (const column of columns) {
      const rows = await sql.unsafe<{ canary: string }[]>(
        `select canary from unnest($1::text[]) canary where exists (
           select from ${quoteName(table)} t
           where strpos(t."${column}"::text, canary) > 0)`,
        [[...canaries, ...folded]],
      )
      found.push(...rows.map(({ canary }) => `${table}.${column}: ${canary}`))
    }
    const bytes = await sql<{ name: string }[]>`
      select a.attname::text as name from pg_attribute a
      where a.attrelid = ${table}::regclass and a.atttypid = 'bytea'::regtype and not a.attisdropped`
    for (const { name } of bytes) {
      const rows = await sql.unsafe<{ canary: string }[]>(
        `select canary from unnest($1::text[]) canary where exists (
           select from ${quoteName(table)} t where position(convert_to(canary, 'UTF8') in t."${name}") > 0)`,
        [canaries],
      )
      found.push(...rows.map(({ canary }) => `${table}.${name}: ${canary}`))
    }
  }
  return found
}

function findInFiles(): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.tar'))
    .flatMap((entry) => {
      const text = readFileSync(join(entry.parentPath, entry.name), 'utf8')
      return canaries.filter((canary) => text.includes(canary)).map((canary) => `${entry.name}: ${canary}`)
    })
}

const post = async (path: string, body: object, key?: string) => {
  const answer = await api.call<Record<string, string>>('POST', path, {
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
  assert.ok(answer.status < 300, answer.text)
  return answer.body
}

const person = {
  firstname: 'Kanariefågel',
  lastname: 'Tillfällig',
  idNumber: '19121212-1212',
  email: 'domherre@example.org',
  cellularPhone: '+46701740605',
  street: 'Papegojgatan',
  city: 'Lund',
  countryCode: 'SE',
}

/** A debtor with everything that keeps a copy of personal data. */
async function makeDebtor(): Promise<string> {
  const { debtorGuid } = await post('/debtors', person, 'made-once')
  const path = `/debtors/${debtorGuid!}`
  await api.call('PATCH', path, { body: { lastname: 'Sparvhök' } })
  await post(`${path}/addresses`, { addressType: 'LEGAL', street: 'Papegojgatan', city: 'Lund' }, 'address')
  await post(`${path}/extrafields`, { name: 'hint', value: ['told by a bullfinch'] }, 'field')
  const { noteGuid } = await post(
    `/system/forms/note/create?id=${debtorGuid!}`,
    { text: 'seen by a magpie' },
    'note',
  )
  await api.call('DELETE', `/system/forms/note/edit?id=${debtorGuid!}&subId=${noteGuid!}`)
  await post(`/system/forms/note/create?id=${debtorGuid!}`, { text: 'heard from a jay' })
  const gone = await attach(path)
  await api.call('DELETE', `/attachments/${gone}`)
  await attach(path)
  await makeCase(debtorGuid!)
  await api.call('POST', `${path}/services/personal-data-export`, { body: {} })
  await api.sql`
    insert into message (id, kind, channel, recipient, language, subject, expires_at, debtor_id)
    values (gen_random_uuid(), 'service', 'email', 'domherre@example.org', 'sv', 'Dear Sparvhök', now() + interval '1 day',
      ${debtorGuid!})`
  const file = '0190a6f2-7c1e-7d3a-8b4e-2f6a1c9d5e70'
  await api.sql`
    insert into uploaded_file (id, what, source, file_name, has_rejected) values (${file}, 'debtors', 's', 'f.csv', true)`
  await api.sql`
    insert into uploaded_part (file_id, kind, number, content)
    values (${file}, 'rejected', 1, ${Buffer.from('Sparvhök;domherre@example.org;duplicate\n')}),
      (${file}, 'rejected-rows', 1, ${Buffer.from('Sparvhök;domherre@example.org;121212121212\n')})`
  await uploadRows(`lastname;firstname;email\nSparvhök;Kanariefågel;domherre@example.org\n`, 'Sparvhök.csv')
  const name = "fullName eq 'Sparvhök'"
  await api.sql`
    insert into job_run (id, kind, name, payload, attempts_max, status) values (${file}, 'bulk', 'note', '{}', 1, 'completed')`
  await api.sql`
    insert into bulk_action (id, list, action, filter, input, expected, asked_by, job_id)
    values (${file}, 'cases', 'note', ${name}, '{"text": "for Sparvhök"}', 1, ${file}, ${file})`
  await api.sql`
    insert into bulk_action_row (action_id, number, subject_id, state, undo)
    values (${file}, 1, ${file}, 'done', '{"body": {"nextAction": "call Sparvhök"}}')`
  await holdBankFile()
  return debtorGuid!
}

/** A file of debtors that nobody has imported yet. */
async function uploadRows(raw: string, fileName = 'debtors.csv'): Promise<string> {
  const made = await api.call<{ fileGuid: string }>(
    'POST',
    `/system/files?what=debtors&fileName=${fileName}`,
    { raw, headers: { 'content-type': 'application/octet-stream' } },
  )
  assert.equal(made.status, 201, made.text)
  return made.body.fileGuid
}

/** A bank file of the debtor's payment, which waits for a second person. */
async function holdBankFile(): Promise<void> {
  await post('/system/forms/approvallimit/create', { act: 'BANK_FILE', userRole: 2 })
  const raw = makeCamt([{ reference: null, amount: 100, payer: 'Sparvhök, Kanariefågel' }])
  const held = await api.call<{ heldFileGuid: string }>('POST', '/payment-files/held?fileName=Sparvhök.xml', {
    raw,
    headers: { 'content-type': 'application/octet-stream' },
  })
  assert.equal(held.status, 201, held.text)
  await post('/approvals', { act: 'BANK_FILE', input: { heldFileGuid: held.body.heldFileGuid } })
}

/** Returns the GUID of the file. */
async function attach(path: string): Promise<string> {
  const made = await api.call<{ attachmentGuid: string }>(
    'POST',
    `${path}/attachments?fileName=Sparvhök.txt`,
    {
      raw: 'pasted by the pipit',
      headers: { 'content-type': 'application/octet-stream' },
    },
  )
  assert.equal(made.status, 201, made.text)
  return made.body.attachmentGuid
}

/** A case with a call, a next action, and an objection that was answered and decided; so old that it is no longer kept. */
async function makeCase(debtorGuid: string): Promise<void> {
  await api.setDate('2012-06-15')
  const client = { name: 'Hök AB', partyReferenceCode: 'HOK', countryCode: 'SE', currencyCode: 'SEK' }
  const { clientGuid } = await post('/system/forms/client/create', client)
  const claim = { clientGuid, debtorGuid, principal: 1000, dueDate: '2012-03-01' }
  const { caseGuid } = await post('/system/forms/case/register', claim)
  const call = { outcome: 'REACHED', rightParty: true, text: 'told on the telephone' }
  const followUp = { followUp: 'to be asked about a thrush', followUpDate: '2012-06-20' }
  await post(`/cases/${caseGuid!}/calls`, { ...call, ...followUp }, 'call')
  await attach(`/cases/${caseGuid!}`)
  const { objectionGuid } = await post(
    `/system/forms/objection/create?id=${caseGuid!}`,
    { matter: 'OBJECTION', reason: 'a debt of the nuthatch', evidence: 'a receipt of the treecreeper' },
    'objection',
  )
  const change = async (form: string, body: object) => {
    const { status, text } = await api.call('PATCH', `/system/forms/objection/${form}?id=${objectionGuid!}`, {
      body,
    })
    assert.ok(status < 300, text)
  }
  await change('answer', { answer: 'as the wren wrote' })
  await change('decide', { decision: 'REJECTED', decisionReason: 'as the starling found' })
  await post('/system/forms/approvallimit/create', { act: 'WRITE_OFF', userRole: 2 })
  const wanted = { act: 'WRITE_OFF', caseGuid, input: { amount: 1 }, reason: 'asked as the dunnock did' }
  const { approvalGuid } = await post('/approvals', wanted)
  const withdrawn = await api.call('POST', `/approvals/${approvalGuid!}/reject`, {
    body: { decisionText: 'withdrawn by the linnet' },
  })
  assert.equal(withdrawn.status, 200, withdrawn.text)
  const closed = await api.call('PATCH', `/system/forms/case/close?id=${caseGuid!}`, {
    body: { closureCode: 'RECALLED_BY_CLIENT' },
  })
  assert.ok(closed.status < 300, closed.text)
  await api.setDate('2026-06-15')
}

/** Transactions of other databases in the cluster hold up what is sealed. */
async function sealSome(): Promise<void> {
  for (let sealed = 0; sealed === 0;) sealed = await sealAudit(api.sql)
}

async function verify(sql: Sql): Promise<void> {
  await sealAudit(sql)
  const { audit, anchor } = await verifyAnchor(sql, anchorFolder)
  assert.deepEqual([audit.brokenAt, audit.erasedAt, anchor.faults], [null, null, []])
  assert.deepEqual((await verifyLedger(sql)).faults, [])
}

test('eraseDebtor leaves nothing in any table or file, and the trail verifies; a restore replays it', async () => {
  const debtorGuid = await makeDebtor()
  const ofOthers = await uploadRows('lastname;firstname;email\nEk;Vibeke;ek@example.org\n')
  await sealSome()
  await api.app.service.anchor.anchorTrail(api.sql)
  const places = new Set((await findCanaries(api.sql)).map((found) => found.replace(/:.*/, '')))
  for (const place of [
    'public.attachment.content',
    'public.attachment.file_name',
    'public.audit_entry.changes',
    'public.bulk_action.filter',
    'public.bulk_action.input',
    'public.bulk_action_row.undo',
    'public.held_payment_file.content',
    'public.held_payment_file.file_name',
    'public.idempotency_key.body',
    'public.job_run.result',
    'public.message.subject',
    'public.search_word.word',
    'public.uploaded_part.content',
  ])
    assert.ok(places.has(place), `${place} of ${[...places].join()}`)
  const backup = join(folder, 'before.tar')
  await writeBackup(api.sql, backup)

  const erased = await api.call<Record<string, number>>(
    'POST',
    `/debtors/${debtorGuid}/services/personal-data-erasure`,
    {
      body: {},
    },
  )
  assert.equal(erased.status, 200, erased.text)
  assert.deepEqual(await findCanaries(api.sql), [])
  assert.deepEqual(findInFiles(), [])
  const left = await api.call<{ value: { fileGuid: string }[] }>('GET', '/system/files')
  assert.ok(left.body.value.some(({ fileGuid }) => fileGuid === ofOthers))
  await verify(api.sql)

  const { body } = await api.call<{ value: AuditEntry[]; head: object }>(
    'GET',
    `/audit?$filter=subjectGuid eq ${debtorGuid} and action eq 'created' and entity eq 'debtor'`,
  )
  const [created] = body.value
  assert.deepEqual(created!.changes['firstname'], [null, null])
  assert.ok(created!.erased.includes('firstname') && !created!.erased.includes('languageCode'))
  assert.ok(body.head)
  const repeated = await api.call('POST', '/debtors', {
    body: person,
    headers: { 'idempotency-key': 'made-once' },
  })
  assert.equal(repeated.status, 404)
  assert.match(repeated.text, /was erased/)

  const restored = await openTestDatabase()
  try {
    await restoreArchive(restored.sql, await checkArchive(backup))
    assert.ok((await findCanaries(restored.sql)).length > 10)
    const faults = (await verifyAnchor(restored.sql, anchorFolder)).anchor.faults
    assert.match(faults.join(), /The erasure .* is not in the database/)
    const node = await api.startNode({ FORDRA_ANCHOR: anchorFolder }, restored.url)
    const lines: string[] = []
    // Two nodes start at once.
    const replay = () => replayErasures(node.app.service, (line) => lines.push(line))
    const counts = await Promise.all([replay(), replay()])
    assert.deepEqual(counts.toSorted(), [0, 1])
    assert.match(lines.join(), /Replayed 1/)
    assert.deepEqual(await findCanaries(restored.sql), [])
    assert.equal(await replayErasures(node.app.service, () => {}), 0)
    await verify(restored.sql)
    await node.close()
  } finally {
    await restored.close()
  }
})

/** Replaces the values of an entry by their digests, as an erasure does. The trigger lets an erasure do so. */
const hideValues = (sql: Sql, position: number, salt: 'kept' | 'taken') =>
  inTransaction(sql, async (tx) => {
    if (salt === 'kept') await tx`set local session_replication_role = replica`
    await tx`
      update audit_entry e set changes = (
        select jsonb_object_agg(key, jsonb_build_object('erased', audit_member_digest(e.salt, null, key, value)))
        from jsonb_each(e.changes))
      ${salt === 'kept' ? tx`` : tx`, salt = null, member_salts = '{}'`}
      where position = ${position}`
  })

test('values that are hidden without an erasure are found', async () => {
  for (const salt of ['kept', 'taken'] as const) {
    await post('/debtors', { lastname: 'Trast' })
    await sealSome()
    const [made] = await api.sql<{ position: number; changes: object }[]>`
      select position, changes from audit_entry where entity = 'debtor' and action = 'created'
      order by position desc limit 1`
    const { position, changes } = made!
    await hideValues(api.sql, position, salt)
    const { audit } = await verifyAnchor(api.sql, anchorFolder)
    assert.deepEqual([audit.brokenAt, audit.erasedAt], [null, position], salt)
    if (salt === 'taken')
      await assert.rejects(
        async () => await api.sql`update audit_entry set changes = '{}' where position = ${position}`,
        /append-only/,
      )
    else
      await inTransaction(api.sql, async (tx) => {
        await tx`set local session_replication_role = replica`
        await tx`update audit_entry set changes = ${tx.json(changes as never)} where position = ${position}`
      })
  }
})

test('eraseDebtor refuses a debtor under a legal hold', async () => {
  const { debtorGuid } = await post('/debtors', { lastname: 'Ek' })
  await post(`/debtors/${debtorGuid!}/extrafields`, { name: 'legalHold', value: ['claim'] })
  const answer = await api.call('POST', `/debtors/${debtorGuid!}/erasures`, { body: {} })
  assert.equal(answer.status, 409)
})
