import { cellFaultTexts, type CellFault } from '../../../contract/integration/cell-faults.ts'
import { capitalise } from '../texts/labels.ts'
import { i18n } from '../texts/languages.ts'
import { refusalText } from '../texts/refusal-text.ts'
import { userCulture } from '../format/format.ts'
import { sayFormat } from '../widgets/days/day-fault.ts'
import type { Fault } from './values.ts'

export function faultMessage(fault: Fault): string {
  switch (fault.key) {
    case 'fault.length':
      return i18n.t(fault.key, { most: fault.most, count: fault.count })
    case 'fault.decimals':
      return i18n.t(fault.key, { most: fault.most, currency: fault.currency })
    case 'fault.day':
    case 'fault.moment':
      return sayFormat(
        { culture: userCulture(), today: new Date().toISOString() },
        fault.key === 'fault.moment',
      )
    case 'fault.least':
      return i18n.t(fault.key, { least: fault.least })
    case 'fault.most':
      return i18n.t(fault.key, { most: fault.most })
    default:
      return i18n.t(fault.key)
  }
}

/** The service's errors are in English; those that have words in the user's language are shown in it. */
export const errorMessage = (messages: readonly string[]): string =>
  messages.map((message) => refusalText(message) ?? capitalise(message)).join(' ')

/** What is wrong with a cell of an imported file. Personal data are not repeated. */
export function cellFaultMessage({ kind, value, example, last }: CellFault): string {
  const cell = value === null ? i18n.t('fault.theCell') : i18n.t('fault.quoted', { value })
  return i18n.t(cellFaultTexts[kind], { cell, example, last })
}
