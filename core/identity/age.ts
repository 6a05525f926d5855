const ageOfMajority = 18

/**
 * Returns whether a person born on `dateOfBirth` is under 18 on `today`, both `YYYY-MM-DD`.
 *
 * The age of majority is 18 in SE (föräldrabalk 9:1), NO (vergemålsloven § 8), DK (værgemålsloven § 1), FI
 * (laki holhoustoimesta 2 §) and DE (BGB § 2), from the beginning of the birthday. A person born on 29
 * February comes of age on 1 March in a common year. BGB §§ 187(2), 188(2) lead to that day. Where the law
 * says less, the later day is the safe one, because it protects the minor.
 */
export function isUnderAged(dateOfBirth: string, today: string): boolean {
  const year = Number(dateOfBirth.slice(0, 4)) + ageOfMajority
  return today.slice(0, 10) < `${String(year).padStart(4, '0')}${dateOfBirth.slice(4, 10)}`
}
