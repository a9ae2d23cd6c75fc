const storageKey = 'auth_token';
const sessionChanges = new EventTarget();

export function readToken(): string | null {
  return localStorage.getItem(storageKey);
}

/** Why the session of this page ended: the server rejected its token, or the user signed out in another tab. */
type SessionEnd = 'refused' | 'signed-out';

let sessionEnd: SessionEnd | null = null;

/** Returns why this page's session ended; `null` if it did not, or if a user has signed in since. */
export const readSessionEnd = (): SessionEnd | null => sessionEnd;

export function storeToken(token: string): void {
  sessionEnd = null;
  localStorage.setItem(storageKey, token);
}

const originKey = 'auth_origin';

/**
 * Stores a session token and records that the user signed in through an identity provider, so that signing out can also
 * sign out there.
 */
export function storeProviderToken(token: string): void {
  storeToken(token);
  localStorage.setItem(originKey, 'provider');
}

/** Whether the session began at an identity provider. */
export const isProviderSession = (): boolean => localStorage.getItem(originKey) === 'provider';

let isRenewing = false;

/**
 * Replaces the token with the one that `renew` resolves with. If the old one is rejected meanwhile, the session does
 * not end.
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

/** Deletes a token that the server rejected; the sign-in page then explains it. */
export function dropRefusedToken(): void {
  sessionEnd = 'refused';
  forgetToken();
}

/** Deletes the token that the server rejected and notifies the app, only once if several calls are rejected. */
export function endSession(): void {
  if (isRenewing || readToken() === null) return;
  forgetToken();
  tell('refused');
}

/** Ends the session at the user's request on a public page. */
export function leaveSession(): void {
  forgetToken();
  tell(null);
}

function tell(end: SessionEnd | null): void {
  sessionEnd = end;
  sessionChanges.dispatchEvent(new Event('change'));
}

/** Calls `listener` on a session change other than a sign-in here: the server ended it, or another tab signed in or out. */
export function onSessionChange(listener: () => void): void {
  sessionChanges.addEventListener('change', listener);
  window.addEventListener('storage', ({ key }) => {
    if (key === storageKey || key === null) tell(readToken() === null ? 'signed-out' : null);
  });
}
