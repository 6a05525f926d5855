export type ContentCoding = 'br' | 'gzip' | 'identity'

/** The best coding that an `Accept-Encoding` header takes. */
export function selectCoding(acceptEncoding = ''): ContentCoding {
  const taken = acceptEncoding
    .toLowerCase()
    .split(',')
    .map((item) => item.split(';').map((part) => part.trim()))
    .filter(([, weight = '']) => !/^q=0(\.0*)?$/.test(weight))
    .map(([coding]) => coding)
  return (['br', 'gzip'] as const).find((coding) => taken.includes(coding)) ?? 'identity'
}
