import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { userCulture } from '../format/format.ts'
import { recordCurrency, showValue } from '../lists/show-value.ts'
import type { ListField } from '../lists/list-fields.ts'
import { useLabels } from '../texts/labels.ts'

interface FactsProps {
  fields: readonly ListField[]
  names: readonly string[]
  record: object
  /** Whose labels come first. */
  entity?: string
  /** Shown when no member is known. */
  none?: string
}

/** The known members of a record by name; unknown ones are omitted. */
export function Facts({ fields, names, record, entity, none }: FactsProps) {
  const { t } = useTranslation()
  const label = useLabels()
  const words = { yes: t('value.yes'), no: t('value.no'), ...recordCurrency(record) }
  const known = names.flatMap((name) => {
    const field = fields.find((one) => one.name === name)
    const value = (record as Record<string, unknown>)[name]
    if (!field || value === null || value === undefined || value === '') return []
    return [
      {
        name,
        title: label([`field.${entity}.${name}`, `field.${name}`], field.title),
        value: codeName(name, String(value)) ?? showValue(field, value, words),
      },
    ]
  })
  if (known.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {none ?? t('value.none')}
      </Text>
    )
  }
  return (
    <dl className="facts">
      {known.map(({ name, title, value }) => (
        <Fact key={name} name={name} title={title} value={value} />
      ))}
    </dl>
  )
}

const codeKinds = { languageCode: 'language', currencyCode: 'currency', countryCode: 'region' } as const

/** The name of an ISO code. */
function codeName(member: string, code: string): string | undefined {
  const type = codeKinds[member as keyof typeof codeKinds]
  if (!type) return undefined
  try {
    return new Intl.DisplayNames(userCulture(), { type }).of(code)
  } catch {
    return undefined
  }
}

/** Phone numbers and e-mails are links. */
function Fact({ name, title, value }: { name: string; title: string; value: string }) {
  const href = /email/i.test(name)
    ? `mailto:${value}`
    : /phone/i.test(name)
      ? `tel:${value.replaceAll(/[^+\d]/g, '')}`
      : undefined
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {href === undefined ? (
          value
        ) : (
          <a href={href} style={{ color: 'var(--mantine-color-anchor)' }}>
            {value}
          </a>
        )}
      </dd>
    </>
  )
}
