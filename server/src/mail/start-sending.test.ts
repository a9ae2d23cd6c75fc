import { type Client, outboxRoutes, type RoleName } from '@sluice/contract';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createOutboxHandlers } from '#console/outbox/routes.ts';
import { createSystemDatabase } from '#db/system.ts';
import { createRunInTenant } from '#db/tenant.ts';
import { type OutboundEffectName, outboundEffects } from '#domain/outbound-effects.ts';
import type { Principal } from '#domain/principal.ts';
import { createKeyring } from '#platform/keyring.ts';
import { createLogger } from '#platform/logger.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { type MailServer, startMailServer } from '#test/processes/mail-server.ts';
import { createMailbox, mailWords } from './mailbox.ts';
import { createSmtpTransport, type MailTransport } from './smtp-transport.ts';
import { sendDueMails, startSending } from './start-sending.ts';

const keyring = createKeyring('test');
const log = createLogger('silent');
const publicUrl = 'https://sluice.test';
const path = '/invitation/secret-token';
const link = `${publicUrl}${path}`;

let database: TestDatabase;
let server: MailServer;
let transport: MailTransport;
let admin: Principal;
let outbox: Client<typeof outboxRoutes>;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'outbound_counts');
  admin = await addPerson(database.pool, await addTenant(database.pool, 'One'), 'admin', 'ada@one.test');
  outbox = outboxWith(true);
  server = await startMailServer();
  transport = createSmtpTransport({ smtpUrl: server.url, from: 'Sluice <sluice@one.test>' });
});
afterEach(async () => {
  transport.close();
  await server.close();
});

function outboxWith(hasServer: boolean): Client<typeof outboxRoutes> {
  const handlers = createOutboxHandlers({ keyring, publicUrl, hasServer });
  return createTestConsole(database.pool, outboxRoutes, handlers)({ principal: admin });
}

function put({
  to = 'mara@one.test',
  effect = 'invitation' as OutboundEffectName,
  opensRole = 'user' as RoleName,
  hasServer = true,
  expiresInMs = 60_000,
  work = async () => {},
} = {}) {
  const mailbox = createMailbox({ keyring, hasServer });
  const { tenantId } = admin;
  return createRunInTenant(database.pool, postgresRequestLog.openTenant)(tenantId, async (tx) => {
    const mailId = await mailbox.put(tx, {
      tenantId,
      to,
      effect,
      subject: mailWords`${'Ada\r\nBcc: everybody@one.test'} invites you`,
      body: mailWords`Ada <ada> invites you.`,
      action: 'Accept the invitation',
      link: { origin: publicUrl, path },
      opensRole,
      expiresAt: new Date(Date.now() + expiresInMs),
    });
    await work();
    return mailId;
  });
}

const depsWith = (carrier: MailTransport | null) => ({
  database: createSystemDatabase(database.pool),
  keyring,
  transport: carrier,
  publicUrl,
  log,
});
const running = new AbortController();
const send = (carrier: MailTransport | null = transport) => sendDueMails(depsWith(carrier), running.signal);
const run = (statement: string) => database.pool.query(statement);
const becomeDue = () => run('UPDATE mails SET next_attempt_at = now()');
const readMail = async () => (await outbox.listMails({}))[0];

