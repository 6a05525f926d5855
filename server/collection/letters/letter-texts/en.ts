/** The letters in English. */
import type { LetterWords } from './letter-words.ts'

export const en: LetterWords = {
  locale: 'en-GB',
  date: 'Date',
  reference: 'Your reference',
  caseNumber: 'Case',
  idNumber: 'Identity number',
  columns: ['Case', 'Creditor', 'Principal', 'Interest', 'Costs', 'To pay'],
  total: 'Total',
  nothing: 'There is nothing to pay.',
  payment: 'How to pay',
  amount: 'Amount',
  account: 'Account',
  paymentReference: 'Payment reference',
  due: 'Pay by',
  page: 'Page',
  regards: 'Yours faithfully',
  footer: 'Always state the payment reference. Interest counts up to {date}.',
  kinds: {
    statement: {
      title: 'Statement of account',
      before: ['This is what our records show as unpaid on {date}.'],
      after: [
        'If anything here is wrong, write to us and say what and why. We then look into it before anything else happens.',
      ],
    },
    reminder: {
      title: 'Reminder',
      before: ['According to {client} the following is still unpaid. You may have overlooked it.'],
      after: [
        'If you have paid already you need do nothing. If you dispute the claim, write to us before the due date.',
      ],
    },
    demand: {
      title: 'Demand for payment',
      before: [
        '{client} has asked us to collect the following claim. Please pay it by {due}.',
        'If you neither pay nor object by then, legal action may be taken, which can cost you more.',
      ],
      after: [
        'If you dispute the claim or cannot pay all of it at once, write to us before the due date: we can agree on a plan.',
      ],
    },
    legal: {
      title: 'Notice before legal action',
      before: [
        'Our demand has not been met. Unless the claim of {client} is paid by {due}, we will prepare an application to the court or the enforcement authority.',
        'The costs of that may be added to the claim.',
      ],
      after: ['You still can object to the claim or ask for a plan. Write to us before the due date.'],
    },
    surveillance: {
      title: 'Your debt remains',
      before: [
        'The following claim of {client} is still unpaid. We keep watch over it and interest goes on.',
      ],
      after: ['Whenever you can pay, in whole or in part, write to us. We can agree on a plan.'],
    },
  },
}
