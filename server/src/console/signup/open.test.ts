import { createClient, signupRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { startWorker } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
});
afterAll(() => database.close());

let namesCount = 0;
const draft = () => ({
  name: 'Grace Hopper',
  email: `grace-${++namesCount}@hopper.test`,
  password: 'cobol-1959',
  selected_plan_id: 'pro',
  payment_method_id: 'pm_card_visa',
});

it.each<[variables: Record<string, string>, isOpen: boolean, status: number]>([
  [{}, false, 403],
  [{ SLUICE_SIGNUP: 'closed', SLUICE_DEMO: '1' }, false, 403],
  [{ SLUICE_SIGNUP: 'open' }, true, 503],
  [{ SLUICE_DEMO: '1' }, true, 201],
])(
  'getSignupSetup with %j reports open signup: %s, and signUp returns %s',
  async (variables, isOpen, status) => {
    const worker = await startWorker({ connectionString: database.connectionString, variables });
    try {
      const calls = createClient(signupRoutes, { baseUrl: worker.origin, headers: () => ({}) });
      expect(await calls.getSignupSetup()).toEqual({ is_open: isOpen, trial_days: 14 });
      const answer = await calls.signUp({ body: draft() }).then(
        () => 201,
        (error) => error.status,
      );
      expect(answer).toBe(status);
    } finally {
      await worker.close();
    }
  },
);
