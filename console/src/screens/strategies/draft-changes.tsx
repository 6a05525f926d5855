import { Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { StrategyStepInput } from '../../../../contract/collection/strategies.ts'
import { compareMember, type ChangeLine } from '../../widgets/changes/change-lines.ts'
import { Lines } from '../../widgets/changes/change-list.tsx'
import { Panel } from '../../widgets/page.tsx'
import { nameSteps } from './steps.ts'

interface DraftChangesProps {
  inForce: readonly StrategyStepInput[]
  draft: readonly StrategyStepInput[]
}

/** What a draft changes against the version in force, in words: steps added, removed and moved, days, actions, conditions. */
export function DraftChanges({ inForce, draft }: DraftChangesProps) {
  const { t } = useTranslation()
  const names = nameSteps([...inForce, ...draft])
  const lines = compareMember('steps', inForce, draft).map((line) => nameParts(line, names))
  return (
    <Panel title={t('strategy.changes')}>
      {lines.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('strategy.noChanges')}
        </Text>
      ) : (
        <Lines lines={lines} currency={null} />
      )}
    </Panel>
  )
}

/** Steps by their names. */
function nameParts(line: ChangeLine, names: ReadonlyMap<string, string>): ChangeLine {
  const [, ...path] = line.path
  const name = (code: string) => names.get(code) ?? code
  const [first] = path
  if (line.isOrder)
    return {
      ...line,
      path: [],
      before: (line.before as string[]).map(name),
      after: (line.after as string[]).map(name),
    }
  return first && 'element' in first
    ? { ...line, path: [{ element: name(first.element) }, ...path.slice(1)] }
    : line
}
