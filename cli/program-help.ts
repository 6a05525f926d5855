/** Shared by the commands' help and the completion. */
import { Option } from 'commander'
import { importedKinds } from '../contract/integration/imported-kinds.ts'

/** The listed values of arguments, for help and completion. */
export const importable = [...importedKinds, 'payment-file']
export const exportable = [
  'clients',
  'users',
  'debtors',
  'addresses',
  'cases',
  'invoices',
  'payments',
  'paymentplans',
  'openapi',
  'asyncapi',
  'all',
]

export const exampleHelp = (...lines: string[]) =>
  `\nExample${lines.length > 1 ? 's' : ''}:\n${lines.map((line) => `  $ ${line}`).join('\n')}`

export const jsonOption = () => new Option('--json', 'print the result as JSON')
