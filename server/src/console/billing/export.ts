import type { BilledTenant } from '@sluice/contract';
import { startExport } from '#console/exports/start-export.ts';
import type { SystemDatabase } from '#db/system.ts';
import type { Download, SignedInContext } from '#http/console-route.ts';
import { listBilledTenants } from './list-tenants.ts';

/** Exports all tenants with plan, status and credits by id. */
export async function exportBilledTenants(system: SystemDatabase, ctx: SignedInContext): Promise<Download> {
  // Read before the export starts, since each of its batches holds a connection.
  const tenants = await listBilledTenants(system);
  return startExport<BilledTenant, number>(ctx, {
    noun: 'billing',
    format: 'csv',
    filters: {},
    columns: {
      id: ({ id }) => id,
      name: ({ name }) => name,
      slug: ({ slug }) => slug,
      status: ({ status }) => status,
      plan: ({ plan_name }) => plan_name,
      subscription_status: ({ subscription_status }) => subscription_status,
      trial_ends_at: ({ trial_ends_at }) => trial_ends_at,
      period_ends_at: ({ period_ends_at }) => period_ends_at,
      ends_at: ({ ends_at }) => ends_at,
      users: ({ user_count }) => user_count,
      current_balance: ({ current_balance }) => current_balance,
      lifetime_recharged: ({ lifetime_recharged }) => lifetime_recharged,
      lifetime_spent: ({ lifetime_spent }) => lifetime_spent,
      last_transaction_at: ({ last_transaction_at }) => last_transaction_at,
      created_at: ({ created_at }) => created_at,
    },
    keyOf: ({ id }) => id,
    readBatch: async (_tx, after = 0) => tenants.filter(({ id }) => id > after),
  });
}
