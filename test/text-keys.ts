/** The keys of texts that code uses: read off its literals, and derived from dictionaries where it puts them together. */
import { readdirSync, readFileSync } from 'node:fs'
import { readListFields } from '../console/src/lists/list-fields.ts'
import { operators } from '../console/src/lists/filter-text.ts'
import { feeNotes } from '../console/src/screens/administration/fee-notes.data.ts'
import { jobValues } from '../console/src/screens/administration/job-values.data.ts'
import { areas, verbs } from '../contract/access/access.ts'
import { CaseContact } from '../contract/cases/all-cases.ts'
import { operations } from '../contract/api.ts'
import { documentKinds, templateKinds } from '../contract/collection/documents.ts'
import { objectionMatters, objectionStatuses } from '../contract/cases/objections.ts'
import { templateVariables } from '../contract/collection/letter-templates.ts'
import { trialOutcomes, trialStatuses } from '../contract/collection/trials.ts'
import { reportNames } from '../contract/insight/reports.ts'
import { setupGaps, setupSteps } from '../contract/insight/setup-steps.ts'
import { cellFaultTexts } from '../contract/integration/cell-faults.ts'
import { importedKinds } from '../contract/integration/imported-kinds.ts'
import { forms } from '../contract/metadata/all-forms.ts'
import { formFields } from '../contract/metadata/forms/form.ts'
import { commands } from '../contract/platform/commands.ts'
import { notificationDeliveries } from '../contract/platform/notification-emails.ts'
import { eventTypes } from '../contract/platform/event-types.ts'
import { problems } from '../contract/platform/problem.ts'
import { entryOutcomes, entryReasons, suspenseStatuses } from '../contract/treasury/payment-files.ts'
import { components } from '../core/ledger/allocation.ts'
import { contactReasons } from '../core/law/contact.ts'
import { lawPacks } from '../core/law/packs.ts'
import { legalReasons } from '../core/law/verdict.ts'
import { accounts } from '../core/ledger/case-transaction.ts'
import { refusalKeys } from '../core/text/refusals.ts'
import { texts, type TextArea } from '../core/text/texts.ts'
import { paymentWays } from '../server/claims/movement-text.ts'
import { channelObstacles } from '../server/collection/letters/letter-channels.ts'
import { reports } from '../server/insight/reports/report-definitions.ts'
import { enumerations, sharedTexts, type EnumerationCode } from '../server/metadata/lookups/enumerations.ts'
import { groups as menu, sections } from '../server/metadata/navigation/navigation.ts'
import { messageKinds } from '../server/platform/messages/texts.ts'

const read = (path: string) => readFileSync(path, 'utf8')
const readAll = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path) && !path.endsWith('.test.ts'))
    .map((path) => read(`${folder}/${path}`))
    .join('\n')

export const consoleCode = readAll('console/src')
const serverCode = readAll('server')

/** The quoted words of a part of a file: of a list or of a union of types. */
const wordsIn = (path: string, part: RegExp): string[] => {
  const [found] = part.exec(read(path)) ?? []
  const words = [...(found ?? '').matchAll(/'([\w-]+)'/g)].map(([, word]) => word!)
  if (words.length === 0) throw new Error(`${path} has no words at ${part}`)
  return words
}
const allMatches = (code: string, pattern: RegExp) => [...code.matchAll(pattern)].map(([, word]) => word!)
const combine = (firsts: readonly string[], lasts: readonly string[]) =>
  firsts.flatMap((first) => lasts.map((last) => `${first}.${last}`))

