/** The navigation: the pages that the user may open (S6). */
import { useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import { useSession } from '../session/session.ts'
import type { IconName } from '../widgets/icons.tsx'

export interface NavigationPlace {
  label: string
  url: string
  icon: IconName
}
export interface NavigationSection {
  group: { code: string; label: string }
  label: string
  icon: IconName
  /** The section's own page, unless the user may open only pages below it. */
  page?: NavigationPlace
  /** The other pages, without the forms for new records. */
  places: NavigationPlace[]
  /** The forms for new records. */
  forms: NavigationPlace[]
}

/** The console's icons by their names in S6. */
const icons: Record<string, IconName> = {
  'list-checks': 'home',
  inbox: 'inbox',
  chart: 'chart',
  users: 'people',
  folder: 'cases',
  coins: 'money',
  'file-text': 'document',
  calendar: 'calendar',
  building: 'building',
  flag: 'flag',
  'user-cog': 'key',
  clock: 'jobs',
  upload: 'upload',
  shield: 'shield',
  message: 'message',
  'circle-check': 'approve',
  scale: 'scale',
  mail: 'mail',
  info: 'info',
  settings: 'settings',
}

export function useNavigation(): NavigationSection[] {
  const { user } = useSession()
  const { data } = useQuery({
    queryKey: ['navigation', user?.uniqueId, user?.languageCode],
    queryFn: ({ signal }) => api.getNavigation({}, { signal }),
    staleTime: 600_000,
  })
  return (data?.sections ?? []).map((section) => {
    const { label, url, icon: name, hasPage, subSections } = section
    const icon = icons[name] ?? 'document'
    const others = subSections.filter((one) => !hasPage || one.url !== url)
    return {
      group: { code: section.groupCode, label: section.groupLabel },
      label,
      icon,
      ...(hasPage && { page: toPlace({ label, url }, icon) }),
      places: others.filter((one) => !isForm(one)).map((one) => toPlace(one, icon)),
      forms: others.filter(isForm).map((one) => toPlace(one, 'plus')),
    }
  })
}

const toPlace = ({ label, url }: { label: string; url: string }, icon: IconName): NavigationPlace => ({
  label,
  // The handlers' work is the start screen, whose address is `/`.
  url: url === '/work' ? '/' : url,
  icon,
})

const isForm = ({ url }: { url: string }): boolean => url.endsWith('/new')
