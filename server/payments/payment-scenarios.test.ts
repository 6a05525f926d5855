/**
 * Payment scenarios with figures that can be checked by hand: 36,500.00 at 10 % accrues 10.00 a day, and
 * 3,650.00 accrues 1.00.
 */
import {
  addDebtor,
  anotherCase,
  credit,
  fee,
  holds,
  owedBy,
  pay,
  payAsDebtor,
  refund,
  remainsOn,
  reverse,
  terms,
  useOn,
  type Event,
  testScenarios,
  type ScenarioTable,
} from '../testing/records/scenarios.ts'

/** Runs events concurrently, as if by two users. */
const inOneSecond =
  (...events: Event[]): Event =>
  async (stage) => {
    await Promise.all(events.map((event) => event(stage)))
  }

/** 36,500.00 SEK at 10 % from the registration on 1 January 2026, unless a scenario says otherwise. */
const scenarios: ScenarioTable = [
  [
    'a backdated payment that covers everything turns the later payment into credit, until it is reversed',
    {},
    [
      ['2026-03-02', pay(5000, {}, 'late'), 32100, 0, 0, 32100], // 60 days: 600 of interest, 4,400 of principal
      ['2026-03-12', null, 32100, 87.95, 0, 32187.95], // 32,100 × 10 % × 10 / 365 = 87.945
      ['2026-03-12', pay(36800, { valueDate: '2026-01-31' }, 'back'), 0, 0, 0, 0, 'PAID_IN_FULL'], // 36,500 + 300
      ['2026-03-12', holds(5000_00), 0, 0, 0, 0],
      ['2026-03-12', reverse('back'), 32100, 87.95, 0, 32187.95, 'NEW'],
      ['2026-03-12', holds(0), 32100, 87.95, 0, 32187.95],
    ],
  ],
  [
    'after reversing the first of two payments, the second pays interest instead',
    {},
    [
      ['2026-01-31', pay(3950, {}, 'first'), 32850, 0, 0, 32850], // 300 and 3,650
      ['2026-03-02', pay(1270, {}, 'second'), 31850, 0, 0, 31850], // 30 × 9 = 270, and 1,000
      ['2026-03-02', reverse('first'), 35830, 0, 0, 35830], // 60 × 10 = 600, and 670
      ['2026-03-02', reverse('second'), 36500, 600, 0, 37100],
    ],
  ],
  [
    'the payment that closed the case bounces, and the debtor pays again',
    {},
    [
      ['2026-01-31', pay(36800), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-03-02', null, 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-03-02', reverse(), 36500, 600, 0, 37100, 'NEW'],
      ['2026-03-12', null, 36500, 700, 0, 37200],
      ['2026-03-12', pay(37200), 0, 0, 0, 0, 'PAID_IN_FULL'],
    ],
  ],
  [
    'a payment bounces after its overpayment was refunded: the debtor owes that too',
    {},
    [
      ['2026-01-31', pay(37000), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-01-31', holds(200_00), 0, 0, 0, 0],
      ['2026-02-10', refund(200), 0, 0, 0, 0],
      ['2026-02-10', holds(0), 0, 0, 0, 0],
      ['2026-02-20', reverse(), 36500, 500, 0, 37000, 'NEW'], // 50 days
      ['2026-02-20', holds(-200_00), 36500, 500, 0, 37000],
      ['2026-02-20', pay(37200), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-02-20', holds(0), 0, 0, 0, 0],
    ],
  ],
  [
    'two concurrent payments exceed the debt together',
    {},
    [
      ['2026-01-31', inOneSecond(pay(20000), pay(20000)), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-01-31', holds(3200_00), 0, 0, 0, 0], // 40,000 − 36,800
    ],
  ],
  [
    'a fee added after the day’s payment is paid by the next payment, backdated to that day',
    {},
    [
      ['2026-01-31', pay(300), 36500, 0, 0, 36500],
      ['2026-01-31', fee(60), 36500, 0, 60, 36560],
      ['2026-02-10', pay(60, { valueDate: '2026-01-31' }), 36500, 100, 0, 36600],
    ],
  ],
  [
    'a payment on the registration day reduces the principal immediately',
    {},
    [
      ['2026-01-01', pay(3650), 32850, 0, 0, 32850],
      ['2026-01-11', null, 32850, 90, 0, 32940],
    ],
  ],
  [
    'with principal paid first, the remaining interest and costs bear no interest',
    { fee: 180 },
    [
      ['2026-01-01', terms({ allocationOrder: 'PRINCIPAL_INTEREST_COST' }), 36500, 0, 180, 36680],
      ['2026-01-31', pay(36500), 0, 300, 180, 480],
      ['2026-03-02', null, 0, 300, 180, 480],
      ['2026-03-02', pay(350), 0, 0, 130, 130],
      ['2026-03-02', pay(130), 0, 0, 0, 0, 'PAID_IN_FULL'],
    ],
  ],
  [
    'interest is paid before costs',
    { fee: 180 },
    [
      ['2026-01-01', terms({ allocationOrder: 'INTEREST_COST_PRINCIPAL' }), 36500, 0, 180, 36680],
      ['2026-01-31', pay(400), 36500, 0, 80, 36580], // 300, then 100 of the fee
    ],
  ],
  [
    'an overpayment to the client creates no credit at the agency',
    {},
    [
      ['2026-01-31', pay(3950, { toThirdParty: true }), 32850, 0, 0, 32850],
      ['2026-01-31', holds(0, 3950_00), 32850, 0, 0, 32850],
      ['2026-02-10', pay(40000, { toThirdParty: true }), 0, 0, 0, 0, 'PAID_IN_FULL'], // 90 + 32,850
      ['2026-02-10', holds(0, 36890_00), 0, 0, 0, 0], // 3,950 + 32,940; the rest is the third party's to return
    ],
  ],
  [
    'a payment to the client is reversed because the client did not receive it',
    {},
    [
      ['2026-01-31', pay(3950, { toThirdParty: true }), 32850, 0, 0, 32850],
      ['2026-02-10', reverse(), 36500, 400, 0, 36900],
      ['2026-02-10', holds(0, 0), 36500, 400, 0, 36900],
    ],
  ],
  [
    'a payment by one co-debtor reduces the debt of the other',
    {},
    [
      ['2026-01-31', addDebtor('wife'), 36500, 300, 0, 36800],
      ['2026-01-31', owedBy('wife', 36800), 36500, 300, 0, 36800],
      ['2026-01-31', payAsDebtor(3950, 'wife'), 32850, 0, 0, 32850],
      ['2026-02-10', owedBy('wife', 32940), 32850, 90, 0, 32940],
      ['2026-02-10', payAsDebtor(32940), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-02-10', owedBy('wife', 0), 0, 0, 0, 0],
      ['2026-02-10', reverse(), 32850, 90, 0, 32940, 'NEW'],
      ['2026-02-10', owedBy('wife', 32940), 32850, 90, 0, 32940],
    ],
  ],
  [
    'a debtor’s payment on two cases goes first to the one registered first',
    {},
    [
      ['2026-01-01', anotherCase(3650, 'second'), 36500, 0, 0, 36500],
      ['2026-01-31', payAsDebtor(37500), 0, 0, 0, 0, 'PAID_IN_FULL'], // 36,800
      ['2026-01-31', remainsOn('second', 2980, 0, 0), 0, 0, 0, 0], // 700: 30 of interest, 670 of principal
      ['2026-01-31', reverse(), 36500, 300, 0, 36800, 'NEW'],
      ['2026-01-31', remainsOn('second', 3650, 30, 0), 36500, 300, 0, 36800],
    ],
  ],
  [
    'the overpayment of one case pays another',
    {},
    [
      ['2026-01-01', anotherCase(3650, 'second'), 36500, 0, 0, 36500],
      ['2026-01-31', pay(37000), 0, 0, 0, 0, 'PAID_IN_FULL'],
      ['2026-02-10', useOn('second', 200), 0, 0, 0, 0],
      ['2026-02-10', remainsOn('second', 3490, 0, 0), 0, 0, 0, 0], // 40 of interest, 160 of principal
    ],
  ],
  [
    'a balance within the tolerance closes the case',
    {},
    [
      ['2026-01-01', terms({ tolerance: 5 }), 36500, 0, 0, 36500],
      ['2026-01-31', pay(36795), 5, 0, 0, 5, 'SMALL_BALANCE'],
      ['2026-12-31', null, 5, 0, 0, 5],
      ['2026-12-31', reverse(), 36500, 3640, 0, 40140, 'NEW'], // 364 days
    ],
  ],
  [
    'a balance one öre above the tolerance does not close the case',
    {},
    [
      ['2026-01-01', terms({ tolerance: 5 }), 36500, 0, 0, 36500],
      ['2026-01-31', pay(36794.99), 5.01, 0, 0, 5.01, 'NEW'],
      ['2026-12-31', null, 5.01, 0.46, 0, 5.47], // 5.01 × 10 % × 334 / 365 = 0.458
    ],
  ],
  [
    'a credit note backdated before a payment reduces the interest that the payment covered',
    {},
    [
      ['2026-01-31', pay(3950), 32850, 0, 0, 32850],
      // 32,850 from the beginning: 30 × 9 = 270 of interest, so 3,680 of principal.
      ['2026-01-31', credit(3650, null, { valueDate: '2026-01-01' }), 29170, 0, 0, 29170],
    ],
  ],
]

testScenarios('payments', scenarios, { principal: 36_500 })
