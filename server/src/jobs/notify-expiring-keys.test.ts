import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createNotifyExpiringKeys } from './notify-expiring-keys.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
let system: SystemDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
});
afterAll(() => database.close());

const mailbox = createMailbox({ keyring: createKeyring('test'), hasServer: true });
const job = createNotifyExpiringKeys({ mailbox, publicUrl: 'https://sluice.test' });

async function addKey(
  name: string,
  times: { createdAt: string; expiresAt: string | null; supersededAt?: string },
) {
  const { rows } = await database.pool.query('SELECT id FROM tenants WHERE slug = $1', ['one']);
  const tenantId = rows[0]?.id ?? (await addTenant(database.pool, 'One'));
  const { userId } = await addPerson(database.pool, tenantId, 'user', `${name}@one.test`);
  await database.pool.query(
    `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, created_at, expires_at, superseded_at)
     VALUES ($1, $2, $3, convert_to($3, 'UTF8'), 'abcd', '{models}',
       now() + $4::interval, now() + $5::interval, now() + $6::interval)`,
    [tenantId, userId, name, times.createdAt, times.expiresAt, times.supersededAt ?? null],
  );
}

it('notifyExpiringKeys notifies the owner of a key once, three days before it expires', async () => {
  await addKey('soon', { createdAt: '-30 days', expiresAt: '71 hours' });
  await addKey('later', { createdAt: '-30 days', expiresAt: '73 hours' });
  await addKey('never', { createdAt: '-30 days', expiresAt: null });
  await addKey('over', { createdAt: '-30 days', expiresAt: '-1 hour' });
  await addKey('short', { createdAt: '-1 hour', expiresAt: '24 hours' });
  await addKey('replaced', { createdAt: '-30 days', expiresAt: '24 hours', supersededAt: '-1 hour' });
  const run = () => runAlone(system, job, createLogger('silent'));
  await run();
  await run();
  const { rows } = await database.pool.query('SELECT to_address, subject, body, status FROM mails');
  expect(rows).toEqual([
    {
      to_address: 'soon@one.test',
      subject: 'Your API key expires soon',
      body: expect.stringMatching(
        /your API key slc_…abcd \(soon\) expires on [A-Z][a-z]+ \d+, \d{4} at \d+:\d\d [AP]M UTC\./,
      ),
      status: 'queued',
    },
  ]);
});
