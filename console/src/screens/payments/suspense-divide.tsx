import { Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { Suspense } from '../../../../contract/treasury/suspense.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { countDecimals } from '../../format/decimals.ts'
import { formatMoney } from '../../format/format.ts'
import { DraftOffer } from '../../forms/draft-offer.tsx'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { useKeptJson } from '../../forms/use-kept-input.ts'
import { noticeDone } from '../../widgets/notices.ts'
import { WorkDialog } from '../../widgets/work-dialog.tsx'
import { SuspenseCandidates, type Candidate } from './suspense-candidates.tsx'
import { allWays, ways, type Way } from './suspense-dialog.tsx'

interface Part {
  key: number
  way: Way
  target: string
  amount: number | null
}

/** To the smallest unit of any currency. */
const round = (amount: number): number => Math.round(amount * 10_000) / 10_000
const sumAmounts = (parts: readonly Part[]) =>
  round(parts.reduce((sum, { amount }) => sum + (amount ?? 0), 0))

/** Divides money in suspense over several cases, debtors and payment references; the rest stays in suspense. */
export function SuspenseDivide({ money, onClose }: { money: Suspense; onClose: () => void }) {
  const { t } = useTranslation()
  const { suspenseGuid, amount, currencyCode } = money
  const kept = useKeptJson<Part[]>(`suspense/divide/${suspenseGuid}`, [1, 2].map(makePart))
  const { value: parts, change: setParts } = kept
  const change = (key: number, changed: Partial<Part>) =>
    setParts((all) => all.map((part) => (part.key === key ? { ...part, ...changed } : part)))
  /** Fills the first part that names nobody, or one more, with what the case can take of the rest. */
  const take = ({ caseGuid, remainingSum }: Candidate) =>
    setParts((all) => {
      const rest = round(amount - sumAmounts(all))
      const taken = {
        way: 'caseGuid',
        target: caseGuid,
        amount: rest > 0 ? Math.min(rest, remainingSum) : null,
      } as const
      const empty = all.find(({ target }) => target === '')
      if (!empty) return [...all, { ...makePart(all.at(-1)!.key + 1), ...taken }]
      return all.map((part) => (part === empty ? { ...part, ...taken } : part))
    })
  const store = async () => {
    const body = {
      parts: filled(parts).map((part) => ({ [part.way]: part.target, amount: part.amount ?? 0 })),
    }
    await api.divideSuspense({ suspenseGuid, body })
    kept.drop()
    noticeDone(t('suspense.divided'))
    await refresh('listSuspense', 'listCases', 'getCase')
  }
  return (
    <WorkDialog title={t('suspense.divide')} submit={t('action.save')} onSubmit={store} onClose={onClose}>
      <Text size="sm">
        {[formatMoney(amount, currencyCode), money.payerName, money.message].filter(Boolean).join(' · ')}
      </Text>
      <DraftOffer draft={kept.draft} />
      <SuspenseCandidates money={money} taken={new Set(parts.map(({ target }) => target))} onTake={take} />
      <Stack gap="sm">
        {parts.map((part, index) => (
          <PartRow
            key={part.key}
            part={part}
            number={index + 1}
            currency={currencyCode}
            isRequired={filled(parts).length === 0 ? index === 0 : filled([part]).length > 0}
            onChange={(changed) => change(part.key, changed)}
          />
        ))}
      </Stack>
      <Group justify="space-between">
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => setParts((all) => [...all, makePart(all.at(-1)!.key + 1)])}
        >
          {t('suspense.addPart')}
        </Button>
        <Text size="sm" aria-live="polite" c={amount < sumAmounts(parts) ? 'red' : undefined}>
          {t('suspense.rest')}: {formatMoney(amount - sumAmounts(parts), currencyCode)}
        </Text>
      </Group>
    </WorkDialog>
  )
}

/** The parts that say anything; the others are left out. */
const filled = (parts: readonly Part[]): Part[] =>
  parts.filter(({ target, amount }) => target !== '' || amount !== null)

const makePart = (key: number): Part => ({ key, way: 'paymentReferenceNumber', target: '', amount: null })

interface PartRowProps {
  part: Part
  number: number
  currency: string
  isRequired: boolean
  onChange: (changed: Partial<Part>) => void
}

function PartRow({ part, number, currency, isRequired, onChange }: PartRowProps) {
  const { t } = useTranslation()
  const chosen = ways[part.way]
  return (
    <Group gap="xs" align="flex-end" role="group" aria-label={t('suspense.part', { number })} grow>
      <Select
        label={t('suspense.by')}
        data={allWays.map((value) => ({ value, label: t(ways[value].title) }))}
        value={part.way}
        allowDeselect={false}
        onChange={(way) => onChange({ way: way as Way, target: '' })}
      />
      {'lookup' in chosen ? (
        <LookupSelect
          key={part.way}
          code={chosen.lookup}
          label={t(chosen.title)}
          required={isRequired}
          value={part.target === '' ? null : part.target}
          onChange={(guid) => onChange({ target: guid ?? '' })}
        />
      ) : (
        <TextInput
          label={t('field.paymentReferenceNumber')}
          value={part.target}
          required={isRequired}
          maxLength={30}
          onChange={(event) => onChange({ target: event.currentTarget.value })}
        />
      )}
      <NumberInput
        label={t('field.amount')}
        value={part.amount ?? ''}
        required={isRequired}
        min={0}
        decimalScale={countDecimals(currency)}
        hideControls
        onChange={(value) => onChange({ amount: value === '' ? null : Number(value) })}
      />
    </Group>
  )
}
