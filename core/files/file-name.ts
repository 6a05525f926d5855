import { cleanText } from '../identity/person-name.ts'

const nameLength = 200
/** Names of devices, which Windows cannot store as files. */
const device = /^(con|prn|aux|nul|com\d|lpt\d)$/i

/**
 * The name of a sent file as it is kept: without folders, controls, unseen characters and those that a file system
 * refuses, at most 200 characters. Null when nothing is left before the ending, or there is no ending.
 */
export function cleanFileName(given: string): { name: string; ending: string } | null {
  const last = given.split(/[/\\]/).at(-1) ?? ''
  // oxlint-disable-next-line no-control-regex
  const shown = cleanText(last.replace(/[\u0000-\u001f\u007f]/g, ' ')).replace(/[<>:"|?*]/g, '_')
  const match = /^(?<stem>.*?)\.(?<ending>[a-z0-9]{1,10})$/i.exec(shown)
  const stem = match?.groups!['stem']!.replace(/^[.\s]+|[.\s]+$/g, '')
  if (!stem) return null
  const ending = match!.groups!['ending']!.toLowerCase()
  const kept = [...stem]
    .slice(0, nameLength - ending.length - 1)
    .join('')
    .trimEnd()
  return { name: `${device.test(kept) ? `_${kept}` : kept}.${ending}`, ending }
}
