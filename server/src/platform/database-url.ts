/** `host` is a name, an IP address, or the folder of a Unix socket. */
export interface DatabaseHost {
  readonly host: string;
  readonly port: number;
}

/** PostgreSQL connection string, which may name several servers. */
export interface DatabaseUrl {
  readonly hosts: readonly DatabaseHost[];
  readonly login: string;
  readonly database: string;
  /** Whether to connect to the one server among `hosts` that accepts writes. */
  readonly isPrimaryWanted: boolean;
  forHost(host: DatabaseHost): string;
}

const pattern = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;
const defaultPort = 5432;
/** libpq parameters that the driver does not support, or that `forHost` replaces. */
const hostParameters = ['target_session_attrs', 'host', 'port', 'load_balance_hosts'];
const primaryAttributes = ['read-write', 'primary'];

/**
 * Parses `postgresql://login:password@host1:port1,host2:port2/database?target_session_attrs=read-write` according to
 * the rules of libpq. Returns `null` if the text is invalid, or if its attributes could select a read-only server.
 */
export function parseDatabaseUrl(text: string): DatabaseUrl | null {
  const [, scheme, userInfo, authority = '', path = '/', query = ''] = pattern.exec(text) ?? [];
  if (scheme === undefined) return null;
  const parameters = new URLSearchParams(query);
  const hosts = listHosts(authority, parameters.get('host'), parameters.get('port'));
  const attributes = parameters.get('target_session_attrs');
  const login = decode(userInfo?.split(':')[0] ?? '');
  const database = decode(path.slice(1));
  if (hosts === null || login === null || database === null) return null;
  const isWritable = attributes !== null && primaryAttributes.includes(attributes);
  if (attributes !== null && !isWritable && (attributes !== 'any' || hosts.length > 1)) return null;
  const kept = query.split('&').filter((pair) => !hostParameters.includes(pair.split('=')[0] ?? ''));
  return {
    hosts,
    login,
    database,
    isPrimaryWanted: isWritable || hosts.length > 1,
    forHost({ host, port }) {
      const isSocket = host.startsWith('/');
      const name = isSocket ? 'localhost' : host.includes(':') ? `[${host}]` : host;
      const own = [...kept, ...(isSocket ? [`host=${encodeURIComponent(host)}`] : [])].filter(Boolean);
      const credentials = userInfo === undefined ? '' : `${userInfo}@`;
      return `${scheme}${credentials}${name}:${port}${path}${own.length > 0 ? `?${own.join('&')}` : ''}`;
    },
  };
}

/** Returns a text such as `db-1:5432, db-2:5432`. */
export function formatDatabaseHosts({ hosts }: Pick<DatabaseUrl, 'hosts'>): string {
  const names = hosts.map(({ host, port }) => {
    if (host.startsWith('/')) return host;
    return `${host.includes(':') ? `[${host}]` : host}:${port}`;
  });
  return names.join(', ');
}

/** Reads the authority part, or the parameters `host` and `port`, like libpq. */
function listHosts(
  authority: string,
  hostList: string | null,
  portList: string | null,
): DatabaseHost[] | null {
  const given = authority === '' ? [] : authority.split(',').map(readHost);
  if (hostList === null)
    return given.length > 0 ? complete(given) : complete([{ host: 'localhost', port: defaultPort }]);
  const names = hostList.split(',');
  const ports = portList?.split(',').map(readPort) ?? given.map((one) => one?.port ?? null);
  if (ports.length > 1 && ports.length !== names.length) return null;
  return complete(
    names.map((host, index) => {
      const port = ports[ports.length === 1 ? 0 : index] ?? defaultPort;
      return host === '' || Number.isNaN(port) ? null : { host, port };
    }),
  );
}

function complete(hosts: readonly (DatabaseHost | null)[]): DatabaseHost[] | null {
  const valid = hosts.filter((host) => host !== null);
  return valid.length === hosts.length ? valid : null;
}

function readHost(text: string): DatabaseHost | null {
  const [, address, name, portText] = /^(?:\[([\da-fA-F:.]+)\]|([^:[\]\s]+))(?::(\d*))?$/.exec(text) ?? [];
  const host = address ?? decode(name ?? '');
  const port = portText ? readPort(portText) : defaultPort;
  return !host || Number.isNaN(port) ? null : { host, port };
}

function readPort(text: string): number {
  const port = Number(text);
  return /^\d+$/.test(text) && port >= 1 && port <= 65_535 ? port : Number.NaN;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
