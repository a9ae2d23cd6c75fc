const attemptKey = 'sluice-sign-in-attempt';
const providerKey = 'sluice-sign-in-provider';

/**
 * Query of the page's URL when it loaded, such as the response of an identity provider. Read before the router starts,
 * which rewrites values that look like numbers.
 */
export const loadedQuery = window.location.search.replace(/^\?/, '');

/** A provider's redirect: its query, and the last part of its path. */
export interface ProviderRedirect {
  readonly response: string;
  readonly callback: string;
}

/** A sign-in at an identity provider that this tab started. */
export interface SignInAttempt {
  readonly purpose: 'sign-in' | 'test';
  readonly secret: string;
  /** Path to open afterwards. */
  readonly redirect: string | null;
  readonly provider: RememberedProvider;
}

export interface RememberedProvider {
  readonly id: number;
  readonly name: string;
}

/** Keeps an attempt in this tab until the provider redirects back. */
export function keepAttempt(attempt: SignInAttempt): void {
  sessionStorage.setItem(attemptKey, JSON.stringify(attempt));
}

export function readAttempt(): SignInAttempt | null {
  // safe because only `keepAttempt` writes it
  return parse(sessionStorage.getItem(attemptKey)) as SignInAttempt | null;
}

export function forgetAttempt(): void {
  sessionStorage.removeItem(attemptKey);
}

/** Remembers the provider of the last sign-in in this browser. */
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
