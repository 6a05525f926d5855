/** Scenarios of a case: movements by date, and the remaining amounts after each. */
import {
  all,
  close,
  credit,
  fee,
  invoice,
  pay,
  rate,
  reopen,
  reverse,
  terms,
  writeOff,
  testScenarios,
  type ScenarioTable,
} from '../../testing/records/scenarios.ts'

/** 10,000.00 SEK at 10 % from the registration on 1 January 2026, unless a scenario says otherwise. */
const scenarios: ScenarioTable = [
  [
    'interest accrues daily, and a payment covers costs and interest first',
    { fee: 180 },
    [
      ['2026-01-01', null, 10000, 0, 180, 10180, 'NEW'],
      ['2026-01-31', null, 10000, 82.19, 180, 10262.19],
      ['2026-01-31', pay(1000), 9262.19, 0, 0, 9262.19],
      ['2026-03-02', null, 9262.19, 76.13, 0, 9338.32],
    ],
  ],
  [
    'moving the business date back and forth gives the figures of each date',
    {},
    [
      ['2026-01-31', pay(1000), 9082.19, 0, 0, 9082.19],
      ['2026-03-02', null, 9082.19, 74.65, 0, 9156.84],
      ['2026-01-11', null, 10000, 27.4, 0, 10027.4],
      ['2025-12-31', null, 0, 0, 0, 0],
      ['2026-03-02', null, 9082.19, 74.65, 0, 9156.84],
      ['2030-01-01', null, 9082.19, 3560.72, 0, 12642.91],
      ['2026-01-30', null, 10000, 79.45, 0, 10079.45],
      ['2026-01-31', null, 9082.19, 0, 0, 9082.19],
    ],
  ],
  [
    'a leap year accrues 366 days over 365',
    { on: '2024-02-28' },
    [
      ['2024-02-29', null, 10000, 2.74, 0, 10002.74],
      ['2024-03-01', null, 10000, 5.48, 0, 10005.48],
      ['2025-02-28', null, 10000, 1002.74, 0, 11002.74],
    ],
  ],
  [
    'a backdated payment changes what was posted after it',
    {},
    [
      ['2026-01-31', pay(82.19, {}, 'first'), 10000, 0, 0, 10000],
      ['2026-03-02', null, 10000, 82.19, 0, 10082.19],
      ['2026-03-02', pay(5000, { valueDate: '2026-01-11' }), 4972.76, 40.87, 0, 5013.63],
    ],
  ],
  [
    'reversing a payment reopens the case that it closed',
    {},
    [
      ['2026-01-31', pay(10082.19), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-03-02', null, 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-03-02', reverse(), 10000, 164.38, 0, 10164.38, 'NEW'],
      ['2026-01-31', null, 10000, 82.19, 0, 10082.19, 'NEW'],
    ],
  ],
  [
    'an overpayment becomes the debtor’s credit',
    {},
    [['2026-01-31', pay(11000), 0, 0, 0, 0, 'PAID_IN_FULL']],
  ],
  [
    'two payments are booked in the same second',
    {},
    [
      [
        '2026-01-31',
        async (stage) => {
          await Promise.all([pay(1000)(stage), pay(2000)(stage)])
        },
        7082.19,
        0,
        0,
        7082.19,
      ],
    ],
  ],
  ['paid to the client', {}, [['2026-01-31', pay(1082.19, { toThirdParty: true }), 9000, 0, 0, 9000]]],
  [
    'a case is registered with opening interest and costs',
    { interest: 500, fee: 300 },
    [
      ['2026-01-01', null, 10000, 500, 300, 10800],
      ['2026-01-31', pay(800), 10000, 82.19, 0, 10082.19],
    ],
  ],
  [
    'invoices with their own due dates are paid oldest first',
    { dueDate: '2026-01-10', interestFromDate: '2026-01-10' },
    [
      [
        '2026-01-10',
        invoice({ principal: 1000, dueDate: '2026-01-05', interestRate: 20 }),
        11000,
        2.74,
        0,
        11002.74,
      ],
      ['2026-01-20', null, 11000, 35.62, 0, 11035.62],
      ['2026-01-20', pay(1035.62), 10000, 0, 0, 10000],
    ],
  ],
  [
    'a fee on a paid case reopens it',
    {},
    [
      ['2026-01-31', pay(10082.19), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-02-01', all(reopen, fee(60)), 0, 0, 60, 60, 'NEW'],
    ],
  ],
  [
    'a credit note lowers the principal from its date',
    {},
    [
      ['2026-01-31', credit(4000), 6000, 82.19, 0, 6082.19],
      ['2026-03-02', null, 6000, 131.51, 0, 6131.51],
    ],
  ],
  [
    'interest is written off',
    {},
    [
      ['2026-01-31', writeOff(82.19, { component: 'interest' }), 10000, 0, 0, 10000],
      ['2026-03-02', null, 10000, 82.19, 0, 10082.19],
    ],
  ],
  [
    'new terms apply from their day on',
    {},
    [
      ['2026-01-31', terms({ interestRate: 5 }), 10000, 80.82, 0, 10080.82], // 29 × 10 % and 1 × 5 %
      ['2026-03-02', null, 10000, 121.92, 0, 10121.92],
    ],
  ],
  [
    'Sweden’s reference rate falls from 4 to 3 at the new year',
    { on: '2024-12-01', interestRate: 0 },
    [
      ['2024-12-01', terms({ interestSeries: 'SE', interestPoints: 8 }), 10000, 0, 0, 10000],
      ['2024-12-31', null, 10000, 98.63, 0, 10098.63],
      ['2025-01-01', null, 10000, 101.64, 0, 10101.64],
      ['2024-12-15', null, 10000, 46.03, 0, 10046.03],
      ['2025-02-01', null, 10000, 195.07, 0, 10195.07],
    ],
  ],
  [
    'interest stops while the case is closed manually, and resumes at the reopening',
    {},
    [
      ['2026-01-31', close('RECALLED_BY_CLIENT'), 10000, 82.19, 0, 10082.19, 'RECALLED_BY_CLIENT'],
      ['2026-03-02', null, 10000, 82.19, 0, 10082.19],
      ['2026-03-02', reopen, 10000, 82.19, 0, 10082.19, 'NEW'],
      ['2026-03-12', null, 10000, 109.59, 0, 10109.59],
      ['2026-01-21', null, 10000, 54.79, 0, 10054.79],
    ],
  ],
  [
    'amounts in yen have no decimals',
    { currencyCode: 'JPY', principal: 100000 },
    [
      ['2026-01-31', null, 100000, 822, 0, 100822],
      ['2026-01-31', pay(10822), 90000, 0, 0, 90000],
    ],
  ],
  [
    'amounts in dinars have three decimals',
    { currencyCode: 'KWD', principal: 1000.125 },
    [
      ['2026-01-31', null, 1000.125, 8.22, 0, 1008.345],
      ['2026-01-31', pay(8.221), 1000.124, 0, 0, 1000.124],
    ],
  ],
  [
    'a future rate applies from its day, and a corrected rate from the beginning',
    { interestRate: 0 },
    [
      [
        '2026-01-01',
        all(rate('XY', '2025-01-01', 2), terms({ interestSeries: 'XY', interestPoints: 8 })),
        10000,
        0,
        0,
        10000,
      ],
      ['2026-01-31', pay(1082.19), 9000, 0, 0, 9000],
      ['2026-02-10', rate('XY', '2026-03-01', 1), 9000, 24.66, 0, 9024.66],
      ['2026-02-28', null, 9000, 69.04, 0, 9069.04],
      ['2026-03-01', null, 9000, 71.26, 0, 9071.26],
      ['2026-03-10', null, 9000, 91.23, 0, 9091.23],
      ['2026-03-10', rate('XY', '2025-01-01', -9), 8917.81, 21.99, 0, 8939.8],
      ['2026-02-28', null, 8917.81, 0, 0, 8917.81],
    ],
  ],
]

testScenarios('a case', scenarios)
