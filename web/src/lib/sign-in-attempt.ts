const attemptKey = 'sluice-sign-in-attempt';
const providerKey = 'sluice-sign-in-provider';

/**
 * Query string of the page when it loaded, for example the response of an identity provider. Must be read before the
 * router starts, because the router rewrites values that look like numbers.
 */
export const loadedQuery = window.location.search.replace(/^\?/, '');

/** Redirect of an identity provider: its query, and the last segment of its path. */
export interface ProviderRedirect {
  readonly response: string;
  readonly callback: string;
}

/** Sign-in at an identity provider that this tab started. */
export interface SignInAttempt {
  readonly purpose: 'sign-in' | 'test';
  readonly secret: string;
  readonly redirect: string | null;
  readonly provider: RememberedProvider;
}

export interface RememberedProvider {
  readonly id: number;
  readonly name: string;
}

/** Stores a sign-in attempt in this tab until the provider redirects back. */
export function keepAttempt(attempt: SignInAttempt): void {
  sessionStorage.setItem(attemptKey, JSON.stringify(attempt));
}

export function readAttempt(): SignInAttempt | null {
  // safe because only `keepAttempt` writes the value
  return parse(sessionStorage.getItem(attemptKey)) as SignInAttempt | null;
}

export function forgetAttempt(): void {
  sessionStorage.removeItem(attemptKey);
}

/** Stores the provider of the last sign-in in this browser. */
export function rememberProvider({ id, name }: RememberedProvider): void {
  localStorage.setItem(providerKey, JSON.stringify({ id, name }));
}

export function readRememberedProvider(): RememberedProvider | null {
  const kept = parse(localStorage.getItem(providerKey));
  const { id, name }: { id?: unknown; name?: unknown } = kept ?? {};
  return typeof id === 'number' && typeof name === 'string' ? { id, name } : null;
}

export function forgetProvider(): void {
  localStorage.removeItem(providerKey);
}

function parse(text: string | null): object | null {
  try {
    const value: unknown = JSON.parse(text ?? 'null');
    return typeof value === 'object' ? value : null;
  } catch {
    return null;
  }
}
