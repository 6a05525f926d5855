/** Cases with their history and payment plans as they stand, as SQL: a row for each, with lists as JSON. */
import { CaseHistoryRow } from '../../../../contract/integration/history-imports.ts'
import { PlanHistoryRow } from '../../../../contract/integration/plan-history-imports.ts'
import type { CarriedKind } from './carried-kind.ts'

const units = (column: string, of = 'c') => `${column}::numeric / ${of}.minor_per_unit`
const amount = (column: string, of = 'c') => `(${column} / ${of}.minor_per_unit::float8)`
const terms = (of: string) => `
  'interestRate', trim_scale(${of}.interest_rate)::text, 'interestSeries', ${of}.interest_series,
  'interestPoints', trim_scale(${of}.interest_points)::text`
const selectDebtor = (column: string) => `(select debtor_reference from debtor where id = ${column})`
const list = (object: string, order: string) =>
  `json_agg(json_strip_nulls(json_build_object(${object})) order by ${order})`

const invoices = `(select ${list(
  `'invoiceNumber', i.invoice_number, 'invoiceDate', i.invoice_date, 'dueDate', i.due_date, 'description', i.description,
   'principal', ${units('i.principal')}, ${terms('i')}, 'interestFromDate', i.interest_from_date,
   'interestStartRule', i.interest_start_rule, 'opening', i.opening`,
  'i.number',
)} from invoice i where i.case_id = c.id)`

const payments = `(select ${list(
  `'paymentReference', p.id, 'amount', ${units('p.amount')}, 'valueDate', p.value_date, 'registeredDate', p.registered_date,
   'payerReference', p.payer_reference, 'toThirdParty', p.to_third_party, 'debtorReference', ${selectDebtor('p.debtor_id')},
   'caseReference', (select case_number from debt_case where id = p.case_id),
   'reversedDate', p.reversed_date,
   'reversalReason', p.reversal_reason,
   'bounced', p.bounced`,
  'p.id',
)} from payment p where p.case_id = c.id or exists (
    select from movement m where m.case_id = c.id and m.payment_id = p.id))`

const movements = `(select ${list(
  `'kind', m.kind, 'valueDate', m.value_date, 'bookedDate', m.booked_date,
   'amount', case when m.amount > 0 then ${units('m.amount')} end,
   'invoice', (select i.number from invoice i where i.id = m.invoice_id), 'paymentReference', m.payment_id,
   'reverses', (select r.number from movement r where r.id = m.reverses_id), 'allocationOrder', m.allocation_order,
   'tolerance', ${units('m.tolerance_minor')}, 'details', nullif(m.details, '{}')`,
  'm.number',
)} from movement m where m.case_id = c.id)`

const debtors = `(select ${list(
  `'debtorReference', ${selectDebtor('cd.debtor_id')}, 'debtorRole', cd.debtor_role, 'addedDate', cd.added_date`,
  'cd.added_date, cd.debtor_id',
)} from case_debtor cd where cd.case_id = c.id and cd.debtor_role <> 'MAIN_DEBTOR')`
const interruptions = `(select ${list(
  `'interruption', l.kind, 'interruptedDate', l.interrupted_date, 'inWriting', nullif(l.in_writing, false)`,
  'l.interrupted_date, l.id',
)} from limitation_interruption l where l.case_id = c.id)`

export const caseHistories: CarriedKind = {
  what: 'casehistories',
  schema: CaseHistoryRow,
  entity: 'case',
  members: {
    sourceReference: 'c.case_number',
    partyReferenceCode: 'k.reference_code',
    debtorReference: selectDebtor('c.main_debtor_id'),
    service: 'c.service',
    clientReferenceNumber: 'c.client_reference_number',
    currencyCode: 'c.currency_code',
    registrationDate: 'c.registration_date',
    description: 'c.description',
    claimKind: 'c.claim_kind',
    interestRate: 'trim_scale(c.interest_rate)::text',
    interestSeries: 'c.interest_series',
    interestPoints: 'trim_scale(c.interest_points)::text',
    interest: amount('c.opening_interest'),
    fee: amount('c.opening_fee'),
    courtCosts: amount('c.opening_court_costs'),
    feeType: 'c.opening_fee_type',
    feeDate: 'c.opening_fee_date',
    withheldFee: amount('c.withheld_fee'),
    allocationOrder: 'c.allocation_order',
    tolerance: amount('c.tolerance_minor'),
    dayCount: 'c.day_count',
    governingCountry: 'c.governing_country',
    governingFrom: 'c.governing_from',
    limitationCountry: 'c.limitation_country',
    reminderFeeAgreed: 'c.reminder_fee_agreed',
    dueDateBasis: 'c.due_date_basis',
    noticeDeadline: 'c.notice_deadline',
    minorClaimChecked: 'c.minor_claim_checked',
    demandedAlone: 'c.demanded_alone',
    status: 'c.place_status',
    subStatus: 'c.place_sub_status',
    statusSince: 'c.status_since',
    hold: 'c.hold',
    holdReference: 'c.hold_id',
    holdFrom: 'c.hold_from',
    holdUntil: 'c.hold_until',
    beforePlanStatus: 'c.before_plan_status',
    beforePlanSubStatus: 'c.before_plan_sub_status',
    closureCode: 'c.closure_code',
    closureDate: 'c.closure_date',
    invoices,
    payments,
    movements,
    debtors,
    interruptions,
  },
  custom: 'c.custom',
  // Into an empty database they then get the numbers that they have.
  from: 'debt_case c join party k on k.id = c.client_id order by c.running_number',
}

