import { authRoutes, createClient, invitationsRoutes, outboxRoutes } from '@sluice/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { signSessionToken } from '#platform/tokens.ts';
import { addPerson, addTenant } from '#test/console/console.ts';
import { type RunningServer, startWorker, testKeyring } from '#test/console/console-server.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { type MailServer, startMailServer } from '#test/processes/mail-server.ts';

let database: TestDatabase;
let mails: MailServer;
let worker: RunningServer;
let token: string;

beforeAll(async () => {
  [database, mails] = await Promise.all([createTestDatabase(), startMailServer()]);
  const tenantId = await addTenant(database.pool, 'Northwind');
  const { userId } = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  const claims = { userId, sessionId: crypto.randomUUID(), tokenVersion: 1 };
  token = await signSessionToken(testKeyring.sessionKey, claims, Date.now());
  worker = await startWorker({
    connectionString: database.connectionString,
    variables: {
      SMTP_URL: mails.url,
      MAIL_FROM: 'Sluice <sluice@one.test>',
      PUBLIC_URL: 'https://sluice.one.test/',
    },
  });
});
afterAll(async () => {
  await worker.close();
  await Promise.all([database.close(), mails.close()]);
});

it('createInvitation emails a link that creates the account, and listMails hides the link of the sent mail', async () => {
  const asAdmin = { baseUrl: worker.origin, headers: () => ({ authorization: `Bearer ${token}` }) };
  const asNobody = { baseUrl: worker.origin, headers: () => ({}) };
  const email = 'mara@one.test';
  await createClient(invitationsRoutes, asAdmin).createInvitation({ body: { email, role: 'user' } });
  await expect.poll(() => mails.received.length).toBe(1);

  const { to, content } = mails.received[0]!;
  expect(to).toEqual([email]);
  expect(content).toContain('ada invited you to join Northwind on Sluice.');
  const link = /Accept the invitation: https:\/\/sluice\.one\.test\/invitation\/([\w-]{43})\s/.exec(content);
  const params = { token: link?.[1] ?? '' };
  const invitations = createClient(invitationsRoutes, asNobody);
  expect(await invitations.getInvitationDetails({ params })).toMatchObject({
    company_name: 'Northwind',
    email,
  });
  await invitations.acceptInvitation({ params, body: { name: 'Mara', password: 'a good password' } });
  const form = { username: email, password: 'a good password' };
  expect(await createClient(authRoutes, asNobody).login({ form })).toHaveProperty('access_token');

  const outbox = createClient(outboxRoutes, asAdmin);
  await expect.poll(() => outbox.listMails({})).toMatchObject([{ status: 'sent', link: null }]);
});
