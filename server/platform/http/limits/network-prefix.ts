/** What counts as one address: an IPv4 address, or an IPv6 /64, within which one sender can use any address. */
export function networkPrefix(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [before = '', after] = address.split('::')
  const [start, end] = [before, after ?? ''].map((part) => part.split(':').filter(Boolean))
  const zeros =
    after === undefined ? [] : Array<string>(Math.max(0, 8 - start!.length - end!.length)).fill('0')
  return `${[...start!, ...zeros, ...end!]
    .slice(0, 4)
    .map((part) => Number.parseInt(part, 16).toString(16))
    .join(':')}::/64`
}
