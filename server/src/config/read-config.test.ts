import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readMachineLimits } from '#platform/machine-limits.ts';
import { defaultWorkers } from './fit-connections.ts';
import { ConfigError, readConfig } from './read-config.ts';
import { secretVariables, type variables } from './variables.ts';

const folder = mkdtempSync(join(tmpdir(), 'config-'));
afterAll(() => rmSync(folder, { recursive: true }));

function problemsOf(env: Record<string, string>) {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

const openid = {
  SLUICE_OIDC_ISSUER: 'https://id.example',
  SLUICE_OIDC_CLIENT_ID: 'sluice',
  SLUICE_OIDC_CLIENT_SECRET: 'a client secret',
};
const stripe = {
  STRIPE_SECRET_KEY: 'sk_test_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_1',
};

test('readConfig returns the documented default of every setting', () => {
  expect(readConfig({ PATH: '/bin', HOME: '/' })).toEqual({
    http: {
      host: '127.0.0.1',
      idleTimeoutMs: 60_000,
      port: 8080,
      publicUrl: 'http://localhost:8080',
      bodyLimitBytes: 10_485_760,
      bodyBudgetBytes: 268_435_456,
      responseBudgetBytes: 268_435_456,
      trustedProxies: [],
    },
    database: null,
    replica: null,
    logStoreUrl: null,
    bodyStore: null,
    searchedLength: null,
    logExport: null,
    dataDir: resolve('data'),
    isInstallationNamed: false,
    secret: null,
    formerSecrets: [],
    admin: { email: 'admin@example.com', password: null },
    workers: defaultWorkers(readMachineLimits()),
    connectionsPerWorker: 7,
    isConnectionCapGiven: false,
    nodes: null,
    concurrencyMax: 100,
    abandonedTimeoutMs: 120_000,
    canReachPrivateEndpoints: false,
    isSandboxEnabled: true,
    allowsShortPaths: true,
    configurationFile: null,
    isSignupOpen: false,
    isDemo: false,
    isJournalSynced: false,
    drain: { delayMs: 0, timeoutMs: 30_000 },
    mail: null,
    stripe: null,
    logLevel: 'info',
    hasAccessLog: false,
    tracing: null,
    metricsToken: null,
    alertWebhook: null,
    identityProvider: null,
    unusedVariables: [],
  });
});

const bucketUrl = 's3://texts?region=eu-central-1';
const objectKeys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key' };
const url = 'postgresql://sluice:pw@db.example/sluice';
test.each<[env: Record<string, string>, part: object]>([
  [{ PORT: '0' }, { http: { port: 0 } }],
  [
    { PORT: '65535', HOST: '::' },
    { http: { port: 65_535, host: '::', publicUrl: 'http://localhost:65535' } },
  ],
  [{ PUBLIC_URL: 'https://llm.example.com/gate//' }, { http: { publicUrl: 'https://llm.example.com/gate' } }],
  [{ DATABASE_URL: url }, { database: { url, directUrl: url } }],
  [
    { DATABASE_URL: url, DATABASE_DIRECT_URL: 'postgres://d/s' },
    { database: { url, directUrl: 'postgres://d/s' } },
  ],
  [
    { DATABASE_URL: url, DATABASE_READ_URL: 'postgres://r/s', DATABASE_READ_MAX_LAG: '5 s' },
    { replica: { url: 'postgres://r/s', lagMaxMs: 5_000 } },
  ],
  [
    { DATABASE_URL: url, DATABASE_READ_URL: 'postgres://r/s?sslmode=require' },
    { replica: { url: 'postgres://r/s?sslmode=require&uselibpqcompat=true', lagMaxMs: 60_000 } },
  ],
  [{}, { replica: null }],
  [
    { SLUICE_LOG_STORE: 'https://u:p@logs.example:8443/sluice' },
    { logStoreUrl: 'https://u:p@logs.example:8443/sluice' },
  ],
  [
    {
      ...objectKeys,
      SLUICE_BODY_STORE: 's3://texts/a/b/?region=eu-central-1',
      SLUICE_SEARCHED_LENGTH: '2000',
    },
    {
      bodyStore: {
        ...{ bucket: 'texts', prefix: 'a/b', region: 'eu-central-1' },
        ...{ endpoint: 'https://s3.eu-central-1.amazonaws.com', accessKeyId: 'id', secretKey: 'key' },
      },
      searchedLength: 2_000,
      logExport: null,
    },
  ],
  [
    { ...objectKeys, SLUICE_LOG_EXPORT: 's3://lake?endpoint=http://127.0.0.1:9000' },
    {
      logExport: { bucket: 'lake', prefix: '', endpoint: 'http://127.0.0.1:9000', region: 'us-east-1' },
      bodyStore: null,
    },
  ],
  [objectKeys, { bodyStore: null, logExport: null }],
  [{ SLUICE_LOG_STORE: 'http://[::1]:8123/logs' }, { logStoreUrl: 'http://[::1]:8123/logs' }],
  [
    { SLUICE_LOG_STORE: 'https://u:p@logs.example/logs?cluster=eu-1' },
    { logStoreUrl: 'https://u:p@logs.example/logs?cluster=eu-1' },
  ],
  [{ DATABASE_URL: 'postgresql:///s?host=/run/pg' }, { database: { url: 'postgresql:///s?host=/run/pg' } }],
  [{ SLUICE_DATA_DIR: '/var/lib/sluice' }, { dataDir: '/var/lib/sluice' }],
  [{ SLUICE_SECRET: 's'.repeat(32) }, { secret: 's'.repeat(32) }],
  [{ SLUICE_SECRET: '' }, { secret: null }],
  [
    { SLUICE_ADMIN_EMAIL: 'a@b.co', SLUICE_ADMIN_PASSWORD: '123456' },
    { admin: { email: 'a@b.co', password: '123456' } },
  ],
  [{ SLUICE_WORKERS: '4' }, { workers: 4 }],
  [{ SLUICE_NODES: '12' }, { nodes: 12 }],
  [{}, { nodes: null, isConnectionCapGiven: false, isInstallationNamed: false }],
  [{ SLUICE_DATA_DIR: '/x' }, { isInstallationNamed: true }],
  [{ SLUICE_WORKERS: '16', SLUICE_DATABASE_CONNECTIONS: '100' }, { connectionsPerWorker: 6 }],
  [
    { DATABASE_URL: `${url}?sslmode=require` },
    { database: { url: `${url}?sslmode=require&uselibpqcompat=true` } },
  ],
  [
    { SLUICE_DRAIN_DELAY: '5s', SLUICE_DRAIN_TIMEOUT: '2 min' },
    { drain: { delayMs: 5_000, timeoutMs: 120_000 } },
  ],
  [
    { SLUICE_DRAIN_DELAY: '1500 ms', SLUICE_DRAIN_TIMEOUT: '45' },
    { drain: { delayMs: 1_500, timeoutMs: 45_000 } },
  ],
  [{ SLUICE_CONCURRENCY: '7' }, { concurrencyMax: 7 }],
  [{ SLUICE_ABANDONED_TIMEOUT: '0' }, { abandonedTimeoutMs: 0 }],
  [{ SLUICE_SANDBOX: '0' }, { isSandboxEnabled: false }],
  [{ SLUICE_SHORT_PATHS: '0' }, { allowsShortPaths: false }],
  [{ SLUICE_SIGNUP: 'open' }, { isSignupOpen: true }],
  [{ SLUICE_DEMO: '1' }, { isDemo: true, isSignupOpen: true }],
  [
    { SLUICE_DEMO: 'true', SLUICE_SIGNUP: 'closed' },
    { isDemo: true, isSignupOpen: false },
  ],
  [{ SLUICE_ALLOW_PRIVATE_ENDPOINTS: '1' }, { canReachPrivateEndpoints: true }],
  [{ SLUICE_BODY_LIMIT: '2048' }, { http: { bodyLimitBytes: 2048 } }],
  [{ SLUICE_BODY_LIMIT: '64 KiB' }, { http: { bodyLimitBytes: 65_536 } }],
  [{ SLUICE_BODY_LIMIT: '2MB' }, { http: { bodyLimitBytes: 2_000_000 } }],
  [{ SLUICE_BODY_LIMIT: '1GiB' }, { http: { bodyBudgetBytes: 2 ** 32 } }],
  [{ SLUICE_BODY_BUDGET: '40MiB' }, { http: { bodyBudgetBytes: 41_943_040 } }],
  [{ SLUICE_RESPONSE_BUDGET: '1GiB' }, { http: { responseBudgetBytes: 2 ** 30 } }],
  [
    { SLUICE_TRUSTED_PROXIES: '10.0.0.0/8, 192.168.1.7 ,::1,fd00::/8' },
    { http: { trustedProxies: ['10.0.0.0/8', '192.168.1.7/32', '::1/128', 'fd00::/8'] } },
  ],
  [
    { SMTP_URL: 'smtps://u:p@mail.example:465', MAIL_FROM: 'Sluice <no-reply@example.com>' },
    { mail: { smtpUrl: 'smtps://u:p@mail.example:465', from: 'Sluice <no-reply@example.com>' } },
  ],
  [
    { ...stripe, STRIPE_API_BASE: 'http://127.0.0.1:12111' },
    {
      stripe: {
        secretKey: 'sk_test_1',
        publishableKey: 'pk_test_1',
        webhookSecret: 'whsec_1',
        apiBase: 'http://127.0.0.1:12111',
      },
    },
  ],
  [{ LOG_LEVEL: 'debug' }, { logLevel: 'debug' }],
  [
    { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318/' },
    {
      tracing: {
        endpoint: 'http://otel:4318',
        headers: {},
        serviceName: 'sluice',
        sampler: 'parentbased_always_on',
        sampledRatio: 1,
      },
    },
  ],
  [
    {
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
      OTEL_EXPORTER_OTLP_HEADERS: 'X-Key=a%20b, x-team=llm',
      OTEL_SERVICE_NAME: 'gate',
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    },
    {
      tracing: {
        headers: { 'x-key': 'a b', 'x-team': 'llm' },
        serviceName: 'gate',
        sampler: 'traceidratio',
        sampledRatio: 0.25,
      },
      unusedVariables: [],
    },
  ],
  [
    { OTEL_SERVICE_NAME: 'gate', OTEL_LOGS_EXPORTER: 'otlp', OTEL_SDK_DISABLED: '' },
    { tracing: null, unusedVariables: ['OTEL_SERVICE_NAME', 'OTEL_LOGS_EXPORTER'] },
  ],
  [{ SLUICE_ACCESS_LOG: '1' }, { hasAccessLog: true }],
  [
    { SLUICE_ALERT_WEBHOOK_URL: 'https://hook.example/a?b=c', SLUICE_ALERT_WEBHOOK_SECRET: 'w'.repeat(16) },
    { alertWebhook: { url: 'https://hook.example/a?b=c', secret: 'w'.repeat(16) } },
  ],
  [
    { ...openid, SLUICE_OIDC_DOMAIN: 'Example.COM' },
    {
      identityProvider: {
        issuer: 'https://id.example',
        clientId: 'sluice',
        clientSecret: 'a client secret',
        domain: 'example.com',
      },
    },
  ],
  [{ SLUICE_METRICS_TOKEN: 'm'.repeat(16) }, { metricsToken: 'm'.repeat(16) }],
  [{ SLUICE_JOURNAL_SYNC: '1' }, { isJournalSynced: true }],
])('readConfig accepts %j', (env, part) => {
  expect(readConfig(env)).toMatchObject(part);
});

const invalidBuckets = [
  'https://bucket.example/prefix',
  's3://bucket',
  's3://?region=eu-central-1',
  's3://bucket?endpoint=http://storage.example',
  's3://bucket?endpoint=https://storage.example/path',
  's3://bucket?region=eu-central-1&acl=public',
];

const invalid: Record<keyof typeof variables.shape, string[]> = {
  PORT: ['-1', '65536', '80.5', '0x50', 'http', '8080 '],
  HOST: ['a b', 'http://x'],
  PUBLIC_URL: ['example.com', 'ftp://example.com', 'https://example.com/?a=1'],
  DATABASE_URL: [
    'mysql://u@h/d',
    'localhost:5432',
    'postgresql://one:1,two:x/d',
    'postgresql://one,two/d?target_session_attrs=standby',
  ],
  DATABASE_DIRECT_URL: ['nonsense'],
  DATABASE_READ_URL: [
    'nonsense',
    'postgresql://one,two/d',
    'postgresql://one/d?target_session_attrs=primary',
  ],
  DATABASE_READ_MAX_LAG: ['0', '2 h', 'soon'],
  SLUICE_LOG_STORE: [
    'http://logs.example:8123/sluice',
    'https://logs.example',
    'https://logs.example/a/b',
    'https://logs.example/a?b=1',
    "https://logs.example/a?cluster=it's",
    'https://logs.example/a?cluster=b&cluster=c',
    'postgresql://logs.example/a',
  ],
  SLUICE_BODY_STORE: invalidBuckets,
  SLUICE_LOG_EXPORT: invalidBuckets,
  SLUICE_SEARCHED_LENGTH: ['1999', '65537', 'all'],
  AWS_ACCESS_KEY_ID: ['x'.repeat(501)],
  AWS_SECRET_ACCESS_KEY: ['x'.repeat(501)],
  SLUICE_DATABASE_CONNECTIONS: ['4', 'many'],
  SLUICE_DATA_DIR: [],
  SLUICE_SECRET: ['short'],
  SLUICE_FORMER_SECRET: ['short'],
  SLUICE_ADMIN_EMAIL: ['admin', 'a@'],
  SLUICE_ADMIN_PASSWORD: ['12345', 'p'.repeat(129)],
  SLUICE_WORKERS: ['0', '257', 'all', '1.5'],
  SLUICE_NODES: ['0', '1001', 'many'],
  SLUICE_CONCURRENCY: ['0', 'many', '100001'],
  SLUICE_ABANDONED_TIMEOUT: ['2 h', '-1', 'never'],
  SLUICE_SANDBOX: ['yes', '2'],
  SLUICE_SHORT_PATHS: ['yes', '2'],
  SLUICE_CONFIG: ['x'.repeat(4097)],
  SLUICE_SIGNUP: ['1', 'Open'],
  SLUICE_DEMO: ['on'],
  SLUICE_ALLOW_PRIVATE_ENDPOINTS: ['yes'],
  SLUICE_BODY_LIMIT: ['1023', '2 GiB', '10 mib', '-1', '1.5 MiB'],
  SLUICE_BODY_BUDGET: ['4095', '2048 GiB', 'all'],
  SLUICE_RESPONSE_BUDGET: ['1048575', '2048 GiB', 'all'],
  SLUICE_TRUSTED_PROXIES: ['10.0.0.0/33', 'proxy.local', '10.0.0.1,', '::1/129'],
  SLUICE_IDLE_TIMEOUT: ['0', '500 ms', '2 h', 'long'],
  SLUICE_DRAIN_DELAY: ['11 min', '-1', '5 sec', 'soon'],
  SLUICE_DRAIN_TIMEOUT: ['2 h', '1.5 s', '30 S'],
  SLUICE_JOURNAL_SYNC: ['fsync'],
  SLUICE_METRICS_TOKEN: ['short', 'a token with spaces in it', 'ein-schlüssel-für-zahlen'],
  SMTP_URL: ['http://mail', 'mail.example'],
  MAIL_FROM: ['nobody', 'a@b, c@d', 'A <a@b>\r\nBcc: c@d'],
  STRIPE_SECRET_KEY: ['pk_1', 'sk_'],
  STRIPE_PUBLISHABLE_KEY: ['sk_1'],
  STRIPE_WEBHOOK_SECRET: ['whsec_', 'secret'],
  STRIPE_API_BASE: ['api.stripe.com'],
  LOG_LEVEL: ['verbose', 'INFO'],
  SLUICE_ACCESS_LOG: ['yes'],
  SLUICE_ALERT_WEBHOOK_URL: ['hook.example'],
  SLUICE_ALERT_WEBHOOK_SECRET: ['short'],
  SLUICE_OIDC_ISSUER: ['id.example'],
  SLUICE_OIDC_CLIENT_ID: ['x'.repeat(501)],
  SLUICE_OIDC_CLIENT_SECRET: ['x'.repeat(2_001)],
  SLUICE_OIDC_DOMAIN: ['example', 'a@b.co'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['otel:4318'],
  OTEL_EXPORTER_OTLP_HEADERS: ['x-key', 'a=b,', 'a=%', 'a=b%0d%0ac'],
  OTEL_SERVICE_NAME: ['s'.repeat(256)],
  OTEL_TRACES_SAMPLER: ['sometimes'],
  OTEL_TRACES_SAMPLER_ARG: ['1.5', '-1', 'half'],
};

test.each(
  Object.entries(invalid).flatMap(([variable, values]) => values.map((value) => ({ variable, value }))),
)('readConfig rejects $variable=$value and states the expected format', ({ variable, value }) => {
  const problem = problemsOf({ [variable]: value }).find((candidate) => candidate.variable === variable);
  expect(problem?.message).toMatch(/is not valid, expected \S/);
  const isSecret = secretVariables.some((name) => name === variable);
  expect(problem?.message.includes(JSON.stringify(value))).toBe(!isSecret);
});

test('readConfig rejects a body budget whose quarter is smaller than the largest body', () => {
  const problems = problemsOf({ SLUICE_BODY_LIMIT: '1MiB', SLUICE_BODY_BUDGET: '4194303' });
  expect(problems).toEqual([
    {
      variable: 'SLUICE_BODY_BUDGET',
      message: expect.stringMatching(/^4194303 bytes is too small, expected .*four times SLUICE_BODY_LIMIT/),
    },
  ]);
});

test('readConfig does not echo credentials in the URL of a bucket', () => {
  const [problem] = problemsOf({ SLUICE_BODY_STORE: 's3://key:canary@bucket?region=eu-central-1' });
  expect(problem?.message).toMatch(/^the value is not valid, expected s3:/);
});

test('readConfig reports all problems together, one per line', () => {
  expect(() => readConfig({ PORT: 'x', SLUICE_WORKERS: '0', SLUICE_WORKER: '2', LOG_LEVEL: 'loud' })).toThrow(
    [
      'The configuration is not valid:',
      '  SLUICE_WORKER: is not known, did you mean SLUICE_WORKERS?',
      '  PORT: "x" is not valid, expected a port from 0 to 65535',
      '  SLUICE_WORKERS: "0" is not valid, expected a number of processes from 1 to 256',
      '  LOG_LEVEL: "loud" is not valid, expected one of trace, debug, info, warn, error, fatal, silent',
    ].join('\n'),
  );
});

test.each([
  ['SLUICE_PORT', 'did you mean PORT?'],
  ['SLUICE_SECERT', 'did you mean SLUICE_SECRET?'],
  ['SLUICE_SECRET_FLE', 'did you mean SLUICE_SECRET_FILE?'],
  ['SLUICE_WORKERS_FILE', 'expected a variable of the operating guide'],
  ['SLUICE_SOMETHING_ELSE', 'expected a variable of the operating guide'],
])('readConfig rejects the unknown variable %s: %s', (variable, advice) => {
  expect(problemsOf({ [variable]: '1' })).toEqual([{ variable, message: `is not known, ${advice}` }]);
});

test.each<[env: Record<string, string>, missing: string[]]>([
  [{ DATABASE_DIRECT_URL: url }, ['DATABASE_URL']],
  [{ SMTP_URL: 'smtp://mail' }, ['MAIL_FROM']],
  [{ STRIPE_SECRET_KEY: 'sk_1' }, ['STRIPE_PUBLISHABLE_KEY', 'STRIPE_WEBHOOK_SECRET']],
  [{ STRIPE_PUBLISHABLE_KEY: 'pk_1', STRIPE_WEBHOOK_SECRET: 'whsec_1' }, ['STRIPE_SECRET_KEY']],
  [{ SLUICE_ALERT_WEBHOOK_URL: 'https://hook.example' }, ['SLUICE_ALERT_WEBHOOK_SECRET']],
  [{ SLUICE_ALERT_WEBHOOK_SECRET: 'w'.repeat(16) }, ['SLUICE_ALERT_WEBHOOK_URL']],
  [{ SLUICE_OIDC_ISSUER: 'https://id.example' }, ['SLUICE_OIDC_CLIENT_ID', 'SLUICE_OIDC_CLIENT_SECRET']],
  [{ SLUICE_OIDC_DOMAIN: 'example.com' }, Object.keys(openid)],
  [{ DATABASE_READ_URL: url }, ['DATABASE_URL']],
  [{ DATABASE_READ_MAX_LAG: '5 s' }, ['DATABASE_READ_URL']],
  [{ SLUICE_BODY_STORE: bucketUrl }, ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']],
  [{ SLUICE_LOG_EXPORT: bucketUrl, AWS_ACCESS_KEY_ID: 'id' }, ['AWS_SECRET_ACCESS_KEY']],
  [{ SLUICE_SEARCHED_LENGTH: '2000' }, ['SLUICE_BODY_STORE']],
])('readConfig names the variables that are missing with %j', (env, missing) => {
  expect(problemsOf(env).map(({ variable }) => variable)).toEqual(missing);
});

test.each(secretVariables)('readConfig reads %s from the file that %s_FILE names', (name) => {
  const path = join(folder, name);
  const values: Record<string, string> = {
    DATABASE_URL: url,
    DATABASE_DIRECT_URL: url,
    DATABASE_READ_URL: 'postgresql://read.example/sluice',
    SLUICE_LOG_STORE: 'https://u:p@logs.example/sluice',
    SLUICE_BODY_STORE: bucketUrl,
    AWS_ACCESS_KEY_ID: 'file-key-id',
    AWS_SECRET_ACCESS_KEY: 'file-key',
    SLUICE_SECRET: 'file-secret-'.repeat(3),
    SLUICE_FORMER_SECRET: 'former-secret-'.repeat(3),
    SLUICE_ADMIN_PASSWORD: 'file-password',
    SLUICE_METRICS_TOKEN: 'file-token-0123456789',
    SMTP_URL: 'smtp://file.example',
    SLUICE_ALERT_WEBHOOK_URL: 'https://file.example',
    SLUICE_ALERT_WEBHOOK_SECRET: 'file-alert-0123456789',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
    OTEL_EXPORTER_OTLP_HEADERS: 'x-key=file-header',
    ...stripe,
    ...openid,
  };
  const value = values[name] ?? '';
  writeFileSync(path, `${value}\n`);
  const others: Record<string, string> = { ...values, MAIL_FROM: 'a@b.co', [name]: '' };
  const parts = name === 'OTEL_EXPORTER_OTLP_HEADERS' ? 'file-header' : value;
  expect(JSON.stringify(readConfig({ ...others, [`${name}_FILE`]: path }))).toContain(parts);
  expect(problemsOf({ ...others, [name]: value, [`${name}_FILE`]: path })).toEqual([
    { variable: `${name}_FILE`, message: `${name} is also set, expected only one of the two` },
  ]);
});

test('readConfig reads one or several previous secrets separated by commas', () => {
  const [newer, older] = ['newer-secret-'.repeat(3), 'older-secret-'.repeat(3)];
  const read = (text: string) => readConfig({ SLUICE_FORMER_SECRET: text }).formerSecrets;
  expect(read(newer)).toEqual([newer]);
  expect(read(`${newer}, ${older}`)).toEqual(expect.arrayContaining([newer, older]));
  const withComma = `${newer},short`;
  expect(read(withComma)).toEqual([withComma]);
});

test('readConfig reports an unreadable secret file as a problem of its variable', () => {
  const [problem] = problemsOf({ SLUICE_SECRET_FILE: join(folder, 'missing') });
  expect(problem).toMatchObject({
    variable: 'SLUICE_SECRET_FILE',
    message: expect.stringContaining('ENOENT'),
  });
});

test('readConfig does not echo an invalid value of a secret file', () => {
  writeFileSync(join(folder, 'short'), 'canary');
  const problems = problemsOf({ SLUICE_SECRET_FILE: join(folder, 'short') });
  expect(problems).toEqual([
    { variable: 'SLUICE_SECRET', message: 'the value is not valid, expected at least 32 characters' },
  ]);
});

test('the configuration is unchanged after a JSON round trip', () => {
  const config = readConfig({ ...stripe, DATABASE_URL: url });
  expect(JSON.parse(JSON.stringify(config))).toEqual(config);
});

test('readConfig rejects too few connections for the workers and names the number that suffices', () => {
  expect(problemsOf({ SLUICE_WORKERS: '64', SLUICE_DATABASE_CONNECTIONS: '100' })).toEqual([
    {
      variable: 'SLUICE_DATABASE_CONNECTIONS',
      message: '100 is not enough for 64 workers, expected at least 272. Increase it or lower SLUICE_WORKERS',
    },
  ]);
});

test('readConfig rejects an access log that the log level would hide', () => {
  expect(problemsOf({ SLUICE_ACCESS_LOG: '1', LOG_LEVEL: 'warn' })).toEqual([
    { variable: 'SLUICE_ACCESS_LOG', message: 'has no effect at LOG_LEVEL=warn, expected LOG_LEVEL=info' },
  ]);
});
