import { randomUUIDv7 } from 'node:crypto';
import { authRoutes, createClient } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createPasswordHasher } from '#platform/password.ts';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';

const password = 'correct horse';

let database: TestDatabase;
let worker: RunningServer;
let authorization: string;
let mara: { userId: number };
const invitations: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const hash = await createPasswordHasher().hash(password);
  const loud = await addTenant(database.pool, 'Loud');
  const calm = await addTenant(database.pool, 'Calm');
  const admin = await addPerson(database.pool, loud, 'admin', 'admin@loud.test');
  mara = await addPerson(database.pool, loud, 'user', 'mara@loud.test');
  for (const place of Array(5).keys()) {
    const { userId } = await addPerson(database.pool, calm, 'user', `person-${place}@calm.test`);
    await database.pool.query('UPDATE users SET password_hash = $1 WHERE id = $2', [hash, userId]);
  }
  for (const place of Array(50).keys()) invitations.push(await addInvitation(loud, admin.userId, place));
  const claims = { userId: admin.userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  authorization = `Bearer ${await signSessionToken(testKeyring.sessionKey, claims, Date.now())}`;
  worker = await startWorker({ connectionString: database.connectionString });
});
afterAll(async () => {
  await worker.close();
  await database.close();
});

async function addInvitation(tenantId: number, inviterId: number, place: number): Promise<string> {
  const token = randomUUIDv7();
  await database.pool.query(
    `WITH mail AS (
       INSERT INTO mails (tenant_id, to_address, subject, body, action, opens_role_id, status, expires_at)
       VALUES ($1, 'x', 'x', 'x', 'x', 3, 'held', now() + interval '7 days') RETURNING id)
     INSERT INTO invitations (tenant_id, email, role_id, token_hash, invited_by, invited_by_name, mail_id, expires_at)
     SELECT $1, $2, 3, $3, $4, 'admin', id, now() + interval '7 days' FROM mail`,
    [tenantId, `invited-${place}@loud.test`, testKeyring.hashLinkToken(token), inviterId],
  );
  return token;
}

async function post(path: string, body: object) {
  const response = await fetch(`${worker.origin}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const answer = await response.json();
  return { status: response.status, retryAfter: response.headers.get('retry-after'), answer };
}

it('users of another tenant can sign in while one tenant sets 450 passwords concurrently', {
  timeout: 120_000,
}, async () => {
  const changes = Array.from({ length: 200 }, () =>
    post(`/admin/users/${mara.userId}/change-password`, { password: 'another horse' }),
  );
  const creations = Array.from({ length: 200 }, (_, place) =>
    post('/admin/users', { email: `new-${place}@loud.test`, name: 'New', password, role_id: 3 }),
  );
  const acceptances = invitations.map((token) =>
    post(`/invitations/public/${token}/accept`, { name: 'Invited', password }),
  );
  const flood = Promise.all([...changes, ...creations, ...acceptances]);
  const auth = createClient(authRoutes, { baseUrl: worker.origin, headers: () => ({}) });
  const signIns = Array.from(Array(5).keys(), (place) =>
    auth.login({ form: { username: `person-${place}@calm.test`, password } }),
  );
  for (const { access_token } of await Promise.all(signIns)) expect(access_token).toMatch(/^eyJ/);
  const refused = (await flood).filter(({ status }) => status >= 400);
  expect(refused).toContainEqual({
    status: 429,
    retryAfter: '2',
    answer: {
      detail: 'Too many password changes at once from your organization or network. Try again in a moment.',
    },
  });
  // On a slow machine, some of the flood waits too long for a database connection: 503, with the same advice.
  for (const refusal of refused)
    expect(refusal).toMatchObject({ status: expect.toBeOneOf([429, 503]), retryAfter: '2' });
});