describe('mail', () => {
  it('sendDueMails delivers a mail once, as text and HTML, with its link and without injected headers', async () => {
    await put();
    expect(await readMail()).toMatchObject({ status: 'queued', link: null });
    await Promise.all([send(), send(), send()]);
    await send();
    expect(server.received).toHaveLength(1);
    const [{ from, to, content }] = server.received as [MailServer['received'][number]];
    expect([from, to]).toEqual(['sluice@one.test', ['mara@one.test']]);
    const [head = ''] = content.split('\r\n\r\n');
    expect(head).toMatch(/^Subject: Ada Bcc: everybody at one. test invites you$/m);
    expect(head).not.toMatch(/^Bcc:/im);
    expect(content).toMatch(/text\/plain[\s\S]*Ada <ada> invites you\.[\s\S]*secret-token/);
    expect(content).toMatch(
      /text\/html[\s\S]*Ada &lt;ada&gt; invites you\.[\s\S]*href="https:[^"]*secret-token"/,
    );
    expect(await readMail()).toMatchObject({ status: 'sent', sent_at: expect.any(String), link: null });
    const { rows } = await run('SELECT sealed_link FROM mails');
    expect(rows).toEqual([{ sealed_link: null }]);
  });

  it('sendDueMails and the outbox use the current public URL', async () => {
    const moved = 'https://llm.example.com/gate';
    const movedOutbox = createTestConsole(
      database.pool,
      outboxRoutes,
      createOutboxHandlers({ keyring, publicUrl: moved, hasServer: true }),
    )({ principal: admin });
    await put({ hasServer: false });
    expect(await movedOutbox.listMails({})).toMatchObject([{ status: 'held', link: `${moved}${path}` }]);
    await sendDueMails({ ...depsWith(transport), publicUrl: moved }, running.signal);
    expect(server.received[0]?.content).toContain(`${moved}${path}`);
    expect(server.received[0]?.content).not.toContain(publicUrl);
  });

  it('sendDueMails does not change the link of a mail from an earlier version', async () => {
    await put();
    await run('UPDATE mails SET link_origin = NULL');
    await sendDueMails({ ...depsWith(transport), publicUrl: 'https://llm.example.com' }, running.signal);
    expect(server.received[0]?.content).toContain(link);
  });

  it('sendDueMails sends no mail of a transaction that failed', async () => {
    const failing = put({ work: () => Promise.reject(new Error('the cause failed')) });
    await expect(failing).rejects.toThrow('the cause failed');
    await send();
    expect(server.received).toEqual([]);
    expect(await outbox.listMails({})).toEqual([]);
  });

  it('sendDueMails holds back every mail of a suspended tenant, except password mails and second factor notices to its administrators', async () => {
    const names = Object.keys(outboundEffects) as OutboundEffectName[];
    const queued = names.flatMap((effect) =>
      (['user', 'admin'] as const).map((opensRole) => ({
        to: `${effect}.${opensRole}@one.test`,
        effect,
        opensRole,
      })),
    );
    for (const mail of queued) await put(mail);
    await run("UPDATE tenants SET status = 'suspended'");
    await send();
    const recipients = () => server.received.flatMap(({ to }) => to);
    expect(recipients().toSorted()).toEqual([
      'password_reset.admin@one.test',
      'second_factor_notice.admin@one.test',
    ]);
    await run("UPDATE tenants SET status = 'active'");
    await send();
    expect(recipients().toSorted()).toEqual(queued.map(({ to }) => to).toSorted());
  });

  it('sendDueMails does not split an address at a comma', async () => {
    await put({ to: 'mara,root@one.test' });
    await send();
    expect(server.received.flatMap(({ to }) => to)).not.toContain('root@one.test');
  });

  it('sendDueMails fails immediately for an unknown recipient, and an administrator can send the mail again', async () => {
    server.refuse = () => Object.assign(new Error('no such person'), { responseCode: 550 });
    const id = await put();
    await send();
    expect(await readMail()).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('no such person'),
      link,
    });
    server.refuse = null;
    await becomeDue();
    await send();
    expect(server.received).toEqual([]);
    expect(await outbox.retryMail({ params: { id } })).toMatchObject({ id, status: 'queued', error: null });
    await send();
    expect(server.received).toHaveLength(1);
    await expect(outbox.retryMail({ params: { id } })).rejects.toMatchObject({
      status: 409,
      detail: 'This email has already been sent',
    });
  });

  it('sendDueMails waits longer after each server failure, and gives up after six retries', async () => {
    server.refuse = () => Object.assign(new Error('busy'), { responseCode: 451 });
    await put({ expiresInMs: 3_600_000 });
    const waits: number[] = [];
    for (let attempts = 1; attempts <= 6; attempts++) {
      await send();
      const { rows } = await run(
        'SELECT extract(epoch FROM next_attempt_at - now())::float8 AS seconds, attempts FROM mails',
      );
      expect(rows[0]).toMatchObject({ attempts });
      expect(await readMail()).toMatchObject({ status: 'queued', error: expect.stringContaining('busy') });
      waits.push(rows[0].seconds);
      await becomeDue();
    }
    expect(waits).toEqual([...waits].sort((one, other) => one - other));
    expect(waits[0]).toBeGreaterThan(0);
    await send();
    expect(await readMail()).toMatchObject({ status: 'failed', link });
  });

  it('sendDueMails keeps a mail while the server is unreachable', async () => {
    await server.close();
    await put();
    await send();
    expect(await readMail()).toMatchObject({
      status: 'queued',
      error: expect.stringContaining('ECONNREFUSED'),
    });
    server = await startMailServer();
    const later = createSmtpTransport({ smtpUrl: server.url, from: 'sluice@one.test' });
    await becomeDue();
    await send(later);
    later.close();
    expect(server.received).toHaveLength(1);
  });

  it('sendDueMails sends a mail again some time after its node died while sending it', async () => {
    await put();
    const dying: MailTransport = { send: () => new Promise(() => {}), close: () => undefined };
    void send(dying);
    await expect.poll(async () => (await run('SELECT attempts FROM mails')).rows).toEqual([{ attempts: 1 }]);
    await send();
    expect(server.received).toEqual([]);
    await becomeDue();
    await send();
    expect(server.received).toHaveLength(1);
  });

  it('sendDueMails skips withdrawn and expired mails and deletes their links', async () => {
    const withdrawn = await put();
    const late = await put({ expiresInMs: -1_000 });
    const { tenantId } = admin;
    const mailbox = createMailbox({ keyring, hasServer: true });
    await createRunInTenant(database.pool, postgresRequestLog.openTenant)(tenantId, (tx) =>
      mailbox.withdraw(tx, tenantId, withdrawn),
    );
    await send();
    expect(server.received).toEqual([]);
    expect(await outbox.listMails({})).toMatchObject([
      { status: 'failed', error: 'It expired before it was sent', link: null },
      { status: 'withdrawn', link: null },
    ]);
    for (const id of [withdrawn, late]) {
      await expect(outbox.retryMail({ params: { id } })).rejects.toMatchObject({
        status: 409,
        detail: 'The link in this email is no longer valid, so the email cannot be sent',
      });
    }
  });
});

