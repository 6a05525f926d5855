/**
 * What a sandbox gets of each column that can hold text. A test demands a kind for every such column of the database, so
 * that a new one cannot bring personal data into a sandbox unnoticed.
 */
import type { MaskKind } from './mask-kinds.ts'

/** Column names by kind, separated by blanks. */
type Columns = Partial<Record<MaskKind, string>>

/** Sign-ins, queues, outgoing messages, seals and what users keep for themselves: a sandbox begins without them. */
export const emptiedTables: readonly string[] = (
  'assistant_client assistant_code audit_carry_over audit_head audit_key audit_seal erasure authenticator ' +
  'client_secret ' +
  'external_identity login_failure mfa_challenge oidc_attempt passkey password_reset ' +
  'password_reset_request recovery_code session session_token bulk_action bulk_action_row ' +
  'import_run job_run message notification schedule_slot uploaded_file uploaded_part webhook ' +
  'webhook_delivery idempotency_key favorite user_setting notification_choice notification_email held_payment_file sandbox attachment deleted_attachment'
).split(' ')

/** Written again from the masked rows. */
export const derivedTables: readonly string[] = ['item', 'search_word']

const contact = {
  words: 'name street city',
  email: 'email',
  phone: 'phone',
  shape: 'zip_code',
  keep: 'country_code',
  custom: 'custom',
  token: 'source_reference',
}

