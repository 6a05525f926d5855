import { Type, type Static } from 'typebox'
import { operation } from '../platform/operation.ts'

const SubSection = Type.Object(
  {
    subSectionCode: Type.String(),
    label: Type.String(),
    description: Type.String(),
    url: Type.String({ description: 'A path in the console.' }),
  },
  { $id: 'NavigationSubSection' },
)

export const NavigationSection = Type.Object(
  {
    sectionCode: Type.String(),
    label: Type.String({ description: "In the caller's language." }),
    description: Type.String(),
    url: Type.String({
      description: "A path of the console's: the section's own page, else its first sub-section.",
    }),
    hasPage: Type.Boolean({ description: 'The caller may open a page of the section itself.' }),
    icon: Type.String({ description: 'The name of an icon. No other section has it.' }),
    groupCode: Type.String({
      description: 'The group of the section. Sections of a group follow each other.',
    }),
    groupLabel: Type.String({ description: "The name of the group in the caller's language." }),
    subSections: Type.Array(SubSection),
  },
  { $id: 'NavigationSection' },
)
export type NavigationSection = Static<typeof NavigationSection>

export const getNavigation = operation({
  id: 'S6',
  name: 'getNavigation',
  method: 'GET',
  path: '/system/navigation',
  area: 'System',
  summary: 'Get navigation',
  description: "The screens that the caller may open, in the caller's language.",
  access: 'session',
  status: 200,
  response: Type.Object({ sections: Type.Array(NavigationSection) }, { $id: 'Navigation' }),
})
