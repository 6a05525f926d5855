import { useTranslation } from 'react-i18next'
import { LookupValueListItem } from '../../../../contract/metadata/lookup-values.ts'
import { RecordPage } from './record-page.tsx'

/** The agency's custom lookup values. */
export default function LookupValueList() {
  const { t } = useTranslation()
  return (
    <RecordPage<LookupValueListItem>
      title={t('navigation.lookups')}
      about={t('lookups.about')}
      newText={t('fields.newValue')}
      entity="lookupvalue"
      write="lookup.write"
      operation="listLookupValues"
      name="lookup-values"
      row={LookupValueListItem}
      getKey={({ lookupValueGuid }) => lookupValueGuid}
      getName={({ lookupCode, lookupKey }) => `${lookupCode} ${lookupKey}`}
      columns={['lookupCode', 'lookupKey', 'position', 'textEn']}
      quick="lookupCode"
      empty={t('lookups.none')}
    />
  )
}
