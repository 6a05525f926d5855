/** What is wrong with a cell that is not what its column holds, so that readers are told in their language. */

export const cellFaultKinds = ['day', 'dayOfMonth', 'amount', 'number', 'whole', 'yesNo'] as const
export type CellFaultKind = (typeof cellFaultKinds)[number]

/** The texts that say each to readers, of the console's own. */
export const cellFaultTexts = {
  day: 'fault.cellDay',
  dayOfMonth: 'fault.cellDayOfMonth',
  amount: 'fault.cellAmount',
  number: 'fault.cellNumber',
  whole: 'fault.cellWhole',
  yesNo: 'fault.cellYesNo',
} as const satisfies Record<CellFaultKind, string>

export interface CellFault {
  kind: CellFaultKind
  /** Null for what is or could be personal data, which no report repeats. */
  value: string | null
  /** How the file should write it. */
  example: string
  /** Of `dayOfMonth`: the last day of the month. */
  last?: number
}
