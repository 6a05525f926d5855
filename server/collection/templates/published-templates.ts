/** The templates with which letters are written now. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { LetterData } from '../letters/letter-data.ts'

/** Finds the GUID of the version. Undefined where letters have the shipped text. */
export type ChooseTemplate = (
  kind: TemplateKind,
  language: Language,
  clientGuids: readonly string[],
) => string | undefined

interface InForce {
  clientGuid: string | null
  kind: TemplateKind
  language: Language
  versionGuid: string
}

const place = (clientGuid: string | null, kind: TemplateKind, language: Language) =>
  `${clientGuid ?? ''}/${kind}/${language}`

/** Of each client the own templates, else those of the nearest party above, else those for all clients. */
export async function findPublishedTemplates(
  db: Db,
  clientGuids: readonly string[],
): Promise<ChooseTemplate> {
  const rows = await db<InForce[]>`
    with recursive above as (
      select id as client_id, id, parent_id, 0 as distance from party where id = any(${[...new Set(clientGuids)]}::uuid[])
      union all
      select a.client_id, p.id, p.parent_id, a.distance + 1 from party p join above a on p.id = a.parent_id
    ), place as (
      select client_id, id, distance from above
      union all select distinct client_id, null::uuid, 1000 from above
      union all select null, null, 1000
    )
    select distinct on (k.client_id, t.kind, t.language) k.client_id as "clientGuid", t.kind, t.language,
      v.id as "versionGuid"
    from letter_template t join place k on k.id is not distinct from t.client_id
      join letter_template_version v on v.template_id = t.id and v.number = t.version_in_force
    order by k.client_id, t.kind, t.language, k.distance`
  const found = new Map(rows.map((one) => [place(one.clientGuid, one.kind, one.language), one.versionGuid]))
  return (kind, language, clients) => {
    const distinct = [...new Set(clients)]
    return found.get(place(distinct.length === 1 ? distinct[0]! : null, kind, language))
  }
}

/** The source with which a letter was written. Undefined for the shipped text. */
export async function findTemplateSource(db: Db, { template }: LetterData): Promise<string | undefined> {
  if (template === undefined) return undefined
  const [row] = await db<{ source: string }[]>`
    select source from letter_template_version where id = ${template.versionGuid}`
  return row!.source
}
