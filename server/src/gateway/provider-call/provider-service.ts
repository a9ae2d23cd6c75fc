import type { IncomingHttpHeaders } from 'node:http';
import { addPath } from '#domain/provider-endpoint.ts';
import type { Target } from '#domain/provider-instance.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { ChatService, Provider } from '#providers/provider.ts';
import type { InstanceEntry } from '../snapshot/tables/llm-providers.ts';

/** Where an instance has a path; `null` where it has none, or no endpoint. No row can name the built-in provider's. */
export function findAddress(
  { instance }: Target<InstanceEntry>,
  { isBuiltIn, defaultEndpoint }: Provider,
  findPath: (root: string) => string | null,
  sandboxOrigin: string | null,
): URL | null {
  const endpoint = isBuiltIn ? sandboxOrigin : (instance.endpoint ?? defaultEndpoint);
  return endpoint === null ? null : addPath(endpoint, findPath);
}

/** An instance's own headers with those of the caller's that mean something to a vendor of the same protocol. */
export function addCallerHeaders(
  headers: Readonly<Record<string, string>>,
  { callerHeaders = [] }: ChatService,
  given: IncomingHttpHeaders,
): Readonly<Record<string, string>> {
  const named = callerHeaders.flatMap((name) => {
    const value = given[name];
    return typeof value === 'string' ? [[name, value] as const] : [];
  });
  return named.length === 0 ? headers : { ...headers, ...Object.fromEntries(named) };
}

/** What signs a call to an instance; the built-in provider takes any key. */
export function signHeaders(
  { instance }: Target<InstanceEntry>,
  provider: Provider,
): Readonly<Record<string, string>> {
  return provider.isBuiltIn ? provider.authorize('sandbox') : instance.headers;
}

/** The services of a provider that can take a request, best first: one in the caller's protocol, then the one that takes any. */
export function listServices(
  provider: Provider,
  { operation, protocol }: CompletionRequest | EmbeddingsCall,
): ChatService[] {
  if (operation === 'embeddings') return provider.embeddings ? [provider.embeddings] : [];
  const own = provider.alsoSpeaks?.find((service) => service.protocol === protocol);
  return own ? [own, provider.chat] : [provider.chat];
}
