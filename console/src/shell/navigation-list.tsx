import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, type ReactNode } from 'react'
import { Icon } from '../widgets/icons.tsx'
import { useFoldedGroups } from './folded-groups.ts'
import { useNavigation, type NavigationPlace, type NavigationSection } from './navigation.ts'

/** The menu: groups that fold, their sections, and the pages of these. */
export function NavigationList() {
  const sections = useNavigation()
  const { folded, toggle } = useFoldedGroups()
  const urls = sections
    .flatMap(({ page, places }) => [...(page ? [page] : []), ...places])
    .map(({ url }) => url)
  useCurrentInView(sections.length)
  const groups = Map.groupBy(sections, ({ group }) => group.code)
  return [...groups].map(([code, members]) => {
    const isFolded = folded.includes(code)
    const id = `navigation-${code}`
    return (
      <div key={code} className="navigation-group">
        <button
          type="button"
          className="navigation-fold"
          aria-expanded={!isFolded}
          aria-controls={id}
          onClick={() => toggle(code)}
        >
          {members[0]!.group.label}
          <Icon name={isFolded ? 'right' : 'fold'} size={13} />
        </button>
        <ul id={id} className="navigation-list" hidden={isFolded}>
          {members.map((section) => (
            <Section key={section.label} section={section} urls={urls} />
          ))}
        </ul>
      </div>
    )
  })
}

/** Scrolls a long menu to the place of the screen. */
function useCurrentInView(sections: number): void {
  const { pathname } = useLocation()
  useEffect(() => {
    for (const current of document.querySelectorAll('.navigation-link[aria-current="page"]')) {
      const menu = current.closest('.shell-navigation')
      if (!menu) continue
      const [place, frame] = [current.getBoundingClientRect(), menu.getBoundingClientRect()]
      const isInView = place.top >= frame.top && place.bottom <= frame.bottom
      if (!isInView) menu.scrollTop += place.top - frame.top - (frame.height - place.height) / 2
    }
  }, [pathname, sections])
}

function Section({ section, urls }: { section: NavigationSection; urls: string[] }) {
  const { label, page, places, icon } = section
  return (
    <li>
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
