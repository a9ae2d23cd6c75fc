import { afterAll, beforeAll, expect, it } from 'vitest';
import { createSystemDatabase, type SystemDatabase } from '#db/system.ts';
import { postEntries } from '#ledger/post.ts';
import { createMailbox } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { createNotifyLowCredits } from './notify-low-credits.ts';
import { runAlone } from './run-alone.ts';

let database: TestDatabase;
let system: SystemDatabase;
let tenantId: number;
beforeAll(async () => {
  database = await createTestDatabase();
  system = createSystemDatabase(database.pool);
  tenantId = await addTenant(database.pool, 'One');
  const unused = await addTenant(database.pool, 'Two');
  await addPerson(database.pool, tenantId, 'admin', 'admin@one.test');
  await addPerson(database.pool, tenantId, 'user', 'user@one.test');
  await addPerson(database.pool, unused, 'admin', 'admin@two.test');
});
afterAll(() => database.close());

const mailbox = createMailbox({ keyring: createKeyring('test'), hasServer: true });
const job = createNotifyLowCredits({ mailbox, publicUrl: 'https://sluice.test' });
const run = () => runAlone(system, job, createLogger('silent'));
let entries = 0;
const book = (kind: 'recharge' | 'penalty', dollars: number) =>
  system.transaction((tx) =>
    postEntries(tx, [
      {
        tenantId,
        kind,
        amount: BigInt(dollars) * 1_000_000_000n,
        source: `test/${++entries}`,
        description: 'a test',
        actorId: null,
      },
    ]),
  );
const readMails = async () =>
  (await database.pool.query('SELECT to_address, subject FROM mails ORDER BY id')).rows;
const readBanners = async () =>
  (await database.pool.query('SELECT tenant_id, severity, audience FROM banners ORDER BY id')).rows;

it('notifyLowCredits notifies administrators once of low and once of used-up credits, and again only after a recharge above the threshold', async () => {
  await run();
  expect([await readMails(), await readBanners()]).toEqual([[], []]);
  await book('recharge', 50);
  await run();
  expect([await readMails(), await readBanners()]).toEqual([[], []]);
  // The notice threshold is 10 dollars.
  await book('penalty', -40);
  await run();
  await run();
  const low = { to_address: 'admin@one.test', subject: 'The credits of One are low' };
  expect(await readMails()).toEqual([low]);
  expect(await readBanners()).toEqual([{ tenant_id: tenantId, severity: 'warning', audience: 'admin' }]);
  await book('penalty', -10);
  await run();
  await run();
  const zero = { to_address: 'admin@one.test', subject: 'The credits of One are used up' };
  expect(await readMails()).toEqual([low, zero]);
  expect(await readBanners()).toEqual([{ tenant_id: tenantId, severity: 'error', audience: 'admin' }]);
  // After a small recharge, the banner is a warning again. No mail is sent.
  await book('recharge', 5);
  await run();
  expect(await readMails()).toEqual([low, zero]);
  expect(await readBanners()).toMatchObject([{ severity: 'warning' }]);
  await book('recharge', 50);
  await run();
  expect(await readBanners()).toEqual([]);
  await book('penalty', -50);
  await run();
  expect(await readMails()).toEqual([low, zero, low]);
});
