/**
 * Tells public network addresses: those that the IANA special-purpose registries (RFC 6890 and its successors) call
 * globally reachable. A webhook or service must not reach this machine's private network.
 */
import { BlockList, isIP } from 'node:net'

const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]
/** Includes ranges that contain an IPv4 address: translated and tunnelled ones. */
const special6 = [
  '::/96',
  '::ffff:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '100::/64',
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '3fff::/20',
  '5f00::/16',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
]

/** One list per family: a combined list confuses an IPv4 address with the IPv6 one that contains it. */
function createBlockList(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network, bits] = range.split('/')
    list.addSubnet(network!, Number(bits), family)
  }
  return list
}
const ranges4 = createBlockList('ipv4', special4)
const ranges6 = createBlockList('ipv6', special6)

/** True if an IP address is publicly reachable. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !ranges4.check(address, 'ipv4')
  return family === 6 && !ranges6.check(address.split('%')[0]!, 'ipv6')
}
