import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { z } from 'zod';
import type { ObjectStoreConfig } from '#object-store/object-store.ts';
import type { Config } from './config.ts';
import { connectionsPerWorkerMin, countShippers, findConnectionsPerWorker } from './fit-connections.ts';
import { secretVariables, variables } from './variables.ts';

const prefix = 'SLUICE_';
const maxDistance = 3;

/** Returns `null` if no name is close. */
function findNearestName(mistyped: string, names: string[]): string | null {
  const ranked = names
    .map((name) => ({ name, distance: countEdits(withoutPrefix(mistyped), withoutPrefix(name)) }))
    .sort((left, right) => left.distance - right.distance);
  const [nearest] = ranked;
  return nearest && nearest.distance <= maxDistance ? nearest.name : null;
}

// Removes the prefix `SLUICE_`, which is easily added or forgotten, as in SLUICE_PORT for PORT.
function withoutPrefix(name: string): string {
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

function countEdits(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...left].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...right].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      const removed = (previous[column + 1] ?? 0) + 1;
      const added = (current[column] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}

interface ConfigProblem {
  variable: string;
  message: string;
}

export class ConfigError extends Error {
  readonly problems: ConfigProblem[];

  constructor(problems: ConfigProblem[]) {
    const lines = problems.map(({ variable, message }) => `  ${variable}: ${message}`);
    super(['The configuration is not valid:', ...lines].join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

type Environment = Readonly<Record<string, string | undefined>>;
type Values = z.output<typeof variables>;

const names = Object.keys(variables.shape);
const secretNames = new Set<string>(secretVariables);
const stripeNames = ['STRIPE_SECRET_KEY', 'STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET'];
const alertNames = ['SLUICE_ALERT_WEBHOOK_URL', 'SLUICE_ALERT_WEBHOOK_SECRET'];
const openidNames = ['SLUICE_OIDC_ISSUER', 'SLUICE_OIDC_CLIENT_ID', 'SLUICE_OIDC_CLIENT_SECRET'];
const fileNames = secretVariables.map((name) => `${name}_FILE`);

/** Returns the variables that a configuration file can refer to (`env:NAME`). */
export const readEnvironment = (): Environment => process.env;

/** Throws a ConfigError that lists every problem. */
export function readConfig(env: Environment = process.env): Config {
  const problems: ConfigProblem[] = findUnknownNames(env);
  const texts = { ...pickTexts(env), ...readSecretFiles(env, problems) };
  const parsed = variables.safeParse(texts);
  const failed = new Set(parsed.error?.issues.map((issue) => String(issue.path[0])));
  for (const name of failed) problems.push(invalidValueProblem(name, texts[name] ?? ''));
  problems.push(...findMissingPartners(texts));
  if (parsed.success)
    problems.push(
      ...findSmallBudget(parsed.data),
      ...findFewConnections(parsed.data),
      ...findSilentAccessLog(parsed.data),
    );
  if (!parsed.success || problems.length > 0) throw new ConfigError(problems);
  return {
    ...toConfig(parsed.data),
    isInstallationNamed: texts.DATABASE_URL !== undefined || texts.SLUICE_DATA_DIR !== undefined,
    unusedVariables: findUnusedNames(env),
  };
}

/**
 * Returns the variables that are set. An empty variable counts as unset, since compose files pass unset variables as
 * empty strings.
 */
function pickTexts(env: Environment): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, env[name] ?? '']).filter(([, text]) => text !== ''));
}

function readSecretFiles(env: Environment, problems: ConfigProblem[]): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const name of secretVariables) {
    const variable = `${name}_FILE`;
    const path = env[variable];
    if (!path) continue;
    if (env[name]) problems.push({ variable, message: `${name} is also set, expected only one of the two` });
    try {
      texts[name] = readFileSync(path, 'utf8').trim();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      problems.push({
        variable,
        message: `cannot be read (${reason}), expected the path of a readable file`,
      });
    }
  }
  return texts;
}

function findUnknownNames(env: Environment): ConfigProblem[] {
  const known = new Set([...names, ...fileNames]);
  return Object.keys(env)
    .filter((name) => name.startsWith('SLUICE_') && !known.has(name))
    .map((variable) => {
      const nearest = findNearestName(variable, [...known]);
      const expected = nearest ? `did you mean ${nearest}?` : 'expected a variable of the operating guide';
      return { variable, message: `is not known, ${expected}` };
    });
}

function invalidValueProblem(variable: string, text: string): ConfigProblem {
  // safe because zod reports issues only for keys of the shape
  const { description } = variables.shape[variable as keyof Values];
  const isSecret = secretNames.has(variable) || /^s3:.*@/i.test(text);
  const found = isSecret ? 'the value is not valid' : `${JSON.stringify(text)} is not valid`;
  return { variable, message: `${found}, expected ${description}` };
}

