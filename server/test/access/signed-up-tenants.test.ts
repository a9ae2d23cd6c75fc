import { createClient, signupRoutes } from '@sluice/contract';
import type pg from 'pg';
import { inject } from 'vitest';
import { startWorker } from '../console-server.ts';
import { describeMatrix } from './matrix.ts';
import { password } from './world.ts';

/** Creates a tenant by public signup; without the limits of its plan, since the matrix adds hundreds of users. */
async function signUp(pool: pg.Pool, marker: string): Promise<number> {
  const { rows: databases } = await pool.query<{ name: string }>('SELECT current_database() AS name');
  const address = new URL(inject('clusterUrl'));
  address.pathname = `/${databases[0]!.name}`;
  await using stack = new AsyncDisposableStack();
  const worker = await startWorker({ connectionString: address.href, variables: { SLUICE_DEMO: '1' } });
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

describeMatrix(signUp);
