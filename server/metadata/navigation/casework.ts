/** What a case handler works on: cases, and who owes. */
import { form, operation, type Section } from './section.ts'

export const casework: readonly Section[] = [
  {
    code: 'work',
    url: '/work',
    icon: 'list-checks',
    places: [{ code: 'work-mine', url: '/work', opens: operation('listWork') }],
  },
  {
    code: 'worklist',
    url: '/worklist',
    icon: 'inbox',
    places: [{ code: 'worklist-all', url: '/worklist', opens: operation('listAllCases') }],
  },
  {
    code: 'dashboard',
    url: '/dashboard',
    icon: 'chart',
    places: [{ code: 'dashboard-figures', url: '/dashboard', opens: operation('getPortfolio') }],
  },
  {
    code: 'debtors',
    url: '/debtors',
    icon: 'users',
    places: [
      { code: 'debtors-list', url: '/debtors', opens: operation('listDebtors') },
      { code: 'debtors-create', url: '/debtors/new', opens: operation('createDebtor') },
    ],
  },
  {
    code: 'cases',
    url: '/cases',
    icon: 'folder',
    places: [
      { code: 'cases-list', url: '/cases', opens: operation('listAllCases') },
      { code: 'cases-register', url: '/cases/new', opens: form('case', 'register') },
    ],
  },
  {
    code: 'objections',
    url: '/objections',
    icon: 'message',
    places: [{ code: 'objections-list', url: '/objections', opens: operation('listObjections') }],
  },
  {
    code: 'approvals',
    url: '/approvals',
    icon: 'circle-check',
    places: [
      { code: 'approvals-list', url: '/approvals', opens: operation('listApprovals') },
      { code: 'approvals-limits', url: '/approvals/limits', opens: operation('listApprovalLimits') },
    ],
  },
]