function findMissingPartners(texts: Record<string, string>): ConfigProblem[] {
  const groups: [whenSet: string[], needed: string[]][] = [
    [['DATABASE_DIRECT_URL', 'DATABASE_READ_URL'], ['DATABASE_URL']],
    [['DATABASE_READ_MAX_LAG'], ['DATABASE_READ_URL']],
    [['SMTP_URL'], ['MAIL_FROM']],
    [stripeNames, stripeNames],
    [alertNames, alertNames],
    [openidNames, openidNames],
    [['SLUICE_OIDC_DOMAIN'], openidNames],
    [['SLUICE_BODY_STORE'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
    [['SLUICE_LOG_EXPORT'], ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
    [['SLUICE_SEARCHED_LENGTH'], ['SLUICE_BODY_STORE']],
  ];
  return groups.flatMap(([whenSet, needed]) => {
    const cause = whenSet.find((name) => texts[name] !== undefined);
    if (!cause) return [];
    return needed
      .filter((name) => texts[name] === undefined)
      .map((variable) => ({ variable, message: `is not set, expected a value because ${cause} is set` }));
  });
}

/**
 * Minimum size of the budget in bodies. A user may use a quarter of the budget, and the largest body must fit into
 * it.
 */
const bodiesInBudget = 4;
const bodyBudgetBytes = 256 * 2 ** 20;

function findSmallBudget({ SLUICE_BODY_BUDGET: budget, SLUICE_BODY_LIMIT: limit }: Values): ConfigProblem[] {
  if (budget === undefined || budget >= bodiesInBudget * limit) return [];
  const { description } = variables.shape.SLUICE_BODY_BUDGET;
  return [
    { variable: 'SLUICE_BODY_BUDGET', message: `${budget} bytes is too small, expected ${description}` },
  ];
}

function findFewConnections({
  SLUICE_DATABASE_CONNECTIONS: inAll,
  SLUICE_WORKERS: workers,
}: Values): ConfigProblem[] {
  if (findConnectionsPerWorker(inAll, workers) >= connectionsPerWorkerMin) return [];
  const needed = connectionsPerWorkerMin * workers + countShippers(workers);
  const message = `${inAll} is not enough for ${workers} workers, expected at least ${needed}. Increase it or lower SLUICE_WORKERS`;
  return [{ variable: 'SLUICE_DATABASE_CONNECTIONS', message }];
}

/** Returns a problem if the log level hides the access log, which is written at level info. */
function findSilentAccessLog({ SLUICE_ACCESS_LOG: isWanted, LOG_LEVEL: level }: Values): ConfigProblem[] {
  if (!isWanted || ['trace', 'debug', 'info'].includes(level)) return [];
  const message = `has no effect at LOG_LEVEL=${level}, expected LOG_LEVEL=info`;
  return [{ variable: 'SLUICE_ACCESS_LOG', message }];
}

/**
 * Returns OpenTelemetry variables without an effect. Platforms set such variables for every program, so they do not
 * prevent a start. Without an endpoint, all of them have no effect.
 */
function findUnusedNames(env: Environment): string[] {
  const isTraced = Boolean(env.OTEL_EXPORTER_OTLP_ENDPOINT);
  const known = new Set([...names, ...fileNames]);
  return Object.keys(env).filter(
    (name) => name.startsWith('OTEL_') && env[name] && !(isTraced && known.has(name)),
  );
}

function toConfig(values: Values): Omit<Config, 'unusedVariables' | 'isInstallationNamed'> {
  return {
    http: {
      host: values.HOST,
      idleTimeoutMs: values.SLUICE_IDLE_TIMEOUT,
      port: values.PORT,
      publicUrl: values.PUBLIC_URL ?? `http://localhost:${values.PORT}`,
      bodyLimitBytes: values.SLUICE_BODY_LIMIT,
      bodyBudgetBytes:
        values.SLUICE_BODY_BUDGET ?? Math.max(bodyBudgetBytes, bodiesInBudget * values.SLUICE_BODY_LIMIT),
      responseBudgetBytes: values.SLUICE_RESPONSE_BUDGET,
      trustedProxies: values.SLUICE_TRUSTED_PROXIES,
    },
    database: values.DATABASE_URL ? toDatabase(values.DATABASE_URL, values.DATABASE_DIRECT_URL) : null,
    replica: toReplica(values),
    logStoreUrl: values.SLUICE_LOG_STORE ?? null,
    bodyStore: toObjectStore(values, values.SLUICE_BODY_STORE),
    logExport: toObjectStore(values, values.SLUICE_LOG_EXPORT),
    searchedLength: values.SLUICE_SEARCHED_LENGTH ?? null,
    dataDir: resolve(values.SLUICE_DATA_DIR),
    secret: values.SLUICE_SECRET ?? null,
    formerSecrets: values.SLUICE_FORMER_SECRET,
    admin: { email: values.SLUICE_ADMIN_EMAIL, password: values.SLUICE_ADMIN_PASSWORD ?? null },
    workers: values.SLUICE_WORKERS,
    connectionsPerWorker: findConnectionsPerWorker(values.SLUICE_DATABASE_CONNECTIONS, values.SLUICE_WORKERS),
    isConnectionCapGiven: values.SLUICE_DATABASE_CONNECTIONS !== undefined,
    nodes: values.SLUICE_NODES ?? null,
    concurrencyMax: values.SLUICE_CONCURRENCY,
    abandonedTimeoutMs: values.SLUICE_ABANDONED_TIMEOUT,
    canReachPrivateEndpoints: values.SLUICE_ALLOW_PRIVATE_ENDPOINTS,
    isSandboxEnabled: values.SLUICE_SANDBOX,
    allowsShortPaths: values.SLUICE_SHORT_PATHS,
    configurationFile: values.SLUICE_CONFIG ?? null,
    isSignupOpen: values.SLUICE_SIGNUP ? values.SLUICE_SIGNUP === 'open' : values.SLUICE_DEMO,
    isDemo: values.SLUICE_DEMO,
    isJournalSynced: values.SLUICE_JOURNAL_SYNC,
    drain: { delayMs: values.SLUICE_DRAIN_DELAY, timeoutMs: values.SLUICE_DRAIN_TIMEOUT },
    ...toServices(values),
    logLevel: values.LOG_LEVEL,
    hasAccessLog: values.SLUICE_ACCESS_LOG,
    metricsToken: values.SLUICE_METRICS_TOKEN ?? null,
  };
}

function toObjectStore(
  { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretKey }: Values,
  bucket: Values['SLUICE_BODY_STORE'],
): ObjectStoreConfig | null {
  return bucket && accessKeyId && secretKey ? { ...bucket, accessKeyId, secretKey } : null;
}

function toDatabase(url: string, directUrl = url): NonNullable<Config['database']> {
  return { url: withPostgresSslModes(url), directUrl: withPostgresSslModes(directUrl) };
}

function toReplica({ DATABASE_READ_URL: url, DATABASE_READ_MAX_LAG: lagMaxMs }: Values): Config['replica'] {
  return url ? { url: withPostgresSslModes(url), lagMaxMs } : null;
}

/** Sets libpq's interpretation of sslmode. By default, the driver treats `require` as `verify-full`. */
function withPostgresSslModes(url: string): string {
  const isNamed = /[?&]sslmode=/.test(url) && !/[?&]uselibpqcompat=/.test(url);
  return isNamed ? `${url}&uselibpqcompat=true` : url;
}

function toServices(
  values: Values,
): Pick<Config, 'mail' | 'stripe' | 'tracing' | 'alertWebhook' | 'identityProvider'> {
  const { SLUICE_ALERT_WEBHOOK_URL: alertUrl, SLUICE_ALERT_WEBHOOK_SECRET: alertSecret } = values;
  const { SMTP_URL: smtpUrl, MAIL_FROM: from } = values;
  const {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_PUBLISHABLE_KEY: publishableKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
  } = values;
  return {
    mail: smtpUrl && from ? { smtpUrl, from } : null,
    stripe:
      secretKey && publishableKey && webhookSecret
        ? { secretKey, publishableKey, webhookSecret, apiBase: values.STRIPE_API_BASE ?? null }
        : null,
    alertWebhook: alertUrl && alertSecret ? { url: alertUrl, secret: alertSecret } : null,
    tracing: toTracing(values),
    identityProvider: toIdentityProvider(values),
  };
}

function toIdentityProvider(values: Values): Config['identityProvider'] {
  const { SLUICE_OIDC_ISSUER: issuer, SLUICE_OIDC_CLIENT_ID: clientId } = values;
  const { SLUICE_OIDC_CLIENT_SECRET: clientSecret, SLUICE_OIDC_DOMAIN: domain = null } = values;
  return issuer && clientId && clientSecret ? { issuer, clientId, clientSecret, domain } : null;
}

function toTracing(values: Values): Config['tracing'] {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = values;
  if (endpoint === undefined) return null;
  return {
    endpoint,
    headers: values.OTEL_EXPORTER_OTLP_HEADERS,
    serviceName: values.OTEL_SERVICE_NAME,
    sampler: values.OTEL_TRACES_SAMPLER,
    sampledRatio: values.OTEL_TRACES_SAMPLER_ARG,
  };
}
