import { createRemoteJWKSet, customFetch, type JWTVerifyGetKey } from 'jose';
import * as openid from 'openid-client';
import { dropOldest } from '#platform/drop-oldest.ts';
import type { GuardedFetch } from './guarded-fetch.ts';
import { OpenIdError, toOpenIdError } from './openid-error.ts';

export interface MetadataOptions {
  readonly fetch: GuardedFetch;
  readonly clock: () => number;
  /** Minimum time in milliseconds between two fetches of a provider's keys. */
  readonly keysCooldownMs: number;
}

export interface ProviderMetadata {
  /**
   * Returns the discovery document of an issuer.
   * @throws OpenIdError unless the document is usable
   */
  discover(issuer: string): Promise<openid.ServerMetadata>;
  /** An unknown key id causes another fetch, at most once per cooldown. */
  keysOf(metadata: openid.ServerMetadata): JWTVerifyGetKey;
}

/**
 * Cache time of a discovery document. Short, so that a failed provider is noticed before the browser is redirected to
 * it.
 */
const freshMs = 60_000;
const keysFreshMs = 10 * 60_000;
/**
 * Cache time of a failure. Short, so that a recovered provider is noticed, but long enough to limit requests to a
 * failed provider.
 */
const failedMs = 5_000;
const cachedMax = 200;

interface Discovered {
  readonly answer: Promise<openid.ServerMetadata>;
  endsAtMs: number;
}

export function createProviderMetadata({ fetch, clock, keysCooldownMs }: MetadataOptions): ProviderMetadata {
  const discovered = new Map<string, Discovered>();
  const keySets = new Map<string, JWTVerifyGetKey>();
  return {
    discover(issuer) {
      const known = discovered.get(issuer);
      if (known && clock() < known.endsAtMs) return known.answer;
      const answer = fetchMetadata(issuer, fetch);
      const entry: Discovered = { answer, endsAtMs: clock() + freshMs };
      answer.catch(() => {
        entry.endsAtMs = clock() + failedMs;
      });
      remember(discovered, issuer, entry);
      return answer;
    },
    keysOf({ jwks_uri: uri }) {
      if (uri === undefined) throw new OpenIdError('invalid', 'The discovery document has no jwks_uri');
      const known = keySets.get(uri);
      if (known) return known;
      const keys = createRemoteJWKSet(new URL(uri), {
        [customFetch]: fetch,
        cooldownDuration: keysCooldownMs,
        cacheMaxAge: keysFreshMs,
        timeoutDuration: 10_000,
      });
      remember(keySets, uri, keys);
      return keys;
    },
  };
}

/** Removes the oldest entry if the cache is full. */
function remember<Value>(cache: Map<string, Value>, key: string, value: Value): void {
  cache.delete(key);
  cache.set(key, value);
  dropOldest(cache, cachedMax);
}

async function fetchMetadata(issuer: string, fetch: GuardedFetch): Promise<openid.ServerMetadata> {
  const url = new URL(`${issuer.replace(/\/+$/, '')}/.well-known/openid-configuration`);
  const isPlain = url.protocol === 'http:';
  const configuration = await openid
    .discovery(url, 'unused', undefined, openid.None(), {
      [openid.customFetch]: fetch,
      timeout: 15,
      execute: isPlain ? [openid.allowInsecureRequests] : [],
    })
    .catch((error: unknown) => {
      throw toOpenIdError(error);
    });
  const metadata = configuration.serverMetadata();
  requireUsable(metadata, issuer);
  return metadata;
}

/**
 * Checks a discovery document.
 * @throws OpenIdError unless the document names the issuer, and endpoints as secure as the issuer
 */
function requireUsable(metadata: openid.ServerMetadata, issuer: string): void {
  const { issuer: named } = metadata;
  if (stripSlash(named) !== stripSlash(issuer))
    throw new OpenIdError(
      'invalid',
      `The discovery document names another issuer, ${String(named).slice(0, 200)}`,
    );
  for (const name of ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const) {
    if (!isSecure(metadata[name], issuer)) throw insecure(name);
  }
  for (const name of ['userinfo_endpoint', 'end_session_endpoint'] as const) {
    if (metadata[name] !== undefined && !isSecure(metadata[name], issuer)) throw insecure(name);
  }
}

const insecure = (name: string) =>
  new OpenIdError('invalid', `The ${name} of the discovery document is not an HTTPS URL`);

function isSecure(url: unknown, issuer: string): boolean {
  const protocol = URL.parse(String(url))?.protocol;
  return protocol === 'https:' || (protocol === 'http:' && issuer.startsWith('http:'));
}

const stripSlash = (text: string) => String(text).replace(/\/+$/, '');
