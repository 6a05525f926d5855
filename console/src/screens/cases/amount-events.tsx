import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { CaseExplanation } from '../../../../contract/cases/case-explanation.ts'

/** When the case stood still, and what was reversed: they are in no figure, but explain them. */
export function AmountEvents({ explanation }: { explanation: CaseExplanation }) {
  const { t } = useTranslation()
  const texts = [...explanation.standstills, ...explanation.reversals].map(({ text }) => text)
  if (texts.length === 0) return null
  return (
    <>
      <Text size="sm" fw={600} mt="sm">
        {t('amounts.events')}
      </Text>
      <ul className="explanation">
        {texts.map((text, index) => (
          <li key={index} className="lined">
            <Text size="sm">{text}</Text>
          </li>
        ))}
      </ul>
    </>
  )
}
