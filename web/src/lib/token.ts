const storageKey = 'auth_token';
const sessionChanges = new EventTarget();

export function readToken(): string | null {
  return localStorage.getItem(storageKey);
}

export function storeToken(token: string): void {
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

/** Forgets the token and tells the app, once however many calls the server refused; the page stays where it is. */
export function endSession(): void {
  if (isRenewing || readToken() === null) return;
  forgetToken();
  sessionChanges.dispatchEvent(new Event('change'));
}

/** Calls back when the session changed without a click here: the server ended it, or another tab signed in or out. */
export function onSessionChange(listener: () => void): void {
  sessionChanges.addEventListener('change', listener);
  window.addEventListener('storage', (event) => {
    if (event.key === storageKey || event.key === null) listener();
  });
}
