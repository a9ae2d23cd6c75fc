const storageKey = 'auth_token';
const sessionChanges = new EventTarget();

export function readToken(): string | null {
  return localStorage.getItem(storageKey);
}

/** Reason why the session of the page ended: the server rejected its token, or the user signed out in another tab. */
type SessionEnd = 'refused' | 'signed-out';

let sessionEnd: SessionEnd | null = null;

/** Returns why the session of the page ended. Returns `null` if it has not ended, or if a user has signed in again. */
export const readSessionEnd = (): SessionEnd | null => sessionEnd;

export function storeToken(token: string): void {
  sessionEnd = null;
  localStorage.setItem(storageKey, token);
}

const originKey = 'auth_origin';

/**
 * Stores a session token and records that the user signed in through an identity provider. Signing out then also ends
 * the session at the provider.
 */
export function storeProviderToken(token: string): void {
  storeToken(token);
  localStorage.setItem(originKey, 'provider');
}

export const isProviderSession = (): boolean => localStorage.getItem(originKey) === 'provider';

let isRenewing = false;

/**
 * Replaces the token with the token that `renew` resolves to. The session does not end if the server rejects the old
 * token meanwhile.
 */
export async function renewToken(renew: () => Promise<string>): Promise<void> {
  isRenewing = true;
  try {
    storeToken(await renew());
  } finally {
    isRenewing = false;
  }
}

export function forgetToken(): void {
  localStorage.removeItem(originKey);
  localStorage.removeItem(storageKey);
}

/** Deletes a token that the server rejected. The sign-in page then explains why the session ended. */
export function dropRefusedToken(): void {
  sessionEnd = 'refused';
  forgetToken();
}

/**
 * Deletes a token that the server rejected and notifies the app. Several rejected requests cause a single
 * notification.
 */
export function endSession(): void {
  if (isRenewing || readToken() === null) return;
  forgetToken();
  announce('refused');
}

/** Ends the session when the user signs out on a public page. */
export function leaveSession(): void {
  forgetToken();
  announce(null);
}

function announce(end: SessionEnd | null): void {
  sessionEnd = end;
  sessionChanges.dispatchEvent(new Event('change'));
}

/** Calls `listener` when the server ends the session, or when the user signs in or out in another tab. */
export function onSessionChange(listener: () => void): void {
  sessionChanges.addEventListener('change', listener);
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey || key === null) announce(readToken() === null ? 'signed-out' : null);
  });
}
