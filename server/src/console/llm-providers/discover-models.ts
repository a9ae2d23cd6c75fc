import type { ConnectionTest } from '@sluice/contract';
import { type ConnectionFailure, formatConnectionFailure } from '#domain/connection-failure.ts';
import type { Author } from '#domain/principal.ts';
import { addPath } from '#domain/provider-endpoint.ts';
import { ConsoleError } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { requireEffect } from '#outbound/take-effect.ts';
import { createFairQueue, QueueFullError } from '#platform/fair-queue.ts';
import { protocols } from '#protocols/registry.ts';
import type { KeyProof } from '#providers/discovery.ts';
import type { Provider } from '#providers/provider.ts';
import { classifyError } from '#upstream/classify-failure.ts';
import type { UpstreamClient } from '#upstream/client.ts';
import { UpstreamError } from '#upstream/upstream-error.ts';

export interface DiscoverModelsDeps {
  /** HTTP client that checks every IP address before connecting. */
  readonly upstream: UpstreamClient;
  /** Origin of the built-in sandbox provider; `null` if the sandbox is disabled. */
  readonly sandboxOrigin: string | null;
}

/** An `endpoint` of `null` means the provider's default endpoint. */
export interface Candidate {
  readonly provider: Provider;
  readonly endpoint: string | null;
  readonly apiKey: string | null;
}

/** Short timeouts, because an administrator waits for the result. Long model lists have a few megabytes. */
const timeouts = { connectMs: 5_000, firstByteMs: 10_000, idleMs: 5_000, totalMs: 15_000 };
const answerMaxBytes = 8 * 1024 * 1024;
const modelsMax = 1_000;
const modelNameMaxLength = 200;
/** Maximum number of concurrent tests, to prevent their use for scanning or generating load. */
const slots = 4;
/** Maximum number of waiting tests in total, per tenant and per user. */
const waitingMax = [60, 12, 6];
const inTurn = createFairQueue({ slots, waitingMax });

/** Returns the reason if the test fails. */
export async function discoverModels(
  deps: DiscoverModelsDeps,
  { tenantId, userId }: Pick<Author, 'tenantId' | 'userId'>,
  candidate: Candidate,
): Promise<ConnectionTest> {
  const path = [String(tenantId), String(userId)];
  const outcome = await inTurn(path, () => tryCandidate(deps, candidate)).catch(refuseWhenFull);
  if ('models' in outcome)
    return { success: true, available_models: normalizeModels(outcome.models), error: null };
  const error = formatConnectionFailure(outcome.failure, candidate.provider.displayName);
  return { success: false, available_models: [], error };
}

/** @throws ConsoleError 429 if a limit is exceeded, 403 if the tenant is suspended */
export async function tryConnection(
  deps: DiscoverModelsDeps,
  { principal, inTenant }: Pick<SignedInContext, 'principal' | 'inTenant'>,
  candidate: Candidate,
): Promise<ConnectionTest> {
  const { tenantId, userId: actorId } = principal;
  const { endpoint, provider } = candidate;
  // Count tests of default endpoints per tenant. All tenants share these endpoints, so one tenant must not use up the
  // tests of other tenants.
  const recipient = endpoint ? readHost(endpoint) : `${tenantId}:${provider.displayName}`;
  await inTenant((tx) => requireEffect(tx, { effect: 'connection_test', tenantId, actorId, recipient }));
  return discoverModels(deps, principal, candidate);
}

/** All ports of a host share one limit. */
function readHost(endpoint: string): string {
  return URL.parse(endpoint)?.hostname.replace(/\.$/, '') ?? endpoint;
}

function refuseWhenFull(error: unknown): never {
  if (!(error instanceof QueueFullError)) throw error;
  const status = error.depth === 0 ? 503 : 429;
  throw new ConsoleError(status, 'Too many connections are being tested at the moment. Please try again.', 5);
}

type Outcome = { readonly models: readonly string[] } | { readonly failure: ConnectionFailure };

