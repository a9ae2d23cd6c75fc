import { createClient, signupRoutes } from '@sluice/contract';
import type pg from 'pg';
import { inject } from 'vitest';
import { startWorker } from '../console/console-server.ts';
import { password } from './world.ts';

/** Returns the id of a tenant signed up over HTTP. The plan's limits are removed, since tests add hundreds of users. */
export async function signUpTenant(pool: pg.Pool, marker: string): Promise<number> {
  const { rows: databases } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  const url = new URL(inject('clusterUrl'));
  url.pathname = `/${databases[0]!.name}`;
  await using stack = new AsyncDisposableStack();
  const worker = await startWorker({ connectionString: url.href, variables: { SLUICE_DEMO: '1' } });
  stack.defer(worker.close);
  await createClient(signupRoutes, { baseUrl: worker.origin, headers: () => ({}) }).signUp({
    body: {
      name: marker,
      email: `first@${marker}.test`,
      password,
      company_name: marker,
      selected_plan_id: 'pro',
      payment_method_id: 'pm_card_visa',
    },
  });
  const { rows } = await pool.query<{ id: number }>(
    'UPDATE tenants SET user_limit = NULL, admin_limit = NULL WHERE name = $1 RETURNING id',
    [marker],
  );
  return rows[0]!.id;
}
