import { useTranslation } from 'react-i18next'
import type { Simulation } from '../../../../contract/collection/strategy-simulation.ts'
import { formatNumber } from '../../format/format.ts'
import { TableFrame } from '../../widgets/table-frame.tsx'

interface SimulationComparisonProps {
  inForce: Simulation
  draft: Simulation
  /** The names of the steps by their codes. */
  names: ReadonlyMap<string, string>
}

type Counted = 'taken' | 'refused'
const count = (of: Simulation, code: string, member: Counted): number =>
  of.steps.find(({ step }) => step === code)?.[member] ?? 0
const sum = (of: Simulation, member: Counted): number => of.steps.reduce((all, step) => all + step[member], 0)

/** A draft beside the version in force, step by step: in how many cases it is taken and refused. */
export function SimulationComparison({ inForce, draft, names }: SimulationComparisonProps) {
  const { t } = useTranslation()
  const codes = [...new Set([...inForce.steps, ...draft.steps].map(({ step }) => step))]
  const columns = (['taken', 'refused'] as const).flatMap((member) =>
    [inForce, draft].map((of) => ({ member, of })),
  )
  return (
    <TableFrame title={t('strategy.comparison')}>
      <thead>
        <tr>
          <th scope="col">{t('strategy.step')}</th>
          <th scope="col" className="amount">
            {t('strategy.takenInForce')}
          </th>
          <th scope="col" className="amount">
            {t('strategy.takenDraft')}
          </th>
          <th scope="col" className="amount">
            {t('strategy.refusedInForce')}
          </th>
          <th scope="col" className="amount">
            {t('strategy.refusedDraft')}
          </th>
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code}>
            <th scope="row" title={code}>
              {names.get(code) ?? code}
            </th>
            {columns.map(({ member, of }, index) => (
              <td key={index} className="amount">
                {formatNumber(count(of, code, member))}
              </td>
            ))}
          </tr>
        ))}
        <tr>
          <th scope="row">{t('strategy.allSteps')}</th>
          {columns.map(({ member, of }, index) => (
            <td key={index} className="amount">
              {formatNumber(sum(of, member))}
            </td>
          ))}
        </tr>
      </tbody>
    </TableFrame>
  )
}
