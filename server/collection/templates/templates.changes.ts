/** Creates, changes, publishes and deletes templates of letters. */
import { templateKinds } from '../../../contract/collection/documents.ts'
import {
  templateLengthMax,
  type LetterTemplatePublication,
  type NewLetterTemplate,
  type TemplateFault,
} from '../../../contract/collection/letter-templates.ts'
import { languages } from '../../../contract/platform/languages.ts'
import { isGuid } from '../../../core/text/guid.ts'
import { findClient } from '../../parties/clients/clients.store.ts'
import { inTransaction, violatedUniqueness, type Db } from '../../platform/database/transaction.ts'
import { insertRecords, toRecords, type Change } from '../../platform/events/record.ts'
import type { Caller, Origin } from '../../platform/http/caller.ts'
import { ApiError, FieldErrors, invalid, notFound } from '../../platform/http/errors.ts'
import { requireMatch, type IfMatch } from '../../platform/http/version.ts'
import { findMissing } from './check-template.ts'
import { findFaults, findSample } from './preview-template.ts'
import { writeShipped } from './sample-letter.ts'
import * as store from './templates.store.ts'

/** Returns the guid. Throws a 400 that names each fault, a 404 for the client, or a 409. */
export async function createTemplate(
  db: Db,
  caller: Caller,
  { input, origin }: { input: NewLetterTemplate; origin: Origin },
): Promise<string> {
  const { kind, language, clientGuid } = readPlace(input)
  if (clientGuid !== null && !(await findClient(db, caller, clientGuid))) throw notFound('client')
  const draft = input.source?.trim() ? readSource(input.source) : writeShipped(kind, language)
  const made = { kind, language, clientGuid, draft }
  await requireSound(db, made, origin)
  return inTransaction(db, async (tx) => {
    const id = await insertOnce(tx, made, origin.actorId)
    await record(tx, origin, { id, sequence: 1 }, 'created', {
      kind: [null, kind],
      languageCode: [null, language],
      ...(clientGuid !== null && { clientGuid: [null, clientGuid] as const }),
      templateText: [null, draft],
    })
    return id
  })
}

async function insertOnce(tx: Db, made: store.NewTemplate, userGuid: string | null): Promise<string> {
  try {
    return await store.insertTemplate(tx, made, userGuid)
  } catch (error) {
    if (violatedUniqueness(error) !== 'letter_template_place') throw error
    throw new ApiError(
      'conflict',
      'There is a template of this kind, language and client already. Change that one.',
    )
  }
}

/** Returns the version. Throws a 400 that names each fault, a 404 or a 412. */
export async function changeDraft(
  db: Db,
  templateGuid: string,
  { source, origin, ifMatch }: { source: string | null | undefined; origin: Origin; ifMatch: IfMatch },
): Promise<number> {
  const draft = readSource(source)
  return inTransaction(db, async (tx) => {
    const held = await lock(tx, templateGuid)
    requireMatch(ifMatch, held.version)
    if (draft === held.draft) return held.version
    await requireSound(tx, { ...held, draft }, origin)
    await store.updateDraft(tx, templateGuid, { draft, userGuid: origin.actorId })
    const sequence = held.eventSequence + 1
    await record(tx, origin, { id: templateGuid, sequence }, 'updated', {
      templateText: [held.draft, draft],
    })
    return held.version + 1
  })
}

/** Throws a 404 for the template or the earlier version, a 409 or a 422. */
export async function publishTemplate(
  db: Db,
  templateGuid: string,
  { input, origin }: { input: LetterTemplatePublication; origin: Origin },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lock(tx, templateGuid)
    const source = await findSourceToPublish(tx, templateGuid, held, input.number ?? null)
    const inForce =
      held.versionInForce === null
        ? undefined
        : await store.findTemplateVersion(tx, templateGuid, held.versionInForce)
    if (inForce?.source === source)
      throw new ApiError('conflict', `Version ${inForce.number} says the same and is in force already.`)
    requireParts(findMissing(source, held.kind))
    const number = held.newest + 1
    const note = input.note?.trim() || null
    await store.insertVersion(tx, templateGuid, { number, source, note, userGuid: origin.actorId })
    await store.setVersionInForce(tx, templateGuid, { number, draft: source })
    await record(tx, origin, { id: templateGuid, sequence: held.eventSequence + 1 }, 'published', {
      versionInForce: [held.versionInForce, number],
      templateText: [inForce?.source ?? null, source],
      ...(note !== null && { publicationNote: [null, note] as const }),
    })
  })
}

async function findSourceToPublish(
  tx: Db,
  templateGuid: string,
  { draft }: store.HeldTemplate,
  number: number | null,
): Promise<string> {
  if (number === null) return draft
  const found = await store.findTemplateVersion(tx, templateGuid, number)
  if (!found) throw notFound('version of the template')
  return found.source
}

