/** Payments, plans and reports; and the clients whom the money is for. */
import { form, operation, type Section } from './section.ts'

export const money: readonly Section[] = [
  {
    code: 'payments',
    url: '/payments',
    icon: 'coins',
    places: [
      {
        code: 'payments-list',
        url: '/payments',
        opens: operation('listAllPayments'),
      },
      {
        code: 'payments-register',
        url: '/payments/new',
        opens: form('payment', 'register'),
      },
      {
        code: 'payments-files',
        url: '/payment-files',
        opens: operation('uploadPaymentFile'),
        ofAgency: true,
      },
      {
        code: 'payments-suspense',
        url: '/suspense',
        opens: operation('allocateSuspense'),
        ofAgency: true,
      },
      {
        code: 'payments-payouts',
        url: '/payouts',
        opens: operation('listPayouts'),
        ofAgency: true,
      },
    ],
  },
  {
    code: 'plans',
    url: '/plans',
    icon: 'calendar',
    places: [
      {
        code: 'plans-list',
        url: '/plans',
        opens: operation('listAllPlans'),
      },
      {
        code: 'plans-promises',
        url: '/promises',
        opens: operation('listPromises'),
      },
    ],
  },
  {
    code: 'reports',
    url: '/reports',
    icon: 'file-text',
    places: [
      {
        code: 'reports-all',
        url: '/reports',
        opens: operation('getReport'),
      },
    ],
  },
]

export const clients: readonly Section[] = [
  {
    code: 'clients',
    url: '/clients',
    icon: 'building',
    places: [
      {
        code: 'clients-list',
        url: '/clients',
        opens: operation('listClients'),
      },
      {
        code: 'clients-create',
        url: '/clients/new',
        opens: form('client', 'create'),
      },
      {
        code: 'clients-thirdparties',
        url: '/holdings',
        opens: operation('listThirdParties'),
      },
    ],
  },
]
