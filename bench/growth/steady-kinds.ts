/**
 * The pages and orders of each list that read no more on ten times the debtors. `npm run bench -- growth` fails when one of them does
 * again. Filters are left out: which of them is steady depends on the values and orders that are drawn.
 * So is the order of time: it sorts the entries of the last transaction.
 */
interface Steady {
  pages: readonly ('first' | 'last')[]
  /** In both directions. */
  orders: readonly string[]
}

const steady: Readonly<Record<string, Steady>> = {
  listDebtors: {
    pages: ['first', 'last'],
    orders: ['debtorGuid', 'dateOfBirth', 'fullName', 'city', 'zipCode'],
  },
  listAllCases: {
    pages: ['first', 'last'],
    orders: [
      'caseGuid',
      'caseNumber',
      'clientGuid',
      'clientName',
      'debtorGuid',
      'mainDebtorGuid',
      'mainDebtorName',
      'status',
      'registrationDate',
      'limitationDate',
    ],
  },
  listAllPayments: {
    pages: ['first'],
    orders: ['movementGuid', 'valueDate'],
  },
  listAuditEntries: {
    pages: ['first', 'last'],
    orders: ['position', 'entityGuid', 'subjectGuid'],
  },
  searchEvents: {
    pages: ['first', 'last'],
    orders: ['position', 'subject'],
  },
}

export const steadyKinds: ReadonlySet<string> = new Set(
  Object.entries(steady).flatMap(([list, { pages, orders }]) => [
    ...pages.map((page) => `${list} ${page} page`),
    ...orders.flatMap((member) => ['asc', 'desc'].map((direction) => `${list} by ${member} ${direction}`)),
  ]),
)