describe('sendDueMails without a mail server', () => {
  it('sendDueMails without a mail server holds mails with their links for administrators, including queued ones', async () => {
    const id = await put({ hasServer: false });
    await put();
    await database.pool.query(
      "UPDATE mails SET next_attempt_at = now() - interval '2 minutes' WHERE status = 'queued'",
    );
    await send(null);
    expect(await outbox.listMails({})).toMatchObject([
      { status: 'held', link },
      { status: 'held', link },
    ]);
    await expect(outboxWith(false).retryMail({ params: { id } })).rejects.toMatchObject({
      status: 409,
      detail: 'No mail server is configured. Please share the link yourself.',
    });
    expect(await outbox.retryMail({ params: { id } })).toMatchObject({ status: 'queued' });
  });
});

describe('sendDueMails with a mail server on one of two nodes', () => {
  it('sendDueMails sends mails held by a node without a server, unless they are an hour old', async () => {
    await put({ hasServer: false });
    const stale = await put({ hasServer: false });
    await database.pool.query("UPDATE mails SET created_at = now() - interval '2 hours' WHERE id = $1", [
      stale,
    ]);
    await send();
    expect(server.received).toHaveLength(1);
    expect(await outbox.listMails({})).toMatchObject([{ id: stale, status: 'held' }, { status: 'sent' }]);
  });

  it('sendDueMails on a node without a server leaves mails that another node is about to send', async () => {
    await put();
    await send(null);
    expect(await outbox.listMails({})).toMatchObject([{ status: 'queued' }]);
    await send();
    expect(server.received).toHaveLength(1);
  });
});

it('startSending sends queued mails, and its stop resolves', async () => {
  const sending = startSending(depsWith(transport));
  await put();
  await expect.poll(() => server.received.length).toBe(1);
  await sending.stop();
});
