/**
 * VAT numbers of the EU (Directive 2006/112/EC, article 215), Norway, Switzerland and the United Kingdom.
 * Validates form and check digit only; whether a number is in force is known to registers such as VIES.
 */
import { validate as at } from 'stdnum/lib/cjs/at/uid.js'
import { validate as be } from 'stdnum/lib/cjs/be/vat.js'
import { validate as bg } from 'stdnum/lib/cjs/bg/vat.js'
import { validate as ch } from 'stdnum/lib/cjs/ch/vat.js'
import { validate as cy } from 'stdnum/lib/cjs/cy/vat.js'
import { validate as cz } from 'stdnum/lib/cjs/cz/dic.js'
import { validate as de } from 'stdnum/lib/cjs/de/vat.js'
import { validate as dk } from 'stdnum/lib/cjs/dk/cvr.js'
import { validate as ee } from 'stdnum/lib/cjs/ee/kmkr.js'
import { validate as es } from 'stdnum/lib/cjs/es/nif.js'
import { validate as fi } from 'stdnum/lib/cjs/fi/alv.js'
import { validate as fr } from 'stdnum/lib/cjs/fr/tva.js'
import { validate as gb } from 'stdnum/lib/cjs/gb/vat.js'
import { validate as gr } from 'stdnum/lib/cjs/gr/vat.js'
import { validate as hr } from 'stdnum/lib/cjs/hr/oib.js'
import { validate as hu } from 'stdnum/lib/cjs/hu/anum.js'
import { validate as ie } from 'stdnum/lib/cjs/ie/vat.js'
import { validate as it } from 'stdnum/lib/cjs/it/iva.js'
import { validate as lt } from 'stdnum/lib/cjs/lt/pvm.js'
import { validate as lu } from 'stdnum/lib/cjs/lu/tva.js'
import { validate as lv } from 'stdnum/lib/cjs/lv/pvn.js'
import { validate as mt } from 'stdnum/lib/cjs/mt/vat.js'
import { validate as nl } from 'stdnum/lib/cjs/nl/btw.js'
import { validate as no } from 'stdnum/lib/cjs/no/mva.js'
import { validate as pl } from 'stdnum/lib/cjs/pl/nip.js'
import { validate as pt } from 'stdnum/lib/cjs/pt/nif.js'
import { validate as ro } from 'stdnum/lib/cjs/ro/cif.js'
import { validate as se } from 'stdnum/lib/cjs/se/vat.js'
import { validate as si } from 'stdnum/lib/cjs/si/ddv.js'
import { validate as sk } from 'stdnum/lib/cjs/sk/dph.js'

export type VatNumberResult = { ok: true; vatNumber: string } | { ok: false; message: string }

/** By VAT prefix. Greece uses EL, Northern Ireland XI. */
const validators = new Map(
  Object.entries({
    AT: at,
    BE: be,
    BG: bg,
    CH: ch,
    CY: cy,
    CZ: cz,
    DE: de,
    DK: dk,
    EE: ee,
    EL: gr,
    ES: es,
    FI: fi,
    FR: fr,
    GB: gb,
    HR: hr,
    HU: hu,
    IE: ie,
    IT: it,
    LT: lt,
    LU: lu,
    LV: lv,
    MT: mt,
    NL: nl,
    NO: no,
    PL: pl,
    PT: pt,
    RO: ro,
    SE: se,
    SI: si,
    SK: sk,
    XI: gb,
  }),
)

/**
 * A country's VAT prefix where it differs from its code. Monaco and the Isle of Man use a neighbour's prefix.
 */
const vatPrefix = (countryCode: string): string =>
  ({ GR: 'EL', MC: 'FR', IM: 'GB' })[countryCode] ?? countryCode

const longestInput = 40

/**
 * Validates a VAT number, with or without prefix; without one it belongs to `countryCode`. The normal form is
 * the prefix and the number without blanks and signs: `SE556036079301`, `NO988077917MVA`, `CHE107787577MWST`,
 * `EL094259216`. A company may have a number of another country, given by the prefix. For a country without
 * rules here, 4 to 20 letters and digits are accepted. The message never contains the number.
 */
export function checkVatNumber(text: string, countryCode: string): VatNumberResult {
  const bare =
    text.length > longestInput
      ? ''
      : text
          .normalize('NFKC')
          .toUpperCase()
          .replace(/[^A-Z0-9+*]/g, '')
  const own = vatPrefix(countryCode.trim().toUpperCase())
  const written = vatPrefix(bare.slice(0, 2))
  // The own country is tried first: a French number may begin with two letters that equal another country's
  // prefix.
  for (const prefix of own === written ? [own] : [own, written]) {
    const vatNumber = readWithPrefix(prefix, bare)
    if (vatNumber) return { ok: true, vatNumber }
  }
  if (!validators.has(own) && !validators.has(written) && /^(?=.*\d)[A-Z0-9]{4,20}$/.test(bare)) {
    return { ok: true, vatNumber: bare }
  }
  return {
    ok: false,
    message:
      'The text is not a valid VAT number: expected the country prefix and the number with its check digit, shaped like SE100000000001, or the number alone in the form of the country.',
  }
}

function readWithPrefix(prefix: string, bare: string): string | null {
  const validate = validators.get(prefix)
  const number = bare.startsWith(prefix) || (prefix === 'EL' && bare.startsWith('GR')) ? bare.slice(2) : bare
  if (!validate || number.length < 4) return null
  // The Swiss number contains its prefix. A Norwegian number may lack its suffix MVA.
  const candidate =
    prefix === 'CH' ? `CH${number}` : prefix === 'NO' ? `${number.replace(/MVA$/, '')}MVA` : number
  const result = validate(candidate)
  if (!result.isValid) return null
  return result.compact.startsWith(prefix) ? result.compact : prefix + result.compact
}
