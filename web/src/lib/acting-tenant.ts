import { tenantHeader } from '@sluice/contract';
import { readToken } from './token.ts';

const storageKey = 'sluice-acting-tenant';

/** The end of the token identifies the session. A selected tenant applies to one session only. */
const markOf = (token: string) => token.slice(-16);

/**
 * Returns the id of the tenant for which a super administrator acts in this browser tab, or `null` for their own
 * tenant.
 */
export function readActingTenant(): string | null {
  const token = readToken();
  const [mark, tenant] = sessionStorage.getItem(storageKey)?.split(' ') ?? [];
  return token !== null && mark === markOf(token) && tenant !== undefined ? tenant : null;
}

export function forgetActingTenant(): void {
  sessionStorage.removeItem(storageKey);
}

/** Switches the tenant and loads the overview, because the displayed content belongs to the previous tenant. */
export function actForTenant(tenantId: number | null): void {
  const token = readToken();
  if (tenantId === null || token === null) forgetActingTenant();
  else sessionStorage.setItem(storageKey, `${markOf(token)} ${tenantId}`);
  window.location.assign('/admin');
}

export function tenantHeaders(): Record<string, string> {
  const tenant = readActingTenant();
  return tenant === null ? {} : { [tenantHeader]: tenant };
}
