import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { LawFinding, type LawConfirmationInput } from '../../../../contract/cases/law-reviews.ts'
import { api } from '../../api/client.ts'
import { refresh } from '../../api/queries.ts'
import { ApprovalRequest } from '../../forms/approval-request.tsx'
import { formatNumber } from '../../format/format.ts'
import { BulkBar } from '../../lists/bulk/bulk-bar.tsx'
import { addUp } from '../../lists/sums/add-up.ts'
import { DataList } from '../../lists/data-list.tsx'
import { useMay } from '../../session/session.ts'
import { codeLabel } from '../../texts/labels.ts'
import { ConfirmDialog } from '../../widgets/confirm-dialog.tsx'
import { Icon } from '../../widgets/icons.tsx'
import { noticeDone } from '../../widgets/notices.ts'
import { Page } from '../../widgets/page.tsx'
import { RuleName } from '../../widgets/rule-name.tsx'

const columns = [
  'caseNumber',
  'mainDebtorName',
  'findingKind',
  'rule',
  'chargedAmount',
  'lawfulAmount',
  'correction',
  'findingStatus',
] as const

/** What reviews by the law found, and the confirmation of corrections. */
export default function FindingList() {
  const { t } = useTranslation()
  const mayConfirm = useMay('case.admin')
  return (
    <Page title={t('lawReview.title')} about={t('lawReview.about')}>
      <DataList<LawFinding>
        operation="listLawFindings"
        sums={['chargedAmount', 'lawfulAmount', 'amount']}
        name="law-findings"
        row={LawFinding}
        getKey={({ lawFindingGuid }) => lawFindingGuid}
        link={{ member: 'caseNumber', to: ({ caseGuid }) => `/cases/${caseGuid}` }}
        columns={columns}
        cells={{
          rule: ({ rule }) => rule !== null && <RuleName rule={rule} />,
          correction: ({ correction }) => (
            <span className="wraps">{codeLabel('correction', correction)}</span>
          ),
        }}
        quickFilters={[
          { label: t('lawReview.waiting'), filter: "findingStatus eq 'OPEN'" },
          { label: t('lawReview.listed'), filter: "findingStatus eq 'LISTED'" },
          { label: t('worklist.all') },
        ]}
        bulk={mayConfirm ? (rows, clear) => <ConfirmBar rows={rows} onClear={clear} /> : undefined}
        empty={t('lawReview.none')}
      />
    </Page>
  )
}

const atOnceMax = 200

interface Confirmed {
  booked: number
  refused: number
}
const showCounts = ({ booked, refused }: Confirmed) => ({
  count: booked,
  number: formatNumber(booked),
  refused: formatNumber(refused),
})

/** Books by one request, which is told before it is sent. */
type Send = (body: LawConfirmationInput) => ReturnType<typeof api.confirmLawFindings>

/** Confirms findings in requests of 200. Returns how many were booked and refused. */
async function confirm(send: Send, guids: readonly string[]): Promise<Confirmed> {
  const done = { booked: 0, refused: 0 }
  for (let from = 0; from < guids.length; from += atOnceMax) {
    const part = guids.slice(from, from + atOnceMax)
    const answer = await send({ lawFindingGuids: [...part] })
    done.booked += answer.confirmed
    done.refused += answer.findings.filter(({ outcome }) => outcome === 'REFUSED').length
  }
  return done
}

/** Confirms the open findings of a review until none is left. */
async function confirmReview(send: Send, lawReviewGuid: string): Promise<Confirmed> {
  const done = { booked: 0, refused: 0 }
  for (let remaining = 1; remaining > 0;) {
    const answer = await send({ lawReviewGuid })
    done.booked += answer.confirmed
    done.refused += answer.findings.filter(({ outcome }) => outcome === 'REFUSED').length
    remaining = answer.findings.length === 0 ? 0 : answer.remaining
  }
  return done
}

/** The actions for selected findings: confirm them, or all that are open of their review. */
function ConfirmBar({ rows, onClear }: { rows: readonly LawFinding[]; onClear: () => void }) {
  const { t } = useTranslation()
  const [asked, setAsked] = useState<{ about: string; change: () => Promise<Confirmed> }>()
  const [sent, setSent] = useState<LawConfirmationInput>({})
  const send: Send = (body) => {
    setSent(body)
    return api.confirmLawFindings({ body })
  }
  const open = rows.filter(({ findingStatus }) => findingStatus === 'OPEN')
  const run = async (change: () => Promise<Confirmed>) => {
    noticeDone(t('lawReview.confirmed', showCounts(await change())))
    onClear()
    await refresh('listLawFindings')
  }
  const dialog = asked && (
    <ConfirmDialog
      title={t('lawReview.confirm')}
      about={asked.about}
      confirm={t('lawReview.confirm')}
      onConfirm={() => run(asked.change)}
      onRefused={(error) => (
        <ApprovalRequest error={error} input={{ ...sent }} onDone={() => setAsked(undefined)} />
      )}
      onClose={() => setAsked(undefined)}
    />
  )
  return (
    <BulkBar count={rows.length} amounts={addUp(rows)} onClear={onClear} dialog={dialog}>
      <Button
        size="xs"
        leftSection={<Icon name="check" size={14} />}
        disabled={open.length === 0}
        onClick={() =>
          setAsked({
            about: t('lawReview.ask', { count: open.length, number: formatNumber(open.length) }),
            change: () =>
              confirm(
                send,
                open.map(({ lawFindingGuid }) => lawFindingGuid),
              ),
          })
        }
      >
        {t('lawReview.confirm')}
      </Button>
      {open[0] && (
        <Button
          size="xs"
          variant="default"
          onClick={() =>
            setAsked({
              about: t('lawReview.askAll'),
              change: () => confirmReview(send, open[0]!.lawReviewGuid),
            })
          }
        >
          {t('lawReview.confirmAll')}
        </Button>
      )}
    </BulkBar>
  )
}