function requireParts(missing: readonly TemplateFault[]): void {
  if (missing.length === 0) return
  const names = missing.map(({ name }) => `#${name}`).join(', ')
  throw new ApiError(
    'unprocessable',
    `The template lacks ${names}, which a letter of this kind must have. Add it before you publish.`,
    { errors: { source: missing.map(({ message }) => message) }, members: { faults: missing } },
  )
}

/** Throws a 404 or a 409. */
export async function withdrawTemplate(db: Db, templateGuid: string, origin: Origin): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lock(tx, templateGuid)
    if (held.versionInForce === null)
      throw new ApiError('conflict', 'No version of this template is in force.')
    await store.setVersionInForce(tx, templateGuid, { number: null, draft: held.draft })
    const sequence = held.eventSequence + 1
    const changes = { versionInForce: [held.versionInForce, null] as const }
    await record(tx, origin, { id: templateGuid, sequence }, 'withdrawn', changes)
  })
}

/** Throws a 404, a 409 once it was published, or a 412. */
export async function removeTemplate(
  db: Db,
  templateGuid: string,
  { origin, ifMatch }: { origin: Origin; ifMatch: IfMatch },
): Promise<void> {
  await inTransaction(db, async (tx) => {
    const held = await lock(tx, templateGuid)
    requireMatch(ifMatch, held.version)
    if (held.newest > 0)
      throw new ApiError(
        'conflict',
        'The template was published, and letters may have been written with it. Take it out of use instead.',
      )
    await store.deleteTemplate(tx, templateGuid)
    await record(tx, origin, { id: templateGuid, sequence: held.eventSequence + 1 }, 'deleted', {
      templateText: [held.draft, null],
    })
  })
}

async function lock(tx: Db, templateGuid: string): Promise<store.HeldTemplate> {
  const held = await store.lockTemplate(tx, templateGuid)
  if (!held) throw notFound('letter template')
  return held
}

/** Throws a 400. */
export function readPlace(input: NewLetterTemplate): Omit<store.NewTemplate, 'draft'> {
  const checks = new FieldErrors()
  const kind = templateKinds.find((one) => one === input.kind?.trim().toLowerCase())
  const language = languages.find((one) => one === input.languageCode?.trim().toLowerCase())
  const clientGuid = input.clientGuid?.trim().toLowerCase() || null
  if (kind === undefined) checks.add('kind', `must be one of ${templateKinds.join(', ')}.`)
  if (language === undefined) checks.add('languageCode', `must be one of ${languages.join(', ')}.`)
  if (clientGuid !== null && !isGuid(clientGuid)) checks.add('clientGuid', 'must be a GUID.')
  checks.throwIfAny()
  return { kind: kind!, language: language!, clientGuid }
}

/** The case of a preview; null for an invented one. Throws a 400. */
export function readCaseGuid(given: string | null | undefined): string | null {
  const caseGuid = given?.trim().toLowerCase() || null
  if (caseGuid !== null && !isGuid(caseGuid)) throw invalid({ caseGuid: ['must be a GUID.'] })
  return caseGuid
}

/** Ends every line alike. Throws a 400 for an empty text. */
export function readSource(source: string | null | undefined): string {
  const read = source?.replaceAll(/\r\n?/g, '\n').trimEnd() ?? ''
  if (read.trim() !== '') return `${read}\n`
  const checks = new FieldErrors()
  checks.add('source', `is required: the text of the letter, of at most ${templateLengthMax} characters.`)
  checks.throwIfAny()
  return read
}

async function requireSound(
  db: Db,
  { kind, language, clientGuid, draft }: store.NewTemplate,
  { businessDate }: Origin,
): Promise<void> {
  const sample = await findSample(db, { kind, language, clientGuid, today: businessDate })
  const { faults } = await findFaults(sample, { kind, source: draft })
  if (faults.length === 0) return
  const messages = faults.map(({ line, message }) => (line === 0 ? message : `line ${line}: ${message}`))
  throw new ApiError('invalid', `source ${messages[0]}`, {
    errors: { source: messages },
    members: { faults },
  })
}

async function record(
  tx: Db,
  origin: Origin,
  { id, sequence }: { id: string; sequence: number },
  action: 'created' | 'updated' | 'published' | 'withdrawn' | 'deleted',
  changes: Change['changes'],
): Promise<void> {
  const changed = action === 'updated' ? { changed: Object.keys(changes) } : {}
  const change = {
    type: `lettertemplate.${action}` as const,
    entityId: id,
    subject: id,
    sequence,
    data: { letterTemplateGuid: id, ...changed },
    changes,
  }
  await insertRecords(tx, toRecords(origin, [change]))
}
