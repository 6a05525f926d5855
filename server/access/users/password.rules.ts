/** Rules for passwords (NIST SP 800-63B-4, 3.1.1.2): long enough and not a common one. */

const lengthAlone = 15
const lengthWithSecondFactor = 8
const lengthMax = 128
const productName = 'fordra'

let common: Promise<ReadonlySet<string>> | undefined

/** The most common passwords of published breaches, loaded on first use. */
function readCommon(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(
    ({ dictionary }) => new Set(dictionary['passwords-common']),
  )
  return common
}

/** Says what is wrong with a new password and what would be right; null when it is valid. */
export async function findPasswordFault(
  password: string,
  user: { email: string; userCode: string | null; mfaType: number },
): Promise<string | null> {
  const needed = user.mfaType === 0 ? lengthAlone : lengthWithSecondFactor
  const { length } = [...password]
  if (length < needed) {
    return `must have at least ${needed} characters${user.mfaType === 0 ? ' (8 with a second factor)' : ''}. A sentence is easy to remember.`
  }
  if (length > lengthMax) return `must have at most ${lengthMax} characters.`
  const plain = password.normalize('NFKC').toLowerCase().trim()
  const own = [user.email, user.email.split('@')[0] ?? '', user.userCode ?? '', productName]
  if (own.some((word) => word !== '' && isRepetition(plain, word.toLowerCase()))) {
    return 'must not be the e-mail, the userCode or the name of the product. Choose another.'
  }
  if ((await readCommon()).has(plain)) return 'is one of the most common passwords. Choose another.'
  return null
}

/** True if the text is the word or repetitions of it. */
const isRepetition = (text: string, word: string): boolean => text.replaceAll(word, '') === ''
