/** Tries a template on an invented letter, and tells what a template can contain. */
import type { TemplateKind } from '../../../contract/collection/documents.ts'
import type {
  TemplateFault,
  TemplateHelp,
  TemplatePreview,
  TemplateVariable,
} from '../../../contract/collection/letter-templates.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import { texts } from '../../../core/text/texts.ts'
import type { Db } from '../../platform/database/transaction.ts'
import type { LetterData } from '../letters/letter-data.ts'
import { tryTemplate } from '../letters/typeset.ts'
import { checkTemplate, findMissing } from './check-template.ts'
import { composeSample, sampleClients, writeShipped } from './sample-letter.ts'
import { listRequired, listVariables, templateCommands } from './template-names.ts'
import { toTemplateText } from './template-text.ts'
import { findClientName, findSender } from './templates.store.ts'

interface Subject {
  kind: TemplateKind
  language: Language
  clientGuid: string | null
  /** YYYY-MM-DD. */
  today: string
}

/** A letter of the agency about a case that does not exist. */
export async function findSample(
  db: Db,
  { kind, language, clientGuid, today }: Subject,
): Promise<LetterData> {
  const { name: sender, bankAccountNo } = await findSender(db)
  const clientName = clientGuid === null ? undefined : await findClientName(db, clientGuid)
  return composeSample({
    kind,
    language,
    sender,
    bankAccountNo,
    clientName: clientName ?? sampleClients[language],
    today,
  })
}

/** The typesetter sees the template only when its names and signs are sound. */
export async function findFaults(
  sample: LetterData,
  { kind, source }: { kind: TemplateKind; source: string },
): Promise<{ image: string | null; faults: TemplateFault[] }> {
  const own = checkTemplate(source, kind)
  if (own.length > 0) return { image: null, faults: own }
  const { image, faults } = await tryTemplate(sample, source)
  return {
    image,
    faults: faults.map((one) => ({ ...one, kind: 'typst', name: '', nearest: null })),
  }
}

export async function previewTemplate(
  sample: LetterData,
  { kind, source }: { kind: TemplateKind; source: string },
): Promise<TemplatePreview> {
  const { image, faults } = await findFaults(sample, { kind, source })
  return {
    image,
    title: sample.title,
    text: toTemplateText(source, sample),
    faults: [...faults, ...findMissing(source, kind)],
  }
}

/** `reader` is the language of who reads it, `language` that of the letter. */
export async function describeTemplate(db: Db, subject: Subject, reader: Language): Promise<TemplateHelp> {
  const { kind, language } = subject
  const sample = await findSample(db, subject)
  const required = listRequired(kind)
  return {
    variables: listVariables(kind).map((name) => ({
      name,
      meaning: texts[reader].letter[`variable.${name}`],
      example: findExample(sample, name),
      isRequired: required.includes(name),
    })),
    commands: [...templateCommands],
    source: writeShipped(kind, language),
  }
}

const findExample = ({ title, sender, recipient, template }: LetterData, name: TemplateVariable): string => {
  const values: Partial<Record<TemplateVariable, string>> = {
    ...template!.values,
    title,
    debtor: recipient[0]!,
    agency: sender,
  }
  return values[name] ?? ''
}
