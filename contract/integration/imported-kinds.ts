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
  'casehistories',
  'planhistories',
] as const
export type ImportedKind = (typeof importedKinds)[number]

/** The kinds whose rows each belong to a client, which may be one for all rows. */
export const kindsOfClients: readonly ImportedKind[] = [
  'cases',
  'thirdparties',
  'accounts',
  'customers',
  'purchases',
  'objects',
  'casehistories',
]

/** The kinds whose file may leave out `partyReferenceCode` when one party is given for all rows. */
export const kindsOfParties: readonly ImportedKind[] = ['users', ...kindsOfClients]

/** The encodings of CSV files that an import reads. */
export const fileEncodings = [
  'utf-8',
  'windows-1252',
  'iso-8859-15',
  'windows-1250',
  'macintosh',
  'utf-16le',
  'utf-16be',
] as const
export type FileEncoding = (typeof fileEncodings)[number]
