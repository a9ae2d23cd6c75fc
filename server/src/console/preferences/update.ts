import type { Preferences } from '@sluice/contract';
import { notFound } from '#errors/console-error.ts';
import type { SignedInContext } from '#http/console-route.ts';
import { savePreferences } from './store.ts';

/** @throws ConsoleError 404 for an operator who acts for another tenant. */
export function updatePreferences(
  { principal, inTenant }: SignedInContext,
  chosen: Preferences,
): Promise<Preferences> {
  return inTenant(async (tx) => {
    if (!(await savePreferences(tx, principal, chosen))) throw notFound('User');
    return chosen;
  });
}
