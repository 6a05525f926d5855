/** Labels whose keys are put together at run time, and the names of the contract for those that have none. */
import { useTranslation } from 'react-i18next'
import { awaitsRuleNames, i18n } from './languages.ts'

/** The text of the first key that there is. */
export function translateLabel(key: string | string[], otherwise: string): string {
  return i18n.exists(key) ? (i18n.t as (key: string | string[]) => string)(key) : otherwise
}

/** Members with codes of a lookup that has another name, or of several. */
const lookupsByMember: Readonly<Record<string, readonly string[]>> = {
  act: ['approvalact'],
  active: ['paymentplanactive'],
  channel: ['messagechannel'],
  component: ['claimcomponent'],
  correction: ['lawcorrection'],
  decision: ['objectionstatus'],
  document: ['letterkind'],
  endReason: ['paymentplanendreason', 'approvalendreason'],
  findingKind: ['lawfindingkind'],
  findingStatus: ['lawfindingstatus'],
  format: ['bankfileformat'],
  hold: ['holdreason'],
  interruptedBy: ['interruption'],
  heldReason: ['contactreason'],
  defaultRoles: ['userrole'],
  kind: ['jobkind', 'transactionkind', 'objectionkind', 'strategyaction'],
  letter: ['letterkind'],
  matter: ['objectionmatter'],
  measure: ['forbearance'],
  obstacle: ['lawobstacle'],
  personalDataTypeId: ['personaldatatype'],
  outcome: ['entryoutcome', 'calloutcome'],
  reason: ['entryreason', 'leftoutreason', 'workreason'],
  roles: ['userrole'],
  service: ['caseservice'],
  services: ['caseservice'],
  status: ['casestatus', 'suspensestatus', 'workstatus', 'objectionstatus', 'approvalstatus'],
  type: ['fieldtype'],
  subStatus: ['casesubstatus', 'holdreason'],
}

/** Members that hold the code of a rule of law. */
const ruleMembers = new Set(['rule', 'lawRule', 'answerRule', 'interestStartRule'])
export const isRuleMember = (member: string): boolean => ruleMembers.has(member)

/** The text of a code by the member that holds it. */
export function codeLabel(member: string, code: string, otherwise = code): string {
  if (isRuleMember(member)) return ruleLabel(code)
  const lookups = lookupsByMember[member] ?? [member.toLowerCase()]
  return translateLabel(
    lookups.map((lookup) => `lookup.${lookup}.${code}`),
    otherwise,
  )
}

/** The name of a rule of law by its code: its own, or that of the same rule in all countries. Empty until it is loaded. */
export const ruleLabel = (code: string): string =>
  translateLabel([`lookup.lawrule.${code}`, `lookup.lawrule.${code.slice(3)}`], awaitsRuleNames() ? '' : code)

/** `translateLabel`, following a change of language. */
export function useLabels(): typeof translateLabel {
  useTranslation()
  return translateLabel
}

/** With a capital first letter: a word that stands alone, such as in a cell. */
export const capitalise = (text: string): string => text.slice(0, 1).toLocaleUpperCase() + text.slice(1)
