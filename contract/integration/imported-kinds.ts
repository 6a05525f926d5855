/** What can be imported, in the order in which one kind needs those before it. */
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
