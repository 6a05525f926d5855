/** The name that a program gives itself, without characters that hide or reorder others. Undefined for an unseen one. */
export const readName = (name = ''): string | undefined => {
  const visible = name
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .trim()
  return [...visible].slice(0, 80).join('') || undefined
}
