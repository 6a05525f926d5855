/** Scenarios that end a case other than by payment. 36,500.00 at 10 % accrues 10.00 a day. */
import {
  all,
  close,
  dayEnd,
  fee,
  hold,
  interrupt,
  pay,
  reopen,
  reverse,
  terms,
  writeOff,
  testScenarios,
  type ScenarioTable,
} from '../../testing/records/scenarios.ts'

/** 36,500.00 SEK at 10 % from the registration on 1 January 2026, unless a scenario says otherwise. */
const scenarios: ScenarioTable = [
  [
    'the tolerance is raised, and the day-end closes the balance within it',
    {},
    [
      ['2026-01-31', pay(36790), 10, 0, 0, 10, 'NEW'],
      ['2026-02-10', all(terms({ tolerance: 20 }), dayEnd), 10, 0.03, 0, 10.03, 'SMALL_BALANCE'], // 10 × 10 % × 10 / 365
      ['2026-12-31', null, 10, 0.03, 0, 10.03],
    ],
  ],
  [
    'the day-end does not close a small claim without any payment',
    { principal: 4 },
    [
      ['2026-01-01', terms({ tolerance: 5 }), 4, 0, 0, 4],
      ['2026-01-31', dayEnd, 4, 0.03, 0, 4.03, 'NEW'], // 4 × 10 % × 30 / 365
    ],
  ],
  [
    'a fee raises a small balance above the tolerance',
    {},
    [
      ['2026-01-01', terms({ tolerance: 5 }), 36500, 0, 0, 36500],
      ['2026-01-31', pay(36796.35), 3.65, 0, 0, 3.65, 'SMALL_BALANCE'],
      ['2026-02-10', all(reopen, fee(60)), 3.65, 0, 60, 63.65, 'NEW'],
      ['2026-05-21', null, 3.65, 0.1, 60, 63.75], // 100 days of 0.001, from the fee on
    ],
  ],
  [
    'only costs are written off',
    { fee: 180 },
    [
      ['2026-01-31', all(fee(60), writeOff(240, { component: 'cost' })), 36500, 300, 0, 36800],
      ['2026-02-10', null, 36500, 400, 0, 36900],
    ],
  ],
  [
    'half is paid, and the remainder is written off',
    {},
    [
      ['2026-01-31', pay(18400), 18400, 0, 0, 18400], // 300 of interest, 18,100 of principal
      ['2026-01-31', writeOff(18400), 0, 0, 0, 0, 'WRITTEN_OFF'],
      ['2026-12-31', null, 0, 0, 0, 0, 'WRITTEN_OFF'],
    ],
  ],
  [
    'a recalled case stays recalled when a payment arrives',
    {},
    [
      ['2026-01-31', close('RECALLED_BY_CLIENT'), 36500, 300, 0, 36800, 'RECALLED_BY_CLIENT'],
      ['2026-02-10', pay(3950), 32850, 0, 0, 32850, 'RECALLED_BY_CLIENT'],
      ['2026-03-12', all(reopen), 32850, 0, 0, 32850, 'NEW'],
      ['2026-03-22', null, 32850, 90, 0, 32940],
    ],
  ],
  [
    'a paid case that is reopened and recalled stands still when its payment is reversed',
    {},
    [
      ['2026-01-31', pay(36800), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-02-10', all(reopen, close('RECALLED_BY_CLIENT')), 0, 0, 0, 0, 'RECALLED_BY_CLIENT'],
      // Never paid: 40 days until it was recalled.
      ['2026-03-12', reverse(), 36500, 400, 0, 36900, 'RECALLED_BY_CLIENT'],
      ['2026-12-31', null, 36500, 400, 0, 36900, 'RECALLED_BY_CLIENT'],
      ['2026-12-31', reopen, 36500, 400, 0, 36900, 'NEW'],
      ['2027-01-10', null, 36500, 500, 0, 37000],
    ],
  ],
  [
    'a case that was written off stands still when an earlier payment is reversed',
    {},
    [
      ['2026-01-31', pay(3950), 32850, 0, 0, 32850], // 300 of interest, 3,650 of principal
      ['2026-01-31', writeOff(32850), 0, 0, 0, 0, 'WRITTEN_OFF'],
      ['2026-02-10', reverse(), 3950, 0, 0, 3950, 'WRITTEN_OFF'], // the write-off took 300 of interest first
      ['2026-12-31', null, 3950, 0, 0, 3950, 'WRITTEN_OFF'],
    ],
  ],
  [
    // Ten years from the due date in Sweden: the tenth anniversary is the last day.
    'a claim becomes time-barred in the night after its last day',
    { dueDate: '2016-01-10', claimKind: 'GENERAL' },
    [
      ['2026-01-10', dayEnd, 36500, 90, 0, 36590, 'NEW'],
      ['2026-01-11', dayEnd, 36500, 100, 0, 36600, 'TIME_BARRED'],
      ['2026-02-10', null, 36500, 100, 0, 36600, 'TIME_BARRED'],
    ],
  ],
  [
    'an acknowledgment in time postpones the limitation date',
    { dueDate: '2016-01-10', claimKind: 'GENERAL' },
    [
      ['2026-01-05', interrupt('ACKNOWLEDGEMENT'), 36500, 40, 0, 36540, 'NEW'],
      ['2026-01-11', dayEnd, 36500, 100, 0, 36600, 'NEW'],
      ['2036-01-05', dayEnd, 36500, 36560, 0, 73060, 'NEW'], // ten years with two leap days, and four days: 3,656
      ['2036-01-06', dayEnd, 36500, 36570, 0, 73070, 'TIME_BARRED'],
    ],
  ],
  [
    'a payment in time postpones the limitation date, unless it is reversed',
    { dueDate: '2016-01-10', claimKind: 'GENERAL' },
    [
      ['2026-01-05', pay(3690), 32850, 0, 0, 32850, 'NEW'], // 40 of interest, 3,650 of principal
      ['2026-01-11', dayEnd, 32850, 54, 0, 32904, 'NEW'], // 6 × 9
      ['2026-01-12', all(reverse(), dayEnd), 36500, 110, 0, 36610, 'TIME_BARRED'], // 11 × 10
    ],
  ],
  [
    // Three years from the invoice in Sweden, for what a trader supplied to a consumer.
    'a consumer’s debt becomes time-barred three years after the purchase',
    { invoiceDate: '2023-01-10', dueDate: '2023-02-09', claimKind: 'CONSUMER' },
    [
      ['2026-01-10', dayEnd, 36500, 90, 0, 36590, 'NEW'],
      ['2026-01-11', dayEnd, 36500, 100, 0, 36600, 'TIME_BARRED'],
    ],
  ],
  [
    'a hold stops the day-end’s closing but not interest',
    { dueDate: '2016-01-10', claimKind: 'GENERAL' },
    [
      ['2026-01-05', hold('HOLD_DISPUTE'), 36500, 40, 0, 36540, 'NEW'],
      ['2026-01-31', dayEnd, 36500, 300, 0, 36800, 'NEW'],
    ],
  ],
]

testScenarios('the end of a case', scenarios, { principal: 36_500 })
