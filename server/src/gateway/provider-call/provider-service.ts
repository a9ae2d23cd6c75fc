import type { IncomingHttpHeaders } from 'node:http';
import { addPath } from '#domain/provider-endpoint.ts';
import type { Target } from '#domain/resolve-model.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { ChatService, Provider } from '#providers/provider.ts';
import type { InstanceEntry, Signature } from '../snapshot/tables/llm-providers.ts';

/**
 * Returns `null` if the instance has no endpoint or the service has no path for the request. The built-in provider's
 * endpoint is the sandbox.
 */
export function findAddress(
  { instance }: Target<InstanceEntry>,
  { isBuiltIn, defaultEndpoint }: Provider,
  findPath: (root: string) => string | null,
  sandboxOrigin: string | null,
): URL | null {
  const endpoint = isBuiltIn ? sandboxOrigin : (instance.endpoint ?? defaultEndpoint);
  return endpoint === null ? null : addPath(endpoint, findPath);
}

/** Adds the caller's headers that the service supports to each signature of an instance. */
export function addCallerHeaders(
  signatures: readonly Signature[],
  { callerHeaders = [] }: ChatService,
  given: IncomingHttpHeaders,
): readonly Signature[] {
  const named = callerHeaders.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  if (named.length === 0) return signatures;
  const added = Object.fromEntries(named);
  return signatures.map(({ headers, ...key }) => ({ ...key, headers: { ...headers, ...added } }));
}

/** The built-in provider accepts any key. */
export function listSignatures(
  { instance }: Target<InstanceEntry>,
  provider: Provider,
): readonly Signature[] {
  if (!provider.isBuiltIn) return instance.signatures;
  return [{ headers: provider.authorize('sandbox'), expiresAtMs: null }];
}

/**
 * Returns the provider's services that accept a request, best first: services in the caller's protocol, then services
 * to which the request can be translated.
 */
export function listServices(
  provider: Provider,
  { operation, protocol }: CompletionRequest | EmbeddingsCall,
): ChatService[] {
  if (operation === 'embeddings') return provider.embeddings ? [provider.embeddings] : [];
  const own = provider.alsoSpeaks?.find((service) => service.protocol === protocol);
  return own ? [own, provider.chat] : [provider.chat];
}
