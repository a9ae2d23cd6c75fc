import type { Config } from './config.ts';

const secretKeys = new Set([
  'secret',
  'formerSecrets',
  'password',
  'secretKey',
  'accessKeyId',
  'webhookSecret',
  'metricsToken',
  'headers',
  'alertWebhook',
  'clientSecret',
]);

/** Returns one `path: value` per line, without secrets. */
export function formatConfig(config: Config): string {
  return listValues(config).join('\n');
}

/** Warns about each setting that weakens security, simulates something or has no effect. */
export function configWarnings(config: Config): string[] {
  const { http, canReachPrivateEndpoints, isDemo, isSignupOpen, unusedVariables } = config;
  const warnings: [applies: boolean, text: string][] = [
    [
      canReachPrivateEndpoints,
      'SLUICE_ALLOW_PRIVATE_ENDPOINTS=1: provider endpoints may reach loopback and private networks.',
    ],
    [
      !isOwnMachine(http.host) && !http.publicUrl.startsWith('https:'),
      `HOST=${http.host} without an https PUBLIC_URL: passwords, keys and prompts are sent in plain text unless a TLS proxy is in front.`,
    ],
    [isDemo, 'SLUICE_DEMO=1: payments are simulated. Never use this for real customers.'],
    [isSignupOpen, 'Signup is open: anyone who can reach this URL can create a tenant.'],
    [
      http.trustedProxies.some((network) => network.endsWith('/0')),
      'SLUICE_TRUSTED_PROXIES trusts every address: clients can forge their IP address.',
    ],
    [
      unusedVariables.length > 0,
      `Ignored: ${unusedVariables.join(', ')}. docs/TELEMETRY.md names the variables of OpenTelemetry that are read.`,
    ],
  ];
  return warnings.filter(([applies]) => applies).map(([, text]) => text);
}

function isOwnMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/.test(host);
}

function listValues(value: unknown, path: string[] = []): string[] {
  const isSecret = secretKeys.has(path.at(-1) ?? '');
  if (value !== null && typeof value === 'object' && !Array.isArray(value) && !isSecret) {
    return Object.entries(value).flatMap(([key, inner]) => listValues(inner, [...path, key]));
  }
  return [`${path.join('.')}: ${formatValue(path.at(-1) ?? '', value)}`];
}

function formatValue(key: string, value: unknown): string {
  if (value === null) return 'not set';
  if (secretKeys.has(key)) return Array.isArray(value) && value.length === 0 ? 'not set' : 'set';
  if (Array.isArray(value)) return value.join(', ') || 'none';
  return typeof value === 'string' ? maskCredentials(value) : String(value);
}

/** Masks credentials in the text itself, because a connection string with several hosts is not a valid URL. */
function maskCredentials(text: string): string {
  return text
    .replace(/^([a-z][a-z\d+.-]*:\/\/[^/?#:@]*):[^/?#]*@/i, '$1:***@')
    .replace(/([?&](?:password|sslpassword)=)[^&#]*/g, '$1***');
}
