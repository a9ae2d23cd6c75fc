const storageKey = 'auth_token';
const sessionChanges = new EventTarget();

export function readToken(): string | null {
  return localStorage.getItem(storageKey);
}

let isLost = false;

/** Whether the server, and not the person, has ended the session that this page had; until somebody signs in. */
export const wasSessionLost = (): boolean => isLost;

export function storeToken(token: string): void {
  isLost = false;
  localStorage.setItem(storageKey, token);
}

let isRenewing = false;

/** Replaces the token by the one that `renew` answers. The old one may be refused meanwhile, which ends no session. */
export async function renewToken(renew: () => Promise<string>): Promise<void> {
  isRenewing = true;
  try {
    storeToken(await renew());
  } finally {
    isRenewing = false;
  }
}

export function forgetToken(): void {
  localStorage.removeItem(storageKey);
}

/** Forgets a token that the server has refused, which the sign-in page then says. */
export function dropLostToken(): void {
  isLost = true;
  forgetToken();
}

/** Forgets the token and tells the app, once however many calls the server refused; the page stays where it is. */
export function endSession(): void {
  if (isRenewing || readToken() === null) return;
  forgetToken();
  sessionChanges.dispatchEvent(new Event('change'));
}

/** The same where it was the server that refused the token. */
export function loseSession(): void {
  if (!isRenewing && readToken() !== null) isLost = true;
  endSession();
}

/** Calls back when the session changed without a click here: the server ended it, or another tab signed in or out. */
export function onSessionChange(listener: () => void): void {
  sessionChanges.addEventListener('change', listener);
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey || event.key === null) listener();
  });
}
