const ageOfMajority = 18

/**
 * Whether someone born on `dateOfBirth` is under 18 on `today`, both `YYYY-MM-DD`.
 *
 * Eighteen is the age of majority in SE (föräldrabalk 9:1), NO (vergemålsloven § 8), DK (værgemålsloven § 1),
 * FI (laki holhoustoimesta 2 §) and DE (BGB § 2). One is of age from the beginning of the birthday. Whoever was
 * born on 29 February has no such day at eighteen and is of age from 1 March: BGB §§ 187(2), 188(2) lead there, and
 * where a law says less the later day is the careful one, since it protects the minor.
 */
export function isUnderAged(dateOfBirth: string, today: string): boolean {
  const year = Number(dateOfBirth.slice(0, 4)) + ageOfMajority
  return today.slice(0, 10) < `${String(year).padStart(4, '0')}${dateOfBirth.slice(4, 10)}`
}
