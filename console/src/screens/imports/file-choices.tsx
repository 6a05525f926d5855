import { Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { importedKinds, kindsOfParties } from '../../../../contract/integration/imported-kinds.ts'
import type { FileInspection } from '../../../../contract/integration/inspections.ts'
import { LookupSelect } from '../../forms/lookups/lookup-select.tsx'
import { translateLabel } from '../../texts/labels.ts'
import { encodingOptions, type ImportChoices } from './import-work.ts'

interface FileChoicesProps {
  inspection: FileInspection
  choices: ImportChoices
  disabled: boolean
  onChange: (next: Partial<ImportChoices>) => void
  /** For what changes the columns. */
  onInspect: (known: Partial<Pick<ImportChoices, 'what' | 'encoding' | 'delimiter'>>) => void
}

const dateExamples = { ymd: '2026-12-31', dmy: '31.12.2026', mdy: '12/31/2026' } as const
const decimalExamples = { ',': '1 234,50', '.': '1,234.50' } as const

const toOptions = (examples: Readonly<Record<string, string>>) =>
  Object.entries(examples).map(([value, label]) => ({ value, label }))

/** How a file is read. All of it was told from the file, and can be changed. */
export function FileChoices({ inspection, choices, disabled, onChange, onInspect }: FileChoicesProps) {
  const { t } = useTranslation()
  const isText = inspection.format !== 'xlsx'
  const isOfUsers = choices.what === 'users'
  const delimiters = [
    { value: ';', label: t('import.semicolon') },
    { value: ',', label: t('import.comma') },
    { value: 'tab', label: t('import.tab') },
    { value: '|', label: t('import.bar') },
  ]
  return (
    <div className="import-choices">
      <Select
        label={t('import.what')}
        data={importedKinds.map((value) => ({
          value,
          label: translateLabel(`lookup.importkind.${value}`, value),
        }))}
        value={choices.what}
        allowDeselect={false}
        disabled={disabled}
        onChange={(what) => what && onInspect({ what })}
      />
      {isText && (
        <Select
          label={t('import.encoding')}
          data={encodingOptions}
          value={choices.encoding}
          allowDeselect={false}
          disabled={disabled}
          onChange={(encoding) => encoding && onInspect({ encoding })}
        />
      )}
      {inspection.format === 'csv' && (
        <Select
          label={t('import.delimiter')}
          data={delimiters}
          value={choices.delimiter}
          allowDeselect={false}
          disabled={disabled}
          onChange={(delimiter) =>
            delimiter && onInspect({ delimiter: delimiter as NonNullable<ImportChoices['delimiter']> })
          }
        />
      )}
      {!isText && <TextInput label={t('import.sheet')} value={inspection.sheet ?? ''} readOnly />}
      <Select
        label={t('import.dates')}
        data={toOptions(dateExamples)}
        value={choices.dates ?? 'ymd'}
        allowDeselect={false}
        disabled={disabled}
        onChange={(dates) => onChange({ dates: dates as ImportChoices['dates'] })}
      />
      <Select
        label={t('import.decimals')}
        data={toOptions(decimalExamples)}
        value={choices.decimals ?? '.'}
        allowDeselect={false}
        disabled={disabled}
        onChange={(decimals) => onChange({ decimals: decimals as ImportChoices['decimals'] })}
      />
      <TextInput
        label={t('import.source')}
        description={t('import.sourceAbout')}
        maxLength={50}
        value={choices.source}
        disabled={disabled}
        onChange={(event) => onChange({ source: event.currentTarget.value })}
      />
      {choices.what === 'debtors' && (
        <LookupSelect
          code="country"
          label={t('import.country')}
          description={t('import.countryAbout')}
          placeholder={t('import.countryNone')}
          disabled={disabled}
          value={choices.countryCode}
          onChange={(countryCode) => onChange({ countryCode })}
        />
      )}
      {kindsOfParties.includes(choices.what) && (
        <LookupSelect
          // A user belongs to a client or to the agency.
          code={isOfUsers ? 'party' : 'client'}
          label={isOfUsers ? t('import.party') : t('import.client')}
          description={isOfUsers ? t('import.partyAbout') : t('import.clientAbout')}
          placeholder={t('import.clientNone')}
          disabled={disabled}
          value={choices.client}
          onChange={(client) => onChange({ client })}
        />
      )}
    </div>
  )
}