const minor = (text: string) => `(${text})::numeric / p.minor_per_unit`
const planPayments = `(select ${list(
  `'paymentNo', n.payment_no, 'invoiceDate', n.invoice_date, 'dueDate', n.due_date, 'instalment', ${units('n.instalment', 'p')},
   'interest', ${units('n.interest', 'p')}, 'fee', ${units('n.fee', 'p')}, 'paymentType', n.payment_type,
   'paid', ${units('n.paid', 'p')}, 'paidDate', n.paid_date, 'missedDate', n.missed_date`,
  'n.payment_no',
)} from payment_plan_payment n where n.plan_id = p.id)`
const planCases = `(select ${list(
  `'caseReference', c.case_number, 'active', pc.active, 'claim', ${units('pc.claim', 'p')},
   'movementsBefore', pc.movements_before, 'movementsThrough', pc.movements_through`,
  'pc.number',
)} from payment_plan_case pc join debt_case c on c.id = pc.case_id where pc.plan_id = p.id)`
const deviations = `(select ${list(
  `'paymentNo', e -> 'paymentNo', 'dueDate', e ->> 'dueDate', 'amount', ${minor("e ->> 'amount'")}`,
  'place',
)} from jsonb_array_elements(p.deviations) with ordinality t (e, place))`
const periods = `(select ${list(
  `'periodNo', e -> 'periodNo', 'intervalType', e -> 'intervalType', 'interval', e -> 'interval',
   'paymentType', e -> 'paymentType', 'startDate', e ->> 'startDate', 'endDate', e ->> 'endDate',
   'amount', ${minor("e ->> 'amount'")}`,
  'place',
)} from jsonb_array_elements(p.periods) with ordinality t (e, place))`

export const planHistories: CarriedKind = {
  what: 'planhistories',
  schema: PlanHistoryRow,
  members: {
    sourceReference: 'p.id',
    paymentPlanGuid: 'p.id',
    debtorReference: selectDebtor('p.debtor_id'),
    active: 'p.active',
    endReason: 'p.end_reason',
    endDate: 'p.end_date',
    paymentPlanType: 'p.plan_type',
    registrationDate: 'p.registration_date',
    startDate: 'p.start_date',
    currencyCode: 'p.currency_code',
    askedNumber: 'p.asked_number',
    askedAmount: amount('p.asked_amount', 'p'),
    registrationFee: amount('p.registration_fee', 'p'),
    invoiceFee: amount('p.invoice_fee', 'p'),
    reminderFee: amount('p.reminder_fee', 'p'),
    firstDueDays: 'p.first_due_days',
    intervalType: 'p.interval_type',
    interval: 'p.interval_count',
    freeMonths: 'to_json(p.free_months)',
    askedFirstDue: 'p.asked_first_due',
    countedFrom: 'p.counted_from',
    payDay: 'p.pay_day',
    dueCountry: 'p.due_country',
    evenPayments: 'p.even_payments',
    closingPayment: 'p.closing_payment',
    graceDays: 'p.grace_days',
    missesToBreach: 'p.misses_to_breach',
    numberOfPayments: 'p.number_of_payments',
    levelAmount: amount('p.level_amount', 'p'),
    claim: amount('p.claim', 'p'),
    leftAmount: amount('p.left_amount', 'p'),
    annualPercentage: 'p.annual_percentage',
    invoicedThrough: 'p.invoiced_through',
    nextCheck: 'p.next_check',
    deviations,
    periods,
    payments: planPayments,
    cases: planCases,
  },
  from: 'payment_plan p order by p.registration_date, p.id',
}
