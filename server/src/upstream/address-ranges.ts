import { BlockList, isIP } from 'node:net';

/** Special-purpose range of an IP address; `public` addresses are routed on the internet. */
export type AddressRange = (typeof specialRanges)[number][0] | 'public' | 'invalid';

/**
 * The first row that contains the address determines the range. IPv6 forms that embed an IPv4 address are rejected as
 * a whole: no public service uses them, and decoding five formats would add five sources of bugs.
 */
const specialRanges = [
  [
    'metadata',
    '169.254.169.254/32 169.254.170.2/32 100.100.100.200/32 168.63.129.16/32 192.0.0.192/32',
    'fd00:ec2::254/128 fd20:ce::254/128 fd00:42::42/128 fd00:c1::a9fe:a9fe/128',
  ],
  ['loopback', '127.0.0.0/8', '::1/128'],
  ['private', '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16', 'fc00::/7'],
  ['shared', '100.64.0.0/10', ''],
  ['link-local', '169.254.0.0/16', 'fe80::/10 fec0::/10'],
  ['unspecified', '0.0.0.0/8', '::/128'],
  ['multicast', '224.0.0.0/4', 'ff00::/8'],
  ['documentation', '192.0.2.0/24 198.51.100.0/24 203.0.113.0/24', '2001:db8::/32 3fff::/20'],
  ['benchmarking', '198.18.0.0/15', '2001:2::/48'],
  [
    'translated',
    '192.88.99.0/24',
    '::/96 ::ffff:0:0/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 2001::/32 2002::/16',
  ],
  // The last three blocks cover all of IPv6 outside 2000::/3, the only block from which global addresses are
  // assigned.
  ['reserved', '192.0.0.0/24 240.0.0.0/4', '2001::/23 ::/3 4000::/2 8000::/1'],
] as const;

// One list per address family: a BlockList compares IPv4 addresses with mapped IPv6 rules, so ::/96 would match every
// IPv4 address.
const ranges = specialRanges.map(([range, ipv4, ipv6]) => ({
  range,
  ipv4: toBlockList(ipv4, 'ipv4'),
  ipv6: toBlockList(ipv6, 'ipv6'),
}));

export function findAddressRange(address: string): AddressRange {
  const version = isIP(address);
  if (version === 0) return 'invalid';
  const family = version === 4 ? 'ipv4' : 'ipv6';
  return ranges.find((row) => row[family].check(address, family))?.range ?? 'public';
}

function toBlockList(subnets: string, family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(' ').filter(Boolean)) {
    const [network = '', prefix] = subnet.split('/');
    list.addSubnet(network, Number(prefix), family);
  }
  return list;
}
