import { usersRoutes } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createUsersHandlers } from './routes.ts';

let database: TestDatabase;
let asAdmin: ReturnType<ReturnType<typeof createTestConsole<typeof usersRoutes>>>;
let admin: Principal;
let mara: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  const handlers = createUsersHandlers({ passwords: { hash: async (password) => `hash of ${password}` } });
  asAdmin = createTestConsole(database.pool, usersRoutes, handlers)({ principal: admin });
});
afterAll(() => database.close());

beforeEach(async () => {
  mara = await addPerson(database.pool, admin.tenantId, 'user', `${crypto.randomUUID()}@one.test`);
});

const readRow = async () => {
  const { rows } = await database.pool.query('SELECT * FROM users WHERE id = $1', [mara.userId]);
  return rows[0];
};

it('blockUser stores the author and reason of the block, and ends the sessions', async () => {
  const answer = await asAdmin.blockUser({ params: { id: mara.userId }, query: { reason: ' Off topic ' } });
  expect(answer).toMatchObject({ is_blocked: true, blocked_reason: 'Off topic', is_active: true });
  expect(await readRow()).toMatchObject({
    blocked_by: admin.userId,
    blocked_at: expect.any(Date),
    token_version: 2,
  });
});

it('blockUser requires a reason', async () => {
  const block = asAdmin.blockUser({ params: { id: mara.userId }, query: { reason: '  ' } });
  await expect(block).rejects.toThrow(/A reason is required/);
});

it('unblockUser clears the reason and ends no session', async () => {
  await asAdmin.blockUser({ params: { id: mara.userId }, query: { reason: 'x' } });
  const answer = await asAdmin.unblockUser({ params: { id: mara.userId } });
  expect(answer).toMatchObject({ is_blocked: false, blocked_reason: null });
  expect(await readRow()).toMatchObject({ blocked_by: null, blocked_at: null, token_version: 2 });
});

it('blockUser and unblockUser record the score with its decay, and unblocking does not raise it', async () => {
  const idle =
    "UPDATE users SET deviation_score = 0.4, deviation_scored_at = now() - interval '14 days' WHERE id = $1";
  await database.pool.query(idle, [mara.userId]);
  await asAdmin.blockUser({ params: { id: mara.userId }, query: { reason: 'x' } });
  const { deviation_score } = await asAdmin.unblockUser({ params: { id: mara.userId } });
  expect(deviation_score).toBeCloseTo(0.1);
  expect((await readRow()).deviation_score).toBeCloseTo(0.1);
  const { rows } = await database.pool.query(
    'SELECT kind, score_before, score_after FROM score_events WHERE user_id = $1 ORDER BY id DESC LIMIT 2',
    [mara.userId],
  );
  expect(rows).toEqual(
    ['unblock', 'block'].map((kind) => ({
      kind,
      score_before: expect.closeTo(0.1),
      score_after: expect.closeTo(0.1),
    })),
  );
});

it('blockUser rejects blocking yourself', async () => {
  const block = asAdmin.blockUser({ params: { id: admin.userId }, query: { reason: 'x' } });
  await expect(block).rejects.toMatchObject({ status: 403, detail: 'You cannot block yourself' });
});
