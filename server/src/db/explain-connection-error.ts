import { formatDatabaseHosts, parseDatabaseUrl } from '#platform/database-url.ts';

export interface ConnectionTarget {
  readonly variable: string;
  readonly connectionString: string;
}

type Explain = (target: { variable: string; server: string; login: string; database: string }) => string;

const explanations: readonly (readonly [name: string, pattern: RegExp, explain: Explain])[] = [
  [
    'no_primary',
    /none of the servers accepts writes|is (?:now )?read-only/,
    ({ server, variable }) =>
      `no server of ${server} accepts writes. Promote a standby, or set ${variable} to the primary.`,
  ],
  [
    'refused',
    /ECONNREFUSED|ENOENT/,
    ({ server, variable }) =>
      `the connection to ${server} was refused. Start PostgreSQL, or correct the host and port in ${variable}.`,
  ],
  [
    'unknown_host',
    /ENOTFOUND|EAI_AGAIN/,
    ({ server, variable }) =>
      `the host name of ${server} cannot be resolved. Correct it in ${variable}, or fix DNS.`,
  ],
  [
    'no_answer',
    /ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|timeout expired|Query read timeout|Connection terminated/,
    ({ server, variable }) =>
      `${server} does not respond. Allow the connection (firewall, network policy), or correct ${variable}.`,
  ],
  [
    'tls_unsupported',
    /does not support SSL/,
    ({ variable }) =>
      `the server does not support TLS. Enable it there (ssl = on), or remove sslmode from ${variable}.`,
  ],
  [
    'certificate_of_another',
    /ERR_TLS_CERT_ALTNAME_INVALID/,
    ({ server, variable }) =>
      `the server's certificate is not valid for ${server}. Use the host name of the certificate in ${variable}.`,
  ],
  [
    'certificate_not_trusted',
    /SELF_SIGNED|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|CERT_/,
    ({ variable }) =>
      `the server's certificate is not trusted. Set its certificate authority with sslrootcert=<file> in ${variable}.`,
  ],
  [
    'tls_required',
    /^28000 no pg_hba.conf entry .*(no encryption|SSL off)/s,
    ({ variable, login, database }) =>
      `the server allows "${login}" to connect to "${database}" only with TLS, or not at all from this machine. Add sslmode=require (or verify-full) to ${variable}, or a line to pg_hba.conf on the server.`,
  ],
  [
    'not_let_in',
    /^28000 .*pg_hba/s,
    ({ login, database }) =>
      `pg_hba.conf of the server does not allow "${login}" to connect to "${database}" from this machine. Add a line for it there.`,
  ],
  [
    'missing_role',
    /^28000 .*does not exist/s,
    ({ login }) => `there is no role "${login}". Create it: CREATE ROLE "${login}" LOGIN PASSWORD '...'.`,
  ],
  [
    'wrong_password',
    /^28|password authentication failed|SASL/,
    ({ login, variable }) =>
      `the password of "${login}" is wrong, or there is no such role. Correct ${variable}.`,
  ],
  [
    'missing_database',
    /^3D000|no such database/,
    ({ database, login }) =>
      `there is no database "${database}". Create it: CREATE DATABASE "${database}" OWNER "${login}".`,
  ],
  [
    'too_many_connections',
    /^53300/,
    () =>
      'the server has no free connections (max_connections). Raise the limit, or lower SLUICE_WORKERS or SLUICE_DATABASE_CONNECTIONS of its nodes.',
  ],
  ['starting', /^57P03/, () => 'the server is starting or recovering. Try again in a moment.'],
  [
    'missing_privilege',
    /^42501/,
    ({ login, database }) =>
      `"${login}" may not connect to "${database}". Grant it: GRANT CONNECT ON DATABASE "${database}" TO "${login}".`,
  ],
  [
    'pooler',
    /unsupported startup parameter/,
    ({ variable }) =>
      `${variable} points to PgBouncer. Set DATABASE_DIRECT_URL to the URL of PostgreSQL itself.`,
  ],
];

/** The message explains how to fix the problem. The cause is the driver's error. */
export function explainConnectionError(
  error: unknown,
  { connectionString, variable }: ConnectionTarget,
): Error {
  const { login, ...address } = readAddress(connectionString);
  const explain = find(error)?.[2];
  const why = explain?.({ ...address, login, variable }) ?? `${readError(error)}. Check ${variable}.`;
  return new Error(`The database cannot be used: ${why}`, { cause: error });
}

/** Explains the error if the server has no free connections. Returns any other error unchanged. */
export function explainExhaustion(error: unknown, target: ConnectionTarget): unknown {
  const reasons = [error, error instanceof Error ? error.cause : undefined];
  const full = reasons.find((reason) => nameConnectionError(reason) === 'too_many_connections');
  return full ? explainConnectionError(full, target) : error;
}

/** Returns the cause as one word without connection details, for probes; `null` if the cause is unknown. */
export function nameConnectionError(error: unknown): string | null {
  return find(error)?.[0] ?? null;
}

function find(error: unknown) {
  const said = readError(error);
  return explanations.find(([, pattern]) => pattern.test(said));
}

function readAddress(connectionString: string) {
  const url = parseDatabaseUrl(connectionString);
  return {
    server: url ? formatDatabaseHosts(url) : 'localhost',
    login: url?.login ?? '',
    database: url?.database || 'postgres',
  };
}

function readError(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(readError).join('; ');
  if (!(error instanceof Error)) return String(error);
  return [Reflect.get(error, 'code'), error.message].filter(Boolean).join(' ');
}