/** By table, in the order of the alphabet. */
export const columnKinds: Readonly<Record<string, Columns>> = {
  access_group: { keep: 'code name access_codes', none: 'external_id' },
  account: {
    code: 'account_number',
    words: 'name',
    keep: 'currency_code',
    text: 'description',
    custom: 'custom',
    token: 'source_reference',
  },
  address: {
    keep: 'address_type state_code country_code',
    words: 'full_name street city full_address',
    shape: 'house_no house_no_extension zip_code',
    custom: 'custom',
  },
  app_user: {
    code: 'user_code',
    email: 'email',
    words: 'full_name given_name family_name',
    keep: 'language_code country_format culture_code',
    none:
      'password_hash client_secret_hash street house_no house_no_extension city state_code zip_code country_code ' +
      'phone_number cellular_phone_number pbx_phone_number employment_number department photo_image_type photo_image ' +
      'user_name external_id confirmed_email',
    token: 'source_reference',
    custom: 'custom',
  },
  approval: { keep: 'act status currency_code end_reason', json: 'request', text: 'reason decision_text' },
  approval_limit: { keep: 'act currency_code' },
  audit_entry: {
    none: 'request_id member_salts erasure_id',
    keep: 'operation action entity type',
    changes: 'changes',
    json: 'data',
    first: 'xid feed_xid',
    salt: 'salt',
  },
  case_debtor: { keep: 'debtor_role', words: 'full_name' },
  command_schedule: { keep: 'command argument cron', text: 'description' },
  customer: { ...contact, code: 'customer_number' },
  day_end_step: { keep: 'step', json: 'result place' },
  debt_case: {
    keep:
      'case_number currency_code service status sub_status place_status place_sub_status hold before_plan_status ' +
      'before_plan_sub_status closure_code payment_reference_number interest_series allocation_order claim_kind ' +
      'limitation_country interrupted_by governing_country day_count opening_fee_type due_date_basis',
    code: 'client_reference_number',
    text: 'description next_action',
    token: 'source_reference',
    custom: 'custom',
  },
  debtor: {
    keep:
      'debtor_reference id_country_code culture_code state_code country_code language_code currency_code nace_code ' +
      'preferred_channel email_consent sms_consent phone_consent time_zone',
    idNumber: 'id_number',
    birth: 'date_of_birth',
    words:
      'place_of_birth full_name firstname middlename lastname name_suffix domicile street city forwarding_address',
    none: 'municipal_code vat_number',
    phone: 'home_phone work_phone cellular_phone telefax conversation_notification_cellular_phone',
    email: 'email conversation_notification_email',
    shape: 'house_no house_no_extension zip_code',
    token: 'source_reference',
    custom: 'custom',
  },
  // A user's own has any name, which is unique among the user's.
  dashboard: { code: 'name', keep: 'tiles' },
  demand_group: { keep: 'payment_reference_number', known: 'rule' },
  document: { keep: 'kind language', words: 'title', letter: 'data', none: 'content' },
  extra_field: { keep: 'name', list: 'value' },
  held_money: { keep: 'currency_code' },
  held_total: { keep: 'currency_code' },
  invoice: {
    code: 'invoice_number',
    text: 'description',
    keep: 'interest_series interest_start_rule',
    token: 'source_reference',
  },
  law_finding: { keep: 'kind act rule source correction status', text: 'obstacle', json: 'details' },
  ledger_entry: { keep: 'account' },
  ledger_transaction: { keep: 'kind' },
  letter_template: { keep: 'kind language draft' },
  letter_template_version: { keep: 'source note' },
  limitation_interruption: { keep: 'kind' },
  list_total: { keep: 'entity' },
  live_setting: { keep: 'name value' },
  lone_act: { keep: 'act currency_code' },
  lookup_value: { keep: 'lookup_code lookup_key descriptions' },
  movement: { keep: 'kind allocation_order details' },
  note: { text: 'text', custom: 'custom' },
  object: {
    code: 'object_number',
    words: 'name street city',
    shape: 'zip_code',
    keep: 'country_code',
    text: 'description',
    custom: 'custom',
    token: 'source_reference',
  },
  objection: {
    keep: 'matter kind status measure answer_rule',
    text: 'reason evidence answer decision_reason',
    words: 'received_by',
  },
  party: {
    code: 'reference_code',
    words: 'name',
    bank: 'bank_account_no',
    keep:
      'country_code currency_code interest_series allocation_order fees services claim_kind interest_day_count ' +
      'due_date_basis',
    token: 'source_reference',
    custom: 'custom',
  },
  payment: {
    keep: 'currency_code',
    code: 'payer_reference',
    known: 'reversal_reason',
    token: 'source_reference',
  },
  payment_file: { keep: 'format', none: 'file_name message_id', bytes: 'sha256' },
  payment_file_entry: {
    bytes: 'identity',
    bank: 'account',
    keep: 'currency_code outcome reason',
    noElements: 'payment_references words',
    words: 'payer_name',
    text: 'message',
    code: 'end_to_end_id',
    none: 'originals',
  },
  payment_file_part: { code: 'reference', keep: 'reason' },
  payment_plan: {
    keep: 'end_reason currency_code deviations periods due_country',
    token: 'source_reference',
  },
  payout: { bank: 'account' },
  payout_batch: { keep: 'currency_code', bank: 'account', blank: 'content' },
  phone_call: { keep: 'outcome', text: 'text' },
  purchase: {
    code: 'purchase_number',
    keep: 'currency_code',
    text: 'description',
    custom: 'custom',
    token: 'source_reference',
  },
  reference_rate: { keep: 'series source' },
  reference_rate_change: { keep: 'series source_before' },
  statutory_fee: { keep: 'country_code fee_type debtor_kind currency_code stage condition source' },
  strategy: { keep: 'code name source' },
  strategy_step: { keep: 'code status sub_status service countries currencies actions source' },
  strategy_step_taken: { known: 'refused' },
  suspense: { keep: 'currency_code reason status', text: 'note' },
  system_setting: { keep: 'settings' },
  system_setting_history: { keep: 'settings' },
  third_party: { ...contact, idNumber: 'id_number', text: 'description' },
  trial: { keep: 'name currency_code status' },
  trust_entry: { keep: 'account' },
  trust_transaction: { keep: 'kind currency_code' },
  user_field: {
    keep: 'entity code type labels min_value max_value specific_values lookup_code default_value',
  },
  work_done: { keep: 'reason' },
}

export interface MaskedColumn {
  column: string
  kind: MaskKind
}

/** The columns of a table of the schema `public` with their kinds, those that are kept too. */
export const listKinds = (table: string): MaskedColumn[] =>
  Object.entries(columnKinds[table] ?? {}).flatMap(([kind, columns]) =>
    columns.split(' ').map((column) => ({ column, kind: kind as MaskKind })),
  )
