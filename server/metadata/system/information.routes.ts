import { languages } from '../../../contract/platform/languages.ts'
import * as contract from '../../../contract/metadata/system.ts'
import { serve } from '../../access/serve/route.ts'
import { findAgencyName } from '../../access/users/parties.store.ts'
import type { ServerContext } from '../../access/serve/server-context.ts'

export function serveInformation(service: ServerContext): void {
  const { settings, sandbox, clock, version } = service

  serve(service, contract.getSystemInformation, async ({ db }) => {
    const today = clock.today()
    return {
      body: {
        version,
        copyright: '© 2026 The Fordra authors',
        fullCopyright: '© 2026 The Fordra authors. Licensed under the Apache License, Version 2.0.',
        systemName: 'Fordra',
        systemDescription: 'An open debt-collection platform',
        licensedTo: settings.FORDRA_COMPANY ?? ((await findAgencyName(db)) || null),
        customerNo: settings.FORDRA_CUSTOMER_NO ?? null,
        languages: languages.join(','),
        systemTimeZoneCode: settings.FORDRA_TIME_ZONE,
        systemTimeZoneDescription: zoneName(settings.FORDRA_TIME_ZONE, today),
        systemTimeZone: minutesAhead(settings.FORDRA_TIME_ZONE, today),
        validUntilCollect: validUntil(settings.FORDRA_VALID_UNTIL_COLLECT),
        validUntilEdge: validUntil(settings.FORDRA_VALID_UNTIL_EDGE),
        validUntilCredit: validUntil(settings.FORDRA_VALID_UNTIL_CREDIT),
        systemDate: `${today}T00:00:00Z`,
        sandbox: sandbox !== undefined,
      },
    }
  })
}

const validUntil = (day: string | undefined) => (day === undefined ? null : `${day}T00:00:00Z`)

const namePart = (timeZone: string, day: string, style: 'long' | 'longOffset') =>
  new Intl.DateTimeFormat('en-GB', { timeZone, timeZoneName: style })
    .formatToParts(new Date(`${day}T12:00:00Z`))
    .find(({ type }) => type === 'timeZoneName')!.value

const zoneName = (timeZone: string, day: string) => namePart(timeZone, day, 'long')

/** Minutes that the zone is ahead of UTC at noon of the day. */
function minutesAhead(timeZone: string, day: string): number {
  const match = /GMT(?:([+-])(\d{2}):(\d{2}))?/.exec(namePart(timeZone, day, 'longOffset'))
  if (!match?.[1]) return 0
  const minutes = Number(match[2]) * 60 + Number(match[3])
  return match[1] === '-' ? -minutes : minutes
}
