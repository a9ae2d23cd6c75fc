import type { Actor } from '#db/actor.ts';
import { platformSettings } from '#db/schema/platform.ts';
import { changeAs, type SystemDatabase } from '#db/system.ts';
import type { TenantTransaction } from '#db/tenant.ts';

export async function findSuperAdminFactor(tx: TenantTransaction): Promise<boolean> {
  const [row] = await tx
    .select({ isRequired: platformSettings.requiresSuperAdminSecondFactor })
    .from(platformSettings);
  if (!row) throw new Error('the migrations created no platform settings');
  return row.isRequired;
}

export type SetSuperAdminFactor = (actor: Actor, isRequired: boolean) => Promise<void>;

export function createSetSuperAdminFactor(system: SystemDatabase): SetSuperAdminFactor {
  return (actor, isRequired) =>
    changeAs(system, actor, async (tx) => {
      await tx.update(platformSettings).set({ requiresSuperAdminSecondFactor: isRequired });
    });
}
