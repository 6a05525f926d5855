/**
 * Interest scenarios with figures that can be checked by hand. The default principal is 36,500.00: one
 * percent a year is 1.00 a day. The first day is excluded, the last day is included.
 */
import {
  all,
  invoice,
  pay,
  rate,
  terms,
  testScenarios,
  type ScenarioTable,
} from '../testing/records/scenarios.ts'

const principal = 36_500
/** Terms that follow a reference rate series. */
const follow = (interestSeries: string, interestPoints: number) => terms({ interestSeries, interestPoints })

/** 36,500.00 SEK at 10 % from the registration on 1 January 2026, unless a scenario says otherwise. */
const scenarios: ScenarioTable = [
  [
    // Forsinkelsesrente, margin included: 12 % until 30 June 2026, 12.25 % from 1 July.
    'Norway’s rate rises within the period, and the new rate applies on the day of the change',
    { on: '2026-06-16', currencyCode: 'NOK', interestRate: 0 },
    [
      ['2026-06-16', follow('NO', 0), 36500, 0, 0, 36500],
      ['2026-06-30', null, 36500, 168, 0, 36668], // 14 × 12.00
      ['2026-07-01', null, 36500, 180.25, 0, 36680.25], // + 12.25
      ['2026-07-31', null, 36500, 547.75, 0, 37047.75], // 168.00 + 31 × 12.25 = 379.75
      ['2026-07-31', pay(4197.75), 32850, 0, 0, 32850], // 547.75, then 3,650.00 of principal
      ['2026-08-10', null, 32850, 110.25, 0, 32960.25], // 10 × 12.25 × 0.9
    ],
  ],
  [
    // Riksbankens referensränta + 8: 12 % to the end of 2024, 11 % in the first half of 2025, 10 % in the second.
    'Sweden’s reference rate changes twice within one period',
    { on: '2024-12-22', interestRate: 0 },
    [
      ['2024-12-22', follow('SE', 8), 36500, 0, 0, 36500],
      ['2024-12-31', null, 36500, 108, 0, 36608], // 9 × 12
      ['2025-06-30', null, 36500, 2099, 0, 38599], // + 181 × 11 = 1,991
      ['2025-07-10', null, 36500, 2199, 0, 38699], // + 10 × 10
    ],
  ],
  [
    // Basiszinssatz −0.88 until the end of 2022, 1.62 from 1 January 2023; five points on top for a consumer.
    'a negative German base rate reduces the points',
    { on: '2022-12-21', currencyCode: 'EUR', interestRate: 0 },
    [
      ['2022-12-21', follow('DE', 5), 36500, 0, 0, 36500],
      ['2022-12-31', null, 36500, 41.2, 0, 36541.2], // 10 × 4.12
      ['2023-01-10', null, 36500, 107.4, 0, 36607.4], // + 10 × 6.62 = 66.20
    ],
  ],
  [
    // Nationalbankens udlånsrente −0.45 until the end of 2022, 1.9 from 1 January 2023; eight points on top.
    'a negative Danish rate, with a payment before the rate rises',
    { on: '2022-12-01', currencyCode: 'DKK', interestRate: 0 },
    [
      ['2022-12-01', follow('DK', 8), 36500, 0, 0, 36500],
      ['2022-12-11', pay(3725.5), 32850, 0, 0, 32850], // 10 × 7.55 = 75.50, then 3,650.00
      ['2022-12-31', null, 32850, 135.9, 0, 32985.9], // 20 × 7.55 × 0.9
      ['2023-01-10', null, 32850, 225, 0, 33075], // + 10 × 9.90 × 0.9 = 89.10
    ],
  ],
  [
    'a negative total rate stops interest and does not reduce what has accrued',
    { on: '2026-01-22', interestRate: 0 },
    [
      [
        '2026-01-22',
        all(
          rate('XN', '2026-01-01', 2),
          rate('XN', '2026-02-01', -12),
          rate('XN', '2026-03-01', -4),
          follow('XN', 8),
        ),
        36500,
        0,
        0,
        36500,
      ],
      ['2026-01-31', null, 36500, 90, 0, 36590], // 9 × (2 + 8)
      ['2026-02-28', null, 36500, 90, 0, 36590], // −12 + 8 is below zero: none
      ['2026-03-10', null, 36500, 130, 0, 36630], // + 10 × (−4 + 8)
    ],
  ],
  [
    // A 3,650 bears 1.00 a day from the 10th, B 7,300 2.00 from the 20th, C 3,650 at 20 % 2.00 from the 15th, D none.
    'four invoices each accrue from their own due date at their own rate',
    { principal: 3650, dueDate: '2026-01-10', interestFromDate: '2026-01-10' },
    [
      [
        '2026-01-01',
        all(
          invoice({ principal: 7300, dueDate: '2026-01-20' }),
          invoice({ principal: 3650, dueDate: '2026-01-15', interestRate: 20 }),
          invoice({ principal: 500, dueDate: '2026-01-05', interestRate: 0 }),
        ),
        15100,
        0,
        0,
        15100,
      ],
      ['2026-01-10', null, 15100, 0, 0, 15100],
      ['2026-01-15', null, 15100, 5, 0, 15105], // A 5
      ['2026-01-20', null, 15100, 20, 0, 15120], // A 10, C 10
      ['2026-01-30', null, 15100, 70, 0, 15170], // A 20, C 30, B 20
      ['2026-01-30', pay(4220), 10950, 0, 0, 10950], // 70 of interest; D (due the 5th) 500, A (the 10th) 3,650
      ['2026-02-09', null, 10950, 40, 0, 10990], // C 20, B 20
      ['2026-02-09', pay(3690), 7300, 0, 0, 7300], // 40 of interest; C (the 15th) 3,650
      ['2026-02-19', null, 7300, 20, 0, 7320], // B 20
    ],
  ],
  [
    'an invoice accrues from its interest date, later than its due date',
    { dueDate: '2025-12-01', interestFromDate: '2026-02-01' },
    [
      ['2026-02-01', null, 36500, 0, 0, 36500],
      ['2026-02-02', null, 36500, 10, 0, 36510],
    ],
  ],
  [
    'a payment on 29 February splits the interest period',
    { on: '2024-02-19' },
    [
      ['2024-02-29', null, 36500, 100, 0, 36600], // 10 days
      ['2024-02-29', pay(3750), 32850, 0, 0, 32850],
      ['2024-03-01', null, 32850, 9, 0, 32859],
      ['2024-03-31', null, 32850, 279, 0, 33129], // 31 × 9
      ['2025-02-28', null, 32850, 3285, 0, 36135], // a year of 365 days: 10 % of 32,850
    ],
  ],
  [
    'a leap year bears one more day of interest than the yearly rate',
    { on: '2023-12-31' },
    [
      ['2024-12-31', null, 36500, 3660, 0, 40160], // 366 × 10
      ['2025-12-31', null, 36500, 7310, 0, 43810], // 731 × 10
    ],
  ],
  [
    // 18.25 × 10 % / 365 = 0.005 a day, to the cent.
    'half an öre is rounded up once for the whole period, not per day',
    { principal: 18.25 },
    [
      ['2026-01-02', null, 18.25, 0.01, 0, 18.26], // 0.005
      ['2026-01-03', null, 18.25, 0.01, 0, 18.26], // 0.010
      ['2026-01-04', null, 18.25, 0.02, 0, 18.27], // 0.015
      ['2026-12-31', null, 18.25, 1.82, 0, 20.07], // 364 × 0.005
    ],
  ],
  [
    'slightly less than half an öre is rounded down',
    { principal: 18.24 },
    [['2026-01-02', null, 18.24, 0, 0, 18.24]], // 0.004997
  ],
  [
    // 12.00 × 10 % / 365 = 0.0033: no cent for one invoice, one cent for the three together.
    'interest of several invoices is rounded once, in total',
    { principal: 12, interestFromDate: '2026-01-10' },
    [
      [
        '2026-01-10',
        all(
          invoice({ principal: 12, dueDate: '2026-01-10' }),
          invoice({ principal: 12, dueDate: '2026-01-10' }),
        ),
        36,
        0,
        0,
        36,
      ],
      ['2026-01-11', null, 36, 0.01, 0, 36.01],
    ],
  ],
  [
    'interest that began before the registration is owed from its first day',
    { interestFromDate: '2025-12-02' },
    [
      ['2026-01-01', null, 36500, 300, 0, 36800], // 30 days
      ['2026-01-11', null, 36500, 400, 0, 36900],
    ],
  ],
  [
    'without a start date, interest begins after the due date',
    { interestFromDate: null, dueDate: '2025-12-22' },
    [['2026-01-01', null, 36500, 100, 0, 36600]], // 10 days
  ],
  [
    'with interest included up to the registration, accrual begins after the registration',
    { interest: 250, interestFromDate: null, dueDate: '2025-10-01' },
    [
      ['2026-01-01', null, 36500, 250, 0, 36750],
      ['2026-01-11', null, 36500, 350, 0, 36850],
    ],
  ],
  [
    'opening interest and opening fees are paid before later ones',
    { interest: 250, fee: 180, interestFromDate: '2026-02-01' },
    [
      ['2026-01-31', null, 36500, 250, 180, 36930],
      ['2026-02-11', null, 36500, 350, 180, 37030], // 10 days from 1 February
      ['2026-02-11', pay(430), 36500, 100, 0, 36600], // the fee of 180, the old interest of 250
      ['2026-02-21', null, 36500, 200, 0, 36700],
    ],
  ],
  [
    'backdated terms recompute interest and the allocation of later payments',
    {},
    [
      ['2026-01-21', pay(3850), 32850, 0, 0, 32850], // 200 of interest
      ['2026-01-31', null, 32850, 90, 0, 32940],
      // 9 × 10 before the 11th, 11 × 5 until the payment: 145, so 3,705 of principal; then 32,795 × 5 % × 10 / 365.
      ['2026-01-31', terms({ interestRate: 5, valueDate: '2026-01-11' }), 32795, 44.92, 0, 32839.92],
    ],
  ],
  ['a rate of zero adds no interest', { interestRate: 0 }, [['2030-01-01', null, 36500, 0, 0, 36500]]],
  [
    // 1,825 × 10 % / 365 = 0.5 yen a day.
    'half a yen is rounded up to one yen',
    { currencyCode: 'JPY', principal: 1825 },
    [
      ['2026-01-02', null, 1825, 1, 0, 1826], // 0.5
      ['2026-01-03', null, 1825, 1, 0, 1826], // 1.0
      ['2026-01-04', null, 1825, 2, 0, 1827], // 1.5
      ['2026-01-04', pay(2), 1825, 0, 0, 1825],
      ['2026-01-05', null, 1825, 1, 0, 1826], // 0.5 since the payment
      ['2026-01-05', pay(1826), 0, 0, 0, 0, 'PAID_IN_FULL'],
    ],
  ],
  [
    // 36.500 × 10 % / 365 = 10 fils a day.
    'amounts in dinars are rounded to the fils',
    { currencyCode: 'KWD', principal: 36.5 },
    [
      ['2026-01-31', null, 36.5, 0.3, 0, 36.8],
      ['2026-01-31', pay(0.305), 36.495, 0, 0, 36.495],
      ['2026-02-01', null, 36.495, 0.01, 0, 36.505], // 0.0099986
      ['2026-02-01', pay(36.504), 0.001, 0, 0, 0.001],
      ['2026-02-01', pay(0.001), 0, 0, 0, 0, 'PAID_IN_FULL'],
    ],
  ],
  [
    'a unit of account with four decimals is rounded to its smallest unit',
    { currencyCode: 'CLF', principal: 3.65 },
    [
      ['2026-01-02', null, 3.65, 0.001, 0, 3.651],
      ['2026-01-31', pay(0.0301), 3.6499, 0, 0, 3.6499],
    ],
  ],
]

testScenarios('interest', scenarios, { principal })
