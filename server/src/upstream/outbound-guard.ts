import { promises as dns, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { buildConnector } from 'undici';
import { type AddressRange, findAddressRange } from './address-ranges.ts';

/** Ports without HTTP APIs. Services on these ports may interpret an HTTP request as commands. */
const refusedPorts: ReadonlySet<number> = new Set([
  // The "bad ports" of the Fetch standard.
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
  // Ports of Kerberos, SMB, rsync, SQL Server, Oracle, ZooKeeper, Docker, etcd, MySQL, remote desktop, epmd.
  88, 445, 873, 1433, 1434, 1521, 2181, 2375, 2376, 2379, 2380, 3306, 3389, 4369,
  // Ports of PostgreSQL, AMQP, VNC, CouchDB, WinRM, Redis, Kubernetes, Cassandra, Kafka, Elasticsearch, kubelet.
  5432,
  5433, 5671, 5672, 5900, 5984, 5985, 5986, 6379, 6380, 6443, 9042, 9092, 9160, 9200, 9300, 10250, 10255,
  // Ports of memcached, CockroachDB, MongoDB, Db2.
  11211, 26257, 27017, 27018, 27019, 50000,
]);

/** `allowPrivate` permits loopback, private and shared ranges. Link-local and metadata addresses are always blocked. */
export interface GuardPolicy {
  allowPrivate: boolean;
}

export type EndpointVerdict = { ok: true; url: URL } | { ok: false; reason: string };

export type ResolveHost = (hostname: string) => Promise<readonly LookupAddress[]>;

type Destination = Pick<URL, 'protocol' | 'hostname' | 'port'>;

/** Thrown for a forbidden destination, before anything is sent. */
export class BlockedAddressError extends Error {
  override name = 'BlockedAddressError';
}

const operatorRanges: ReadonlySet<AddressRange> = new Set(['loopback', 'private', 'shared']);

const metadataHosts: ReadonlySet<string> = new Set([
  'instance-data',
  'instance-data.ec2.internal',
  'metadata',
  'metadata.azure.internal',
  'metadata.goog',
  'metadata.google.internal',
  'metadata.packet.net',
  'metadata.platformequinix.com',
  'metadata.tencentyun.com',
]);

/**
 * Checks only the text of a URL entered by an administrator, and normalizes the URL. Resolved addresses are checked
 * at each connection, because DNS records may change.
 */
export function checkEndpointUrl(text: string, policy: GuardPolicy): EndpointVerdict {
  const url = URL.parse(text);
  if (url === null) return { ok: false, reason: 'This is not a valid URL' };
  const reason = findTextFault(text) ?? findRefusal(url, policy);
  if (reason !== null) return { ok: false, reason };
  url.hostname = url.hostname.replace(/\.$/, '');
  return { ok: true, url };
}

/** Creates an undici connector that checks the destination and every address of its host name. */
export function createGuardedConnector(
  policy: GuardPolicy,
  options: { timeoutMs: number; resolve?: ResolveHost },
): buildConnector.connector {
  const lookup = guardedLookup(policy, options.resolve);
  const connect = buildConnector({ allowH2: false, timeout: options.timeoutMs, lookup });
  return (destination, callback) => {
    const reason = findRefusal(destination, policy);
    if (reason === null) connect(destination, callback);
    else process.nextTick(callback, new BlockedAddressError(reason), null);
  };
}

/**
 * A single forbidden address rejects the whole name. The socket connects to an address checked here, so DNS rebinding
 * between check and connection has no effect.
 */
export function guardedLookup(policy: GuardPolicy, resolve: ResolveHost = resolveHost): LookupFunction {
  return (hostname, options, callback) => {
    resolveChecked(hostname, policy, resolve).then(
      (addresses) => {
        if (options.all) callback(null, addresses);
        else callback(null, addresses[0].address, addresses[0].family);
      },
      (error: NodeJS.ErrnoException) => callback(error, []),
    );
  };
}

async function resolveChecked(
  hostname: string,
  policy: GuardPolicy,
  resolve: ResolveHost,
): Promise<[LookupAddress, ...LookupAddress[]]> {
  const [first, ...others] = await resolve(hostname);
  if (first === undefined)
    throw Object.assign(new Error('The host name has no IP address'), { code: 'ENOTFOUND' });
  for (const { address } of [first, ...others]) {
    const range = findAddressRange(address);
    if (!isAllowed(range, policy))
      throw new BlockedAddressError(`${hostname} resolves to an address in ${nameRange(range)}`);
  }
  return [first, ...others];
}

function resolveHost(hostname: string): Promise<LookupAddress[]> {
  return dns.lookup(hostname, { all: true });
}

/**
 * The URL parser tolerates some characters that may disguise the destination. Returns `null` if the text contains
 * none of them.
 */
function findTextFault(text: string): string | null {
  if (/[\s\\\p{Cc}]/u.test(text)) return 'The URL contains white space, a backslash or a control character';
  if (!/^https?:\/\/[^/]/i.test(text)) return 'The URL must start with http:// or https://';
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return 'The URL must not contain a user name or password';
  return /[?#]/.test(text) ? 'The URL must not have a query or a fragment' : null;
}

function findRefusal({ protocol, hostname, port }: Destination, policy: GuardPolicy): string | null {
  if (protocol !== 'http:' && protocol !== 'https:') return 'Only http and https are supported';
  if (port !== '' && refusedPorts.has(Number(port)))
    return `Port ${port} is not allowed, because it belongs to another protocol`;
  const address = hostname.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) !== 0) {
    const range = findAddressRange(address);
    return isAllowed(range, policy) ? null : `${hostname} is in ${nameRange(range)}`;
  }
  if (!/^[\w-]+(\.[\w-]+)*\.?$/.test(hostname)) return `${hostname} is not a host name`;
  const name = hostname.toLowerCase().replace(/\.$/, '');
  if (metadataHosts.has(name)) return `${name} is a metadata service`;
  const isLocal = /(^|\.)localhost$/.test(name);
  return isLocal && !policy.allowPrivate ? `${name} is in ${nameRange('loopback')}` : null;
}

function nameRange(range: AddressRange): string {
  const condition = operatorRanges.has(range) ? ' unless SLUICE_ALLOW_PRIVATE_ENDPOINTS is 1' : '';
  return `the ${range} range, which is refused${condition}`;
}

function isAllowed(range: AddressRange, policy: GuardPolicy): boolean {
  return range === 'public' || (policy.allowPrivate && operatorRanges.has(range));
}
