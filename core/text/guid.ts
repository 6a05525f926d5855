/** A GUID as RFC 9562 writes it, in either case. */
export const guidPattern = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

export const isGuid = (text: string): boolean => guidPattern.test(text)
