import { expect, test } from 'vitest';
import { configWarnings, formatConfig } from './format-config.ts';
import { readConfig } from './read-config.ts';

test('formatConfig shows the settings and no secret', () => {
  const canary = 'canary-0123456789-0123456789-0123456789';
  const description = formatConfig(
    readConfig({
      DATABASE_URL: `postgresql://sluice:${canary}@db.example/sluice?sslpassword=${canary}`,
      DATABASE_DIRECT_URL: `postgresql://sluice:${canary}@one:1,two:2/sluice?password=${canary}`,
      DATABASE_READ_URL: `postgresql://sluice:${canary}@read.example/sluice?password=${canary}`,
      SLUICE_LOG_STORE: `https://sluice:${canary}@logs.example/sluice`,
      SLUICE_BODY_STORE: 's3://texts/sluice?endpoint=https://storage.example',
      SLUICE_LOG_EXPORT: 's3://lake?region=eu-central-1',
      AWS_ACCESS_KEY_ID: canary,
      AWS_SECRET_ACCESS_KEY: canary,
      SLUICE_SECRET: canary,
      SLUICE_ADMIN_PASSWORD: canary,
      SLUICE_METRICS_TOKEN: canary,
      SMTP_URL: `smtp://user:${canary}@mail.example`,
      MAIL_FROM: 'a@example.com',
      STRIPE_SECRET_KEY: `sk_${canary}`,
      STRIPE_PUBLISHABLE_KEY: 'pk_1',
      STRIPE_WEBHOOK_SECRET: `whsec_${canary}`,
      SLUICE_TRUSTED_PROXIES: '10.0.0.1',
      SLUICE_ALERT_WEBHOOK_URL: `https://hook.example/${canary}`,
      SLUICE_ALERT_WEBHOOK_SECRET: canary,
      SLUICE_OIDC_ISSUER: 'https://id.example',
      SLUICE_OIDC_CLIENT_ID: 'sluice',
      SLUICE_OIDC_CLIENT_SECRET: canary,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel:4318',
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${canary}`,
    }),
  );
  expect(description).not.toContain(canary);
  expect(description.split('\n')).toEqual(
    expect.arrayContaining([
      'http.port: 8080',
      'http.trustedProxies: 10.0.0.1/32',
      'database.url: postgresql://sluice:***@db.example/sluice?sslpassword=***',
      'database.directUrl: postgresql://sluice:***@one:1,two:2/sluice?password=***',
      'replica.url: postgresql://sluice:***@read.example/sluice?password=***',
      'bodyStore.endpoint: https://storage.example',
      'bodyStore.secretKey: set',
      'secret: set',
      'mail.smtpUrl: smtp://user:***@mail.example',
      'stripe.publishableKey: pk_1',
      'tracing.headers: set',
      'alertWebhook: set',
    ]),
  );
});

test('configWarnings returns no warnings by default', () => {
  expect(configWarnings(readConfig({}))).toEqual([]);
});

test.each([
  ['SLUICE_ALLOW_PRIVATE_ENDPOINTS', '1', 'private networks'],
  ['SLUICE_DEMO', '1', 'payments are simulated'],
  ['SLUICE_SIGNUP', 'open', 'Signup is open'],
  ['SLUICE_TRUSTED_PROXIES', '0.0.0.0/0', 'forge'],
  ['OTEL_METRICS_EXPORTER', 'otlp', 'Ignored: OTEL_METRICS_EXPORTER'],
])('configWarnings warns about %s=%s', (variable, value, text) => {
  expect(configWarnings(readConfig({ [variable]: value }))).toContainEqual(expect.stringContaining(text));
});

test.each([
  [{ HOST: '0.0.0.0' }, true],
  [{ HOST: '::', PUBLIC_URL: 'http://gate.example' }, true],
  [{ HOST: '10.1.2.3' }, true],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'https://gate.example' }, false],
  [{ HOST: '127.0.0.2', PUBLIC_URL: 'http://gate.example' }, false],
  [{ HOST: '::1' }, false],
  [{ HOST: 'localhost' }, false],
])(
  'configWarnings warns if a node is reachable from other machines without HTTPS: %j, %s',
  (variables, isWarned) => {
    const warnings = configWarnings(readConfig(variables));
    expect(warnings.some((text) => text.includes('in plain text'))).toBe(isWarned);
  },
);