async function tryCandidate(deps: DiscoverModelsDeps, candidate: Candidate): Promise<Outcome> {
  const { list, proof } = candidate.provider.discovery;
  const failure = proof ? await prove(deps, candidate, proof) : null;
  if (failure) return { failure };
  if (!list) return { models: candidate.provider.models };
  const answer = await call(deps, candidate, { path: () => list.path });
  if ('failure' in answer) {
    // Some self-hosted servers do not list models. Administrators then enter the model names.
    const listsNothing = answer.failure.status === 404 && candidate.provider.defaultEndpoint === null;
    const refusal = listsNothing ? await prove(deps, candidate, 'empty-completion') : answer.failure;
    return refusal ? { failure: refusal } : { models: [] };
  }
  const models = list.read(parse(answer.body));
  return models ? { models } : { failure: { status: answer.status } };
}

/** Checks a key. Returns the failure, or `null` if the key works. */
async function prove(
  deps: DiscoverModelsDeps,
  candidate: Candidate,
  proof: KeyProof,
): Promise<ConnectionFailure | null> {
  if (proof !== 'empty-completion') {
    const answer = await call(deps, candidate, proof);
    return 'failure' in answer ? answer.failure : null;
  }
  const { chat } = candidate.provider;
  const answer = await call(deps, candidate, {
    path: (root) => chat.path('', false, root),
    body: Buffer.from('{}'),
  });
  if (!('failure' in answer)) return null;
  const { status, isKeyRefused } = answer.failure;
  // A validation error for an empty request indicates that the key was accepted.
  return (status === 400 || status === 422) && !isKeyRefused ? null : answer.failure;
}

interface Call {
  readonly path: (root: string) => string | null;
  readonly body?: Buffer;
}

async function call(
  { upstream, sandboxOrigin }: DiscoverModelsDeps,
  { provider, endpoint, apiKey }: Candidate,
  { path, body }: Call,
): Promise<{ readonly status: number; readonly body: Buffer } | { readonly failure: ConnectionFailure }> {
  const { isBuiltIn = false, defaultEndpoint } = provider;
  const root = isBuiltIn ? sandboxOrigin : (endpoint ?? defaultEndpoint);
  const url = root === null ? null : addPath(root, path);
  if (!url) return { failure: { status: null, cause: 'other' } };
  const key = isBuiltIn ? 'sandbox' : apiKey;
  try {
    const { status, body: answer } = await upstream.send({
      url,
      method: body ? 'POST' : 'GET',
      headers: {
        ...(key && provider.authorize(key)),
        ...(body && { 'content-type': 'application/json' }),
        accept: 'application/json',
        'user-agent': 'sluice',
      },
      body: body ?? null,
      signal: new AbortController().signal,
      timeouts,
      trustedOrigin: isBuiltIn,
    });
    const bytes = await answer.collect(answerMaxBytes);
    return status >= 200 && status < 300
      ? { status, body: bytes }
      : { failure: readRefusal(provider, status, bytes) };
  } catch (error) {
    return { failure: { status: null, cause: findCause(error) } };
  }
}

function readRefusal({ chat }: Provider, status: number, body: Buffer): ConnectionFailure {
  const said = protocols[chat.protocol].provider.readErrorMessage(body.toString());
  return { status, isKeyRefused: said?.code === 'invalid_api_key', hasWords: said !== null };
}

function findCause(error: unknown): ConnectionFailure['cause'] {
  if (!(error instanceof UpstreamError)) return 'other';
  const { kind } = classifyError(error);
  if (kind === 'timeout') return 'timeout';
  return kind === 'connect' || kind === 'reset' ? 'network' : 'other';
}

function normalizeModels(models: readonly string[]): string[] {
  const names = models.map((name) => name.trim()).filter((name) => name.length <= modelNameMaxLength);
  return [...new Set(names)].filter((name) => name !== '').slice(0, modelsMax);
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}
