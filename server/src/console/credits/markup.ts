import type { Actor } from '#db/actor.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';
import { changeMarkup, findMarkup } from './store.ts';

/** Returns the markup in percent on the cost of service-managed instances, which applies to all tenants. */
export function readMarkup(tx: TenantTransaction): Promise<number> {
  return findMarkup(tx);
}

export type SetMarkup = (actor: Actor, percent: number) => Promise<void>;

export function createSetMarkup(system: SystemDatabase): SetMarkup {
  return (actor, percent) => changeAs(system, actor, (tx) => changeMarkup(tx, percent));
}
