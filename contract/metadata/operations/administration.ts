/** The operations of the forms of clients and their records, of users, and of the installation. */
import * as approvals from '../forms/approvals.ts'
import * as clients from '../forms/clients.ts'
import * as fields from '../forms/fields.ts'
import * as holdings from '../forms/holdings.ts'
import * as rates from '../forms/rates.ts'
import * as strategies from '../forms/strategies.ts'
import * as system from '../forms/system.ts'
import * as trials from '../forms/trials.ts'
import * as users from '../forms/users.ts'
import { formOperations as of } from './form-operation.ts'

const clientGuid = '0198f2c4-7b90-7f12-9e44-1c7d2a5b8e03'

export const administration = [
  of(
    approvals.approvalLimitCreate,
    { read: 'getApprovalLimitCreateValues', submit: 'createApprovalLimit' },
    { act: 'WRITE_OFF', userRole: 3, currencyCode: 'SEK', amount: 1000 },
  ),
  of(
    approvals.approvalLimitEdit,
    { read: 'getApprovalLimitEditValues', submit: 'updateApprovalLimit', remove: 'deleteApprovalLimit' },
    { amount: 2000 },
  ),
  of(
    clients.clientCreate,
    { read: 'getClientCreateValues', submit: 'createClient' },
    { name: 'Nordia Bredband AB', partyReferenceCode: 'NORDIA', countryCode: 'SE', currencyCode: 'SEK' },
  ),
  of(
    clients.clientEdit,
    { read: 'getClientEditValues', submit: 'updateClient', remove: 'deleteClient' },
    { name: 'Nordia Fiber AB' },
  ),
  of(
    holdings.thirdPartyForms.create,
    { read: 'getThirdPartyCreateValues', submit: 'createThirdParty' },
    { clientGuid, name: 'Advokat Berg', email: 'berg@example.com', city: 'Lund', countryCode: 'SE' },
  ),
  of(
    holdings.thirdPartyForms.edit,
    { read: 'getThirdPartyEditValues', submit: 'updateThirdParty', remove: 'deleteThirdParty' },
    { phone: '+46701740605' },
  ),
  of(
    holdings.accountForms.create,
    { read: 'getAccountCreateValues', submit: 'createAccount' },
    { clientGuid, accountNumber: '8327-9 123 456', name: 'Rent', currencyCode: 'SEK' },
  ),
  of(
    holdings.accountForms.edit,
    { read: 'getAccountEditValues', submit: 'updateAccount', remove: 'deleteAccount' },
    { name: 'Rent and heating' },
  ),
  of(
    holdings.customerForms.create,
    { read: 'getCustomerCreateValues', submit: 'createCustomer' },
    { clientGuid, customerNumber: '55012', name: 'Åsa Lindqvist', email: 'asa.lindqvist@example.com' },
  ),
  of(
    holdings.customerForms.edit,
    { read: 'getCustomerEditValues', submit: 'updateCustomer', remove: 'deleteCustomer' },
    { city: 'Lund' },
  ),
  of(
    holdings.purchaseForms.create,
    { read: 'getPurchaseCreateValues', submit: 'createPurchase' },
    { clientGuid, purchaseNumber: 'O-20981', purchaseDate: '2026-01-02', amount: 480, currencyCode: 'SEK' },
  ),
  of(
    holdings.purchaseForms.edit,
    { read: 'getPurchaseEditValues', submit: 'updatePurchase', remove: 'deletePurchase' },
    { description: 'Router' },
  ),
  of(
    holdings.objectForms.create,
    { read: 'getObjectCreateValues', submit: 'createObject' },
    { clientGuid, objectNumber: 'FLAT-1203', street: 'Storgatan', zipCode: '211 42', city: 'Malmö' },
  ),
  of(
    holdings.objectForms.edit,
    { read: 'getObjectEditValues', submit: 'updateObject', remove: 'deleteObject' },
    { name: 'Flat, third floor' },
  ),
  of(
    users.userCreate,
    { read: 'getUserCreateValues', submit: 'createUserByForm' },
    {
      fullName: 'Eva Ek',
      email: 'eva.ek@agency.example',
      userCode: 'eva',
      userRole: 3,
      partyReferenceCode: 'AGENCY',
      invite: true,
    },
  ),
  of(
    users.userEdit,
    { read: 'getUserEditValues', submit: 'updateUserByForm', remove: 'deleteUser' },
    { department: 'Legal' },
  ),
  of(
    users.accessGroupCreate,
    { read: 'getAccessGroupCreateValues', submit: 'createAccessGroup' },
    { code: 'readers', name: 'Readers', accessCodes: 'debtor.read,case.read' },
  ),
  of(
    users.accessGroupEdit,
    { read: 'getAccessGroupEditValues', submit: 'updateAccessGroup', remove: 'deleteAccessGroup' },
    { accessCodes: 'debtor.read,case.read,payment.read' },
  ),
  of(
    fields.fieldCreate,
    { read: 'getFieldCreateValues', submit: 'createField' },
    { entity: 'debtor', code: 'segment', type: 'string', textEn: 'Segment', length: 20 },
  ),
  of(
    fields.fieldEdit,
    { read: 'getFieldEditValues', submit: 'updateField', remove: 'deleteField' },
    { required: true },
  ),
  of(
    rates.interestRateCreate,
    { read: 'getInterestRateCreateValues', submit: 'createInterestRate' },
    { interestSeries: 'SE', validFrom: '2026-07-01', rate: 2.5, source: 'https://www.riksbank.se' },
  ),
  of(
    rates.interestRateEdit,
    { read: 'getInterestRateEditValues', submit: 'updateInterestRate', remove: 'deleteInterestRate' },
    { rate: 2.25 },
  ),
  of(
    rates.statutoryFeeCreate,
    { read: 'getStatutoryFeeCreateValues', submit: 'createStatutoryFee' },
    { countryCode: 'SE', feeType: 'reminder', currencyCode: 'SEK', validFrom: '2026-07-01', amount: 60 },
  ),
  of(
    rates.statutoryFeeEdit,
    { read: 'getStatutoryFeeEditValues', submit: 'updateStatutoryFee', remove: 'deleteStatutoryFee' },
    { validTo: '2026-12-31' },
  ),
  of(
    strategies.strategyCreate,
    { read: 'getStrategyCreateValues', submit: 'createStrategyByForm' },
    {
      code: 'GENTLE',
      name: 'Gentle',
      steps:
        '{"code":"REMIND","status":"NEW","afterDays":3,"actions":[{"kind":"letter","letter":"reminder"}]}',
    },
  ),
  of(
    strategies.strategyEdit,
    { read: 'getStrategyEditValues', submit: 'updateStrategyByForm', remove: 'deleteStrategyByForm' },
    { name: 'Gentle, without fees' },
  ),
  of(
    trials.trialCreate,
    { read: 'getTrialCreateValues', submit: 'createTrialByForm' },
    {
      name: 'Gentler reminders',
      champion: 'NORDIC',
      challenger: 'SOFT',
      challengerShare: 30,
      outcomeDays: 90,
      highestAmount: 20000,
      currencyCode: 'SEK',
      plannedCases: 5000,
    },
  ),
  of(
    trials.trialEdit,
    { read: 'getTrialEditValues', submit: 'updateTrialByForm', remove: 'deleteTrialByForm' },
    { plannedCases: 8000 },
  ),
  of(
    system.lookupValueCreate,
    { read: 'getLookupValueCreateValues', submit: 'createLookupValue' },
    { lookupCode: 'segment', lookupKey: 'GOLD', textEn: 'Gold', textSv: 'Guld' },
  ),
  of(
    system.lookupValueEdit,
    { read: 'getLookupValueEditValues', submit: 'updateLookupValue', remove: 'deleteLookupValue' },
    { position: 2 },
  ),
  of(
    system.noteCreate,
    { read: 'getNoteCreateValues', submit: 'addNote' },
    { text: 'Promised to pay on Friday.' },
  ),
  of(
    system.noteEdit,
    { read: 'getNoteEditValues', submit: 'updateNote', remove: 'deleteNote' },
    { text: 'Promised to pay on Monday.' },
  ),
  of(
    system.systemSettingsEdit,
    { read: 'getSystemSettingsValues', submit: 'updateSystemSettings' },
    { currencyCode: 'SEK', firstDueDays: 30, graceDays: 5 },
  ),
  of(
    system.webhookCreate,
    { read: 'getWebhookCreateValues', submit: 'createWebhook' },
    { url: 'https://hooks.example.com/fordra', types: 'case.closed,payment.*', enabled: true },
  ),
  of(
    system.webhookEdit,
    { read: 'getWebhookEditValues', submit: 'updateWebhook', remove: 'deleteWebhook' },
    { enabled: false },
  ),
  of(
    system.scheduleCreate,
    { read: 'getScheduleCreateValues', submit: 'createSchedule' },
    { command: 'apply-strategies', cron: '0 6 * * 1-5', enabled: true },
  ),
  of(
    system.scheduleEdit,
    { read: 'getScheduleEditValues', submit: 'updateSchedule', remove: 'deleteSchedule' },
    { cron: '0 7 * * 1-5' },
  ),
] as const
