import { operations } from '../../../contract/api.ts'
import type { Language } from '../../../contract/platform/languages.ts'
import * as contract from '../../../contract/metadata/navigation.ts'
import { mayCall } from '../../access/serve/admit.ts'
import type { Caller } from '../../platform/http/caller.ts'
import { serve } from '../../access/serve/route.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'
import { findText } from '../../../core/text/texts.ts'
import { sections } from './navigation.ts'
import type { Place } from './section.ts'

/** Whether there is such a form and the caller may open it. */
export interface OpenForms {
  mayOpen(caller: Caller, entity: string, type: string): boolean
}

export function serveNavigation(service: ServerContext, forms: OpenForms): void {
  const byName = new Map(operations.map((operation) => [operation.name, operation]))
  const mayOpen = (caller: Caller, { opens, ofAgency }: Pick<Place, 'opens' | 'ofAgency'>): boolean => {
    if (ofAgency === true && caller.partyIds !== null) return false
    if ('form' in opens) return forms.mayOpen(caller, ...opens.form)
    return mayCall(byName.get(opens.operation)!, caller)
  }
  serve(service, contract.getNavigation, async ({ caller }) => ({
    body: { sections: sectionsFor(caller.language, (place) => mayOpen(caller, place)) },
  }))
}

function sectionsFor(language: Language, isShown: (place: Place) => boolean): contract.NavigationSection[] {
  const say = (code: string) => findText(language, 'navigation', code)!
  return (
    sections
      .map((section) => ({
        sectionCode: section.code,
        label: say(section.code),
        description: say(`${section.code}.about`),
        url: section.url,
        icon: section.icon,
        groupCode: section.group,
        groupLabel: say(`group.${section.group}`),
        subSections: section.places.filter(isShown).map((place) => ({
          subSectionCode: place.code,
          label: say(place.code),
          description: say(`${place.code}.about`),
          url: place.url,
        })),
      }))
      .filter(({ subSections }) => subSections.length > 0)
      // A section without its own page leads to the first that the caller may open.
      .map((section) => {
        const hasPage = section.subSections.some(({ url }) => url === section.url)
        return { ...section, hasPage, url: hasPage ? section.url : section.subSections[0]!.url }
      })
  )
}
