/** The navigation: what the user's access codes open, and what more the service names (S6). */
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import type { TextKey } from '../texts/languages.ts'
import type { IconName } from '../widgets/icons.tsx'

export interface NavigationItem {
  label: string
  url: string
  icon: IconName
}
export interface NavigationSection {
  label: string
  items: NavigationItem[]
}

interface Place {
  section: 'work' | 'administration'
  key: TextKey
  url: string
  icon: IconName
  /** Of these access codes one is needed; none for everybody. */
  access?: readonly string[]
}

const places: readonly Place[] = [
  { section: 'work', key: 'navigation.home', url: '/', icon: 'home' },
  { section: 'work', key: 'navigation.debtors', url: '/debtors', icon: 'people', access: ['debtor.read'] },
  { section: 'work', key: 'navigation.cases', url: '/cases', icon: 'cases', access: ['case.read'] },
  { section: 'work', key: 'navigation.clients', url: '/clients', icon: 'building', access: ['client.read'] },
  { section: 'work', key: 'navigation.plans', url: '/plans', icon: 'calendar', access: ['paymentplan.read'] },
  { section: 'work', key: 'navigation.payments', url: '/payments', icon: 'money', access: ['payment.read'] },
  { section: 'work', key: 'navigation.dashboard', url: '/dashboard', icon: 'chart', access: ['report.read'] },
  { section: 'work', key: 'navigation.reports', url: '/reports', icon: 'document', access: ['report.read'] },
  {
    section: 'work',
    key: 'navigation.paymentFiles',
    url: '/payment-files',
    icon: 'money',
    access: ['payment.write'],
  },
  {
    section: 'work',
    key: 'navigation.suspense',
    url: '/suspense',
    icon: 'money',
    access: ['payment.write'],
  },
  {
    section: 'work',
    key: 'navigation.payouts',
    url: '/payouts',
    icon: 'money',
    access: ['payment.write'],
  },
  {
    section: 'administration',
    key: 'navigation.holdings',
    url: '/holdings',
    icon: 'document',
    access: ['client.read'],
  },
  { section: 'administration', key: 'navigation.users', url: '/users', icon: 'key', access: ['user.read'] },
  {
    section: 'administration',
    key: 'navigation.access',
    url: '/access',
    icon: 'key',
    access: ['user.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.fields',
    url: '/fields',
    icon: 'fields',
    access: ['form.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.lookups',
    url: '/lookups',
    icon: 'list',
    access: ['lookup.write'],
  },
  {
    section: 'administration',
    key: 'navigation.rates',
    url: '/rates',
    icon: 'rate',
    access: ['system.read'],
  },
  {
    section: 'administration',
    key: 'navigation.strategies',
    url: '/strategies',
    icon: 'calendar',
    access: ['system.admin'],
  },
  { section: 'administration', key: 'navigation.jobs', url: '/jobs', icon: 'jobs', access: ['system.admin'] },
  {
    section: 'administration',
    key: 'navigation.commands',
    url: '/jobs/commands',
    icon: 'play',
    access: ['system.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.schedules',
    url: '/schedules',
    icon: 'calendar',
    access: ['system.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.webhooks',
    url: '/webhooks',
    icon: 'hook',
    access: ['system.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.settings',
    url: '/settings',
    icon: 'settings',
    access: ['system.admin'],
  },
  { section: 'administration', key: 'navigation.audit', url: '/audit', icon: 'list', access: ['audit.read'] },
  {
    section: 'administration',
    key: 'navigation.events',
    url: '/events',
    icon: 'bolt',
    access: ['system.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.outbox',
    url: '/outbox',
    icon: 'mail',
    access: ['system.admin'],
  },
  {
    section: 'administration',
    key: 'navigation.system',
    url: '/system',
    icon: 'info',
    access: ['system.read'],
  },
]

/** Places of our own by their addresses, which the service's navigation may name. */
const iconOf = (url: string): IconName => places.find((place) => place.url === url)?.icon ?? 'document'

export function useNavigation(): NavigationSection[] {
  const { t } = useTranslation()
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['navigation', user?.uniqueId, user?.languageCode],
    queryFn: ({ signal }) => api.getNavigation({}, { signal }),
    staleTime: 600_000,
  })
  const own = places.filter(
    ({ access }) => !access || access.some((code) => user?.accessCodes.includes(code)),
  )
  const sections = (['work', 'administration'] as const).map((section) => ({
    label: t(`navigation.${section}`),
    items: own
      .filter((place) => place.section === section)
      .map(({ key, url, icon }) => ({ label: t(key), url, icon })),
  }))
  // Home is the worklist.
  const known = new Set([...places.map(({ url }) => url), '/worklist'])
  // The service may know of places that this console has no screen for; new records are begun from their list.
  const { routesByPath } = useRouter()
  const more = (data?.sections ?? []).map(({ label, url, subSections }) => ({
    label,
    items: [{ label, url }, ...subSections]
      .filter((item) => item.url in routesByPath && !known.has(item.url) && !item.url.endsWith('/new'))
      // A section without a page of its own leads to its first place, which is named as well.
      .filter((item, index, all) => all.findIndex(({ url: other }) => other === item.url) === index)
      .map((item) => ({ label: item.label, url: item.url, icon: iconOf(item.url) })),
  }))
  return [...sections, ...more].filter(({ items }) => items.length > 0)
}
