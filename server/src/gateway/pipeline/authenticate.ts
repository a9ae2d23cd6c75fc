import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { checkUser } from '#domain/access/check-caller.ts';
import { isManagementToken } from '#domain/api-key.ts';
import { type ApiKeyLimits, isAllowed, keyLimitsOf, mustSetUpSecondFactor } from '#domain/principal.ts';
import { findRepeatedHeader } from '#domain/repeated-header.ts';
import { GatewayError } from '#errors/gateway-error.ts';
import { proceed } from '#platform/proceed.ts';
import { type Authenticated, addResult, type Received } from '../exchange.ts';
import type { Holder, Principals } from '../snapshot/principals.ts';

export interface AuthenticateDeps {
  readonly principals: Pick<Principals, 'ofApiKey' | 'ofSession'>;
  /** Returns `false` if the snapshot is too old to trust. The response is then 503, never 401 for a valid key. */
  readonly isFresh: () => boolean;
  /** Returns the client's IP address as reported by trusted proxies. */
  readonly findAddress: (request: IncomingMessage) => string;
}

/** Stage 2: maps header credentials to a principal before the body is read. Only unknown keys need the database. */
export function authenticate(
  exchange: Received,
  deps: AuthenticateDeps,
): Authenticated | Promise<Authenticated> {
  const credential = requireCredential(exchange);
  if (!deps.isFresh()) {
    throw new GatewayError('not_ready', 'The gateway cannot check credentials at the moment. Please retry.', {
      retryAfterMs: 1_000,
    });
  }
  const address = deps.findAddress(exchange.request);
  const found = credential.startsWith('eyJ')
    ? deps.principals.ofSession(credential)
    : deps.principals.ofApiKey(credential, exchange.request.socket, address);
  return proceed(found, (holder) => {
    if (!holder) throw invalidKeyError(credential);
    // The principal is added before any rejection, so that the row of a rejected request names the principal.
    const authenticated = addResult(exchange, 'authenticate', { principal: holder, address });
    requireAllowed(authenticated, holder);
    return authenticated;
  });
}

function requireCredential(exchange: Received): string {
  const urlKey = apiKeyFromQuery(exchange);
  const problem = findRepeatedHeader(exchange.request.rawHeaders);
  if (problem) throw new GatewayError('invalid_request', problem);
  const credential = readCredential(exchange.request.headers) ?? urlKey;
  if (credential === null) {
    throw new GatewayError(
      'missing_api_key',
      'No API key was sent. Send it as "Authorization: Bearer slc_...".',
    );
  }
  return credential;
}

function invalidKeyError(credential: string): GatewayError {
  return new GatewayError(
    'invalid_api_key',
    isManagementToken(credential)
      ? 'This is a management token, which cannot be used for requests to models. Send an API key (slc_...).'
      : 'The API key is not valid: it is mistyped, revoked or expired. Ask your administrator for a new one.',
  );
}

function requireAllowed(exchange: Authenticated, holder: Holder): void {
  const refusal = checkUser(holder);
  if (refusal) throw new GatewayError(refusal.code, refusal.message);
  if (mustSetUpSecondFactor(holder)) {
    throw new GatewayError(
      'account_blocked',
      'Your role requires a second factor. Sign in to the console and set one up first.',
    );
  }
  const { permission } = exchange.route.row;
  if (permission !== 'anyone' && !isAllowed(holder, permission)) {
    throw new GatewayError(
      'scope_missing',
      'This API key does not have the scope for this endpoint. Ask your administrator for a key that has it.',
    );
  }
  const limits = keyLimitsOf(holder);
  if (limits) requireWithinKey(limits, exchange);
}

const readingOperations: ReadonlySet<string> = new Set(['models.list', 'models.get', 'requests.get']);

function requireWithinKey(
  { isAllowedAddress, dialects }: ApiKeyLimits,
  { address, route }: Authenticated,
): void {
  if (isAllowedAddress && !isAllowedAddress(address)) {
    throw new GatewayError(
      'key_restricted',
      `This API key may not be used from ${address}. Call from an allowed network, or ask your administrator to allow this one.`,
    );
  }
  const { id } = route.protocol;
  if (!dialects || readingOperations.has(route.operation) || dialects.some((dialect) => dialect === id))
    return;
  throw new GatewayError(
    'key_restricted',
    `This API key may not be used with the protocol of this endpoint (${id}). It is limited to ${dialects.join(', ')}. Use one of these protocols, or ask your administrator.`,
  );
}

const bearerStart = 'Bearer ';
const isWord = /^\S+$/;

export function readCredential(headers: IncomingHttpHeaders): string | null {
  const { authorization } = headers;
  // Fast path for the usual form of the header. A regex match would allocate several hundred bytes.
  const key = authorization?.startsWith(bearerStart) ? authorization.slice(bearerStart.length) : '';
  if (isWord.test(key)) return key;
  const bearer = authorization?.match(/^Bearer +(\S+) *$/i)?.[1];
  if (bearer) return bearer;
  for (const name of ['x-api-key', 'api-key', 'x-goog-api-key']) {
    const value = headers[name];
    if (typeof value === 'string' && value !== '') return value;
  }
  return null;
}

/** Google's clients may send the key in the URL. The key is removed from the URL, since URLs end up in logs. */
function apiKeyFromQuery({ request, route }: Received): string | null {
  if (route.row.base !== '/api/v1beta') return null;
  const [path = '', query = ''] = (request.url ?? '').split('?', 2);
  const parameters = new URLSearchParams(query);
  const [apiKey, ...others] = parameters.getAll('key');
  if (apiKey === undefined) return null;
  parameters.delete('key');
  request.url = `${path}?${parameters}`;
  if (others.length > 0)
    throw new GatewayError(
      'invalid_request',
      "The query parameter 'key' was sent more than once. Send it once.",
    );
  return apiKey === '' ? null : apiKey;
}
