import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Icon } from '../widgets/icons.tsx'
import { useNavigation, type NavigationPlace } from './navigation.ts'

/** The menu: sections with their pages. */
export function NavigationList() {
  const sections = useNavigation()
  const urls = sections
    .flatMap(({ page, places }) => [...(page ? [page] : []), ...places])
    .map(({ url }) => url)
  return (
    <ul className="navigation-list">
      {sections.map(({ label, page, places, icon }) => (
        <li key={label}>
          {page ? (
            <NavigationLink place={page} urls={urls}>
              <Icon name={icon} />
            </NavigationLink>
          ) : (
            <span className="navigation-label">
              <Icon name={icon} />
              {label}
            </span>
          )}
          {places.length > 0 && (
            <ul className="navigation-list">
              {places.map((place) => (
                <li key={place.url}>
                  <NavigationLink place={place} urls={urls} />
                </li>
              ))}
            </ul>
          )}
        </li>
      ))}
    </ul>
  )
}

interface NavigationLinkProps {
  place: NavigationPlace
  /** All addresses of the menu, because a page below this one may have its own entry. */
  urls: string[]
  children?: ReactNode
}

function NavigationLink({ place: { url, label }, urls, children }: NavigationLinkProps) {
  const exact = url === '/' || urls.some((other) => other.startsWith(`${url}/`))
  return (
    <Link to={url as '/'} className="navigation-link" activeOptions={{ exact, includeSearch: false }}>
      {children}
      {label}
    </Link>
  )
}
