/**
 * Which network addresses are the world's: those that the IANA special-purpose registries (RFC 6890 and its successors) call
 * globally reachable. A webhook or service must not reach what only this machine and its network can.
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
/** Also the ranges that hold an IPv4 address inside: translated and tunnelled ones. */
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

/** One list for each family: a list of both takes an IPv4 address for the IPv6 one that holds it. */
function listOf(family: 'ipv4' | 'ipv6', ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [network, bits] = range.split('/')
    list.addSubnet(network!, Number(bits), family)
  }
  return list
}
const ranges4 = listOf('ipv4', special4)
const ranges6 = listOf('ipv6', special6)

/** Whether an IP address can be reached by everyone. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !ranges4.check(address, 'ipv4')
  return family === 6 && !ranges6.check(address.split('%')[0]!, 'ipv6')
}
