import { Anchor, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TemplateFault } from '../../../../contract/collection/letter-templates.ts'
import { formatNumber } from '../../format/format.ts'

interface FaultListProps {
  faults: readonly TemplateFault[]
  onShow: (fault: TemplateFault) => void
}

/** What is wrong with the text, each with a link to its line. */
export function FaultList({ faults, onShow }: FaultListProps) {
  const { t } = useTranslation()
  const describe = useFaultTexts()
  return (
    <div role="status" aria-label={t('templates.faults')}>
      {faults.length > 0 && (
        <ul className="template-faults">
          {faults.map((fault, index) => (
            <li key={index}>
              {fault.line > 0 && (
                <Anchor component="button" type="button" size="sm" onClick={() => onShow(fault)}>
                  {t('templates.line', { number: formatNumber(fault.line) })}
                </Anchor>
              )}{' '}
              <Text span size="sm">
                {describe(fault)}
              </Text>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

/** In the reader's language; what the typesetter says is English. */
function useFaultTexts(): (fault: TemplateFault) => string {
  const { t } = useTranslation()
  return ({ kind, name, nearest, message }) => {
    const hash = `#${name}`
    switch (kind) {
      case 'unknown':
        return [
          t('templates.faultUnknown', { name: hash }),
          nearest === null ? '' : t('templates.faultNearest', { name: `#${nearest}` }),
        ].join(' ')
      case 'keyword':
        return t('templates.faultKeyword', { name: hash })
      case 'brackets':
        return t('templates.faultBrackets', { name: hash })
      case 'sign':
        return name === '.' ? t('templates.faultPoint') : t('templates.faultSign', { name })
      case 'nesting':
        return t('templates.faultNesting')
      case 'number':
        return t('templates.faultNumber', { name })
      case 'missing':
        return t('templates.faultMissing', { name: hash })
      case 'typst':
        return t('templates.faultTypst', { message })
    }
  }
}