const movementKinds = allMatches(read('core/ledger/case-movement.ts'), /\{ kind: '(\w+)'/g)
const told = [...serverCode.matchAll(/(?:type: |\w*[nN]ote\(\s*)'([a-z]{2,})\.([a-z_]+)'/g)]
const screens = 'console/src/screens'
const events = eventTypes.map((type) => type.split('.') as [string, string])

/**
 * What the console puts behind the beginning of a key. A beginning that is not listed fails the test, so that whoever adds
 * one says here what can follow it.
 */
export const families: Record<string, readonly string[]> = {
  'access.': wordsIn(`${screens}/administration/access-forms.ts`, /FormStep = .*/),
  'amounts.': [
    ...wordsIn(`${screens}/cases/amounts-panel.tsx`, /const components = [^\]]*\]/),
    ...wordsIn(`${screens}/cases/amounts-panel.tsx`, /const columns = [^\]]*\]/),
  ],
  'audit.': [
    ...events.map(([, action]) => action),
    ...told.map(([, , action]) => action!),
    ...allMatches(serverCode, /\baction: ([a-z_' |]+)/g).flatMap((words) => allMatches(words, /'(\w+)'/g)),
    // By what a message went, in the timeline.
    ...enumerations.messagechannel,
    'letter',
  ],
  'bulk.': wordsIn('console/src/lists/bulk/use-bulk-run.ts', / state: .*/),
  'command.': commands.flatMap((one) => one.arguments.map(({ name }) => name)),
  'command.about.': commands.map(({ command }) => command),
  'dashboard.': wordsIn(`${screens}/dashboard/plan-panel.tsx`, /const outcomes = .*/),
  'emails.': notificationDeliveries,
  'entity.': [
    ...events.map(([entity]) => entity),
    ...told.map(([, entity]) => entity!),
    ...forms.map(({ entity }) => entity),
    ...allMatches(serverCode, /entity: '(\w+)',\s*(?:entityId|action)/g),
    'message',
  ],
  'fault.': Object.values(cellFaultTexts).map((key) => key.slice('fault.'.length)),
  'holding.new.': wordsIn(`${screens}/administration/holding-search.ts`, /const holdingEntities = .*/),
  'job.value.': jobValues,
  'mfa.': wordsIn(`${screens}/profile/factor-panel.tsx`, /type Dialog = .*/),
  'operator.': operators,
  'plan.': [
    ...wordsIn(`${screens}/plans/plan-table.tsx`, /\(\['instalment'.*/),
    ...wordsIn(`${screens}/plans/plan-form.tsx`, /const amountField = .*/),
    ...wordsIn(`${screens}/plans/plan-form.tsx`, /function NumberField.*/),
    ...wordsIn(`${screens}/plans/plan-form.tsx`, /\(\['businessDays'.*/),
  ],
  'plan.error.': [
    ...allMatches(
      /type PlanError =[^]*?\n\n/.exec(read('core/plans/plan-terms.ts'))![0],
      /code: '([\w-]+)'/g,
    ),
    'wrong-combination-both',
  ],
  'plan.rhythm.': ['1/1', ...allMatches(read(`${screens}/plans/plan-choice.ts`), /'(\d\/\d)'/g)],
  'plan.state.': wordsIn(`${screens}/dashboard/plan-panel.tsx`, /const states = .*/),
  'problem.': Object.keys(problems),
  'report.': ['from', 'to', 'csv', 'pdf'],
  'setup.about.': setupSteps,
  'setup.gap.': setupGaps,
  'setup.step.': setupSteps,
  'work.': wordsIn(`${screens}/work/work-search.ts`, /const whose = .*/),
  'work.column.': wordsIn(`${screens}/work/queue-panel.tsx`, /\(\['items'.*/),
  'work.none.': wordsIn(`${screens}/work/work-search.ts`, /const whose = .*/),
  'trial.': ['more', 'less', 'unclear'].flatMap((kind) =>
    Object.keys(trialOutcomes).map((name) => `${kind}.${name}`),
  ),
  'trial.outcome.': Object.keys(trialOutcomes),
  'signIn.': wordsIn('server/access/single-sign-on/oidc.routes.ts', /type Refusal = .*/),
}

/** Codes of the contract for which there is no lookup. */
const codesWithoutLookup = {
  accessarea: areas,
  accessverb: [...verbs, 'provision'],
  entryoutcome: entryOutcomes,
  feenote: Object.values(feeNotes),
  feetype: wordsIn('server/plans/locked-plans.ts', /type PlanFeeType = .*/),
  entryreason: entryReasons,
  importkind: importedKinds,
  ledgeraccount: accounts,
  jobkind: ['command', 'service'],
  operation: operations.map(({ id }) => id),
  leftoutreason: wordsIn('contract/treasury/payouts.ts', /enum: \['NO_ACCOUNT.*?\]/),
  lawrule: lawPacks.flatMap(({ rules }) =>
    rules.map(({ code }) => (`lawrule.${code}` in texts.en.lookup ? code : code.slice(3))),
  ),
  letterkind: documentKinds,
  strategyaction: wordsIn(`${screens}/strategies/steps.ts`, /const actionKinds = .*/),
  suspensestatus: suspenseStatuses,
  trialstatus: trialStatuses,
  transactionkind: [
    'registration',
    'interest',
    ...movementKinds.filter(
      (kind) => !['terms', 'close', 'reopen', 'pause', 'resume', 'reversal'].includes(kind),
    ),
  ],
  workstatus: [
    ...wordsIn('contract/platform/jobs.ts', /status: Type.*/),
    ...wordsIn('contract/integration/webhooks.ts', /status: Type.*/),
  ],
}

function lookupKeys(): string[] {
  const codes = Object.keys(enumerations) as EnumerationCode[]
  const built = codes.flatMap((code) =>
    enumerations[code].map((key) => {
      const shared = sharedTexts[code]
      return shared && (enumerations[shared] as readonly string[]).includes(key)
        ? `${shared}.${key}`
        : `${code}.${key}`
    }),
  )
  return [
    ...built,
    ...Object.entries(codesWithoutLookup).flatMap(([code, keys]) => keys.map((key) => `${code}.${key}`)),
  ]
}

const ledgerKeys = (): string[] => {
  const file = 'core/ledger/case-explanation.ts'
  return [
    ...combine(['part'], components),
    ...combine(['movement'], movementKinds),
    ...combine(['way'], paymentWays),
    ...combine(['line'], allMatches(read(file), /^ {2}(\w+): \{ rule: /gm)),
    ...combine(['credit'], allMatches(/const creditRules = .*/.exec(read(file))![0], /(\w+): /g)),
    ...allMatches(read(file) + serverCode, /\btexts(?:\.|\[')([\w.]+)(?:'\]|[,)])/g),
    ...allMatches(read(file), /'(interest\.\w+)'/g),
    ...wordsIn('server/ledger/explain-facts.ts', /const standstillKinds = .*/).flatMap((kind) => [
      `standstill.${kind}`,
      `standstill.${kind}.open`,
    ]),
  ]
}

/** The members of the rows that the console lists; those that hold a GUID keep the contract's name. */
function listedMembers(): string[] {
  const listed = operations.filter(({ name }) =>
    new RegExp(`operation[=:] ?["']${name}["']`).test(consoleCode),
  )
  return listed.flatMap(({ response }) => {
    const { properties } = response as { properties?: { value?: { items?: object } } }
    const fields = readListFields(properties?.value?.items ?? {})
    return fields.filter(({ kind }) => kind !== 'guid').map(({ name }) => name)
  })
}

/** Every member of the contract and of what the audit trail keeps may be shown by its label. */
export function isMember(name: string): boolean {
  return contractMembers.has(name) || new RegExp(`\\b${name}\\b`).test(serverCode + consoleCode)
}
const contractMembers = new Set<string>()
JSON.stringify(
  operations.map(({ query, body, response }) => [query, body, response]),
  (_, node: unknown) => {
    for (const name of Object.keys((node as { properties?: object } | null)?.properties ?? {}))
      contractMembers.add(name)
    return node
  },
)

/** The entity's own text, or that of every entity. */
const ownOrAll = (area: TextArea, entity: string, code: string) =>
  Object.hasOwn(texts.en[area], `${entity}.${code}`) ? `${entity}.${code}` : code

const formKeys = (area: 'field' | 'description') =>
  forms.flatMap((form) => formFields(form).map((code) => ownOrAll(area, form.entity, code)))

const literals = (area: string) => allMatches(consoleCode, new RegExp(`'${area}\\.([\\w.-]+)'`, 'g'))

/** The keys that code uses, by area. Of those of fields more may be there: the labels of other members. */
export function usedKeys(): Record<TextArea, string[]> {
  const columns = reportNames.flatMap((name) => reports[name].columns.map(([code]) => code))
  const places = sections.flatMap((section) => [section, ...section.places]).map(({ code }) => code)
  const groupKeys = Object.keys(menu).map((code) => `group.${code}`)
  const own = Object.keys(texts.en.console)
  const spoken = own.filter((key) => consoleCode.includes(`'${key.replace(/_(one|other)$/, '')}'`))
  return {
    console: [
      ...spoken,
      ...allMatches(consoleCode, /\bt\(\s*'([\w.-]+)'/g).filter((key) => !isElsewhere(key) && !isPlural(key)),
      ...Object.entries(families).flatMap(([begin, ends]) => ends.map((end) => begin + end)),
    ],
    field: [
      ...formKeys('field'),
      ...listedMembers(),
      ...Object.keys(CaseContact.properties),
      ...literals('field'),
    ],
    description: formKeys('description'),
    form: forms.map(({ entity, type }) => `${entity}.${type}`),
    group: ['custom', ...forms.flatMap(({ groups }) => groups.map(({ code }) => code))],
    button: forms.map(({ type }) => (Object.hasOwn(texts.en.button, type) ? type : 'edit')),
    recalc: forms.flatMap(({ entity, recalculations = [] }) =>
      recalculations.map(({ code }) => `${entity}.${code}`),
    ),
    lookup: [...lookupKeys(), ...literals('lookup').filter((key) => key.includes('.'))],
    navigation: [...groupKeys, ...places.flatMap((code) => [code, `${code}.about`])],
    ledger: ledgerKeys(),
    law: [
      ...legalReasons,
      ...contactReasons.map((reason) => `contact.${reason}`),
      ...channelObstacles.map((obstacle) => `channel.${obstacle}`),
      ...allMatches(serverCode, /\bwords\.(unverified)\b/g),
      ...allMatches(serverCode, /\]\.law\.(\w+)/g),
    ],
    letter: [
      ...combine(['variable'], templateVariables),
      ...combine(templateKinds, ['title', 'before', 'after']),
      ...combine(['answer'], [...objectionMatters, ...objectionStatuses.slice(1)]),
      ...allMatches(read('server/collection/letters/answer-letter.ts'), /\bwords\['([\w.]+)'\]/g),
      ...combine(['column'], wordsIn('server/collection/letters/compose-letter.ts', /const columns = .*/)),
      ...allMatches(read('server/collection/letters/compose-letter.ts'), /(?:\bwords|\.letter)\.(\w+)/g),
      ...allMatches(read('server/collection/letters/letter-costs.ts'), /\bwords\.(\w+)/g),
      ...allMatches(read('server/collection/letters/write-letter.ts'), /\.letter\.(\w+)/g),
      ...allMatches(read('server/collection/letters/plan-letter.ts'), /\bwords\.(\w+)/g),
    ],
    message: [...combine([...messageKinds, 'notifications'], ['subject', 'body']), 'letter.body'],
    refusal: refusalKeys,
    report: [
      ...combine(['title'], reportNames),
      ...combine(['column'], [...columns, 'page', 'total']),
      ...allMatches(
        read('server/insight/statements/case-statement.ts') +
          read('server/insight/statements/statement-sheet.ts'),
        /'(statement\.\w+)'/g,
      ),
    ],
  }
}

const isElsewhere = (key: string) =>
  /^(field|form|lookup|refusal|report)\./.test(key) && !(key in texts.en.console)
const isPlural = (key: string) => `${key}_one` in texts.en.console
