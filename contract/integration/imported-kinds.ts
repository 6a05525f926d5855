/** The kinds of imports, ordered so that each kind comes after those that it needs. */
export const importedKinds = [
  'parties',
  'users',
  'debtors',
  'cases',
  'invoices',
  'payments',
  'plans',
  'thirdparties',
  'accounts',
  'customers',
  'purchases',
  'objects',
] as const
export type ImportedKind = (typeof importedKinds)[number]
