import { tenantHeader } from '@sluice/contract';
import { readToken } from './token.ts';

const storageKey = 'sluice-acting-tenant';

/**
 * Returns the end of the token, which identifies the session: a selection applies only in the session in which it was
 * made.
 */
const markOf = (token: string) => token.slice(-16);

/** The tenant that a super administrator acts for in this browser tab, `null` for their own. */
export function readActingTenant(): string | null {
  const token = readToken();
  const [mark, tenant] = sessionStorage.getItem(storageKey)?.split(' ') ?? [];
  return token !== null && mark === markOf(token) && tenant !== undefined ? tenant : null;
}

export function forgetActingTenant(): void {
  sessionStorage.removeItem(storageKey);
}

/** Switches the tenant and reloads at the overview, since the content on screen belongs to the previous tenant. */
export function actForTenant(tenantId: number | null): void {
  const token = readToken();
  if (tenantId === null || token === null) forgetActingTenant();
  else sessionStorage.setItem(storageKey, `${markOf(token)} ${tenantId}`);
  window.location.assign('/admin');
}

/** Returns the headers that name the tenant of a call. */
export function tenantHeaders(): Record<string, string> {
  const tenant = readActingTenant();
  return tenant === null ? {} : { [tenantHeader]: tenant };
}
