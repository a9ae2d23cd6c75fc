import type { IncomingHttpHeaders } from 'node:http';
import type { Target } from '#domain/provider-instance.ts';
import type { EmbeddingsCall } from '#protocols/canonical/embeddings.ts';
import type { CompletionRequest } from '#protocols/canonical/request.ts';
import type { ChatService, Provider } from '#providers/provider.ts';
import type { InstanceEntry } from './snapshot/entries.ts';

/**
 * Where an instance has a path; `null` where it has none, or no endpoint. The endpoint's own query, such as Azure's
 * version, stays. The built-in provider's origin is held in code, whatever a row says.
 */
export function findAddress(
  { instance }: Target<InstanceEntry>,
  { isBuiltIn, defaultEndpoint }: Provider,
  pathBelow: (root: string) => string | null,
  sandboxOrigin: string | null,
): URL | null {
  const endpoint = isBuiltIn ? sandboxOrigin : (instance.endpoint ?? defaultEndpoint);
  if (endpoint === null) return null;
  const mark = endpoint.indexOf('?');
  const root = mark === -1 ? endpoint : endpoint.slice(0, mark);
  const path = pathBelow(root);
  if (path === null) return null;
  if (mark === -1) return new URL(root + path);
  return new URL(`${root}${path}${path.includes('?') ? '&' : '?'}${endpoint.slice(mark + 1)}`);
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
