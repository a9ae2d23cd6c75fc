import { BlockList, isIP } from 'node:net';

/** Invalid networks match no address. */
export function createNetworkCheck(networks: readonly string[]): (address: string) => boolean {
  const listed = { 4: new BlockList(), 6: new BlockList() };
  for (const cidr of networks) {
    const [network = '', prefix = ''] = cidr.split('/');
    const version = isIP(network);
    const bitsMax = version === 4 ? 32 : 128;
    if (version !== 4 && version !== 6) continue;
    if (!/^\d{1,3}$/.test(prefix) || Number(prefix) > bitsMax) continue;
    listed[version].addSubnet(network, Number(prefix), `ipv${version}`);
  }
  return (address) => {
    const version = isIP(address);
    return (version === 4 || version === 6) && listed[version].check(address, `ipv${version}`);
  };
}
