/** Which first steps are done, from facts about the agency. */
import { setupSteps } from '../../../contract/insight/setup-steps.ts'
import type {
  SetupGap,
  SetupGapCode,
  SetupStep,
  SetupStepCode,
} from '../../../contract/insight/setup-steps.ts'
import type { InterestTerms } from '../../../core/interest/interest.ts'
import type { ClaimKind } from '../../../core/limitation/limitation.ts'

/** The name of an agency that was started without one. */
export const unnamed = 'Agency'

export interface AgencyFacts {
  agencyGuid: string
  name: string
  countryCode: string | null
  currencyCode: string | null
  bankAccountNo: string | null
  hasCase: boolean
  hasHandler: boolean
  /** An administrator who cannot be reached by e-mail. */
  unreachableGuid: string | null
}

/** A client with its terms, own or inherited. */
export interface ClientFacts {
  clientGuid: string
  name: string
  countryCode: string | null
  currencyCode: string | null
  bankAccountNo: string | null
  claimKind: ClaimKind | null
  interest: InterestTerms
  /** Fees of its terms, or statutory fees of its country. */
  hasFees: boolean
  hasStrategy: boolean
}

/** A country in use, by the law pack and the reference rate that the service knows. */
export interface CountryFacts {
  countryCode: string
  hasPack: boolean
  hasRate: boolean
}

export interface SetupFacts {
  agency: AgencyFacts
  clients: readonly ClientFacts[]
  countries: readonly CountryFacts[]
  /** Letters to be posted are written to it. */
  hasLetterFolder: boolean
  hasMailServer: boolean
  /** Links in invitations lead to it. */
  hasPublicUrl: boolean
}

const noGap = { countryCode: null, clientGuid: null, clientName: null, userGuid: null }
const makeGap = (gap: SetupGapCode, about: Partial<SetupGap> = {}): SetupGap => ({ gap, ...noGap, ...about })

/** The gaps whose condition holds. */
const listGaps = (gaps: Partial<Record<SetupGapCode, boolean>>, about: Partial<SetupGap> = {}): SetupGap[] =>
  (Object.entries(gaps) as [SetupGapCode, boolean][]).flatMap(([gap, isMissing]) =>
    isMissing ? [makeGap(gap, about)] : [],
  )

const findGaps: Record<SetupStepCode, (facts: SetupFacts) => SetupGap[]> = {
  COMPANY: ({ agency }) =>
    listGaps({
      NAME: agency.name.trim() === unnamed,
      COUNTRY: agency.countryCode === null,
      CURRENCY: agency.currencyCode === null,
    }),
  BANK: ({ agency }) => listGaps({ BANK_ACCOUNT: agency.bankAccountNo === null }),
  COUNTRIES: ({ countries }) =>
    countries.length === 0
      ? [makeGap('COUNTRY')]
      : countries.flatMap(({ countryCode, hasPack, hasRate }) =>
          listGaps({ LAW_PACK: !hasPack, REFERENCE_RATE: !hasRate }, { countryCode }),
        ),
  CLIENT: ({ clients }) =>
    listFewestGaps(clients, ({ currencyCode, bankAccountNo }) => ({
      CLIENT_CURRENCY: currencyCode === null,
      CLIENT_ACCOUNT: bankAccountNo === null,
    })),
  TERMS: ({ clients }) =>
    listFewestGaps(clients, ({ claimKind, interest, hasFees, hasStrategy }) => ({
      CLAIM_KIND: claimKind === null,
      INTEREST: interest.kind === 'none',
      FEES: !hasFees,
      STRATEGY: !hasStrategy,
    })),
  LETTERS: ({ hasLetterFolder }) => listGaps({ LETTER_FOLDER: !hasLetterFolder }),
  USERS: ({ agency, hasMailServer, hasPublicUrl }) => [
    ...listGaps({ MAIL_SERVER: !hasMailServer, PUBLIC_URL: !hasPublicUrl }),
    ...listGaps(
      { ADMINISTRATOR_EMAIL: agency.unreachableGuid !== null },
      { userGuid: agency.unreachableGuid },
    ),
    ...listGaps({ CASE_HANDLER: !agency.hasHandler }),
  ],
  IMPORT: ({ agency }) => listGaps({ CASE: !agency.hasCase }),
}

/** The gaps of the client with the fewest; of several such clients, the first. */
function listFewestGaps(
  clients: readonly ClientFacts[],
  check: (client: ClientFacts) => Partial<Record<SetupGapCode, boolean>>,
): SetupGap[] {
  const [least] = clients
    .map((client) => listGaps(check(client), { clientGuid: client.clientGuid, clientName: client.name }))
    .toSorted((one, other) => one.length - other.length)
  return least ?? [makeGap('CLIENT')]
}

export const judgeSetup = (facts: SetupFacts): SetupStep[] =>
  setupSteps.map((step) => {
    const missing = findGaps[step](facts)
    return { step, isDone: missing.length === 0, missing }
  })
