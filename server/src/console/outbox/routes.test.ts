import { outboxRoutes, type RoleName, roleNames } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createRunInTenant } from '#db/tenant.ts';
import { isAllowed, type Principal } from '#domain/principal.ts';
import { createMailbox, mailWords } from '#mail/mailbox.ts';
import { createKeyring } from '#platform/keyring.ts';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { addPerson, addTenant, createTestConsole } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { emptyTables } from '#test/database/empty-tables.ts';
import { createOutboxHandlers } from './routes.ts';

const keyring = createKeyring('test');
const dayMs = 24 * 3_600_000;
const publicUrl = 'https://sluice.one.test';
const path = '/invitation/abc';
const link = `${publicUrl}${path}`;

let database: TestDatabase;
let admin: Principal;
let operator: Principal;
let stranger: Principal;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

beforeEach(async () => {
  await emptyTables(database, 'tenants', 'outbound_counts');
  const tenantId = await addTenant(database.pool, 'One');
  admin = await addPerson(database.pool, tenantId, 'admin', 'ada@one.test');
  operator = await addPerson(database.pool, tenantId, 'super_admin', 'root@one.test');
  stranger = await addPerson(database.pool, await addTenant(database.pool, 'Two'), 'admin', 'ada@two.test');
});

const run = (statement: string, ...values: unknown[]) => database.pool.query(statement, values);
const as = (principal: Principal, hasServer = true) =>
  createTestConsole(
    database.pool,
    outboxRoutes,
    createOutboxHandlers({ keyring, publicUrl, hasServer }),
  )({ principal });
const put = (
  { tenantId }: Principal,
  mail: { to?: string; opensRole?: RoleName; expiresAt?: Date } = {},
  hasServer = false,
) =>
  createRunInTenant(database.pool, postgresRequestLog.openTenant)(tenantId, (tx) =>
    createMailbox({ keyring, hasServer }).put(tx, {
      tenantId,
      to: 'mara@one.test',
      effect: 'invitation',
      subject: mailWords`Join One`,
      body: mailWords`You are invited.`,
      action: 'Accept the invitation',
      link: { origin: publicUrl, path },
      opensRole: 'user',
      expiresAt: new Date(Date.now() + dayMs),
      ...mail,
    }),
  );
/** Sets the status and erases the link, like sending or withdrawing an email. */
const setStatus = (id: number, status: string) =>
  run(
    `UPDATE mails SET status = $2::text, error = CASE $2::text WHEN 'failed' THEN 'mailbox unavailable' END,
       sealed_link = CASE WHEN $2::text IN ('sent', 'withdrawn') THEN NULL ELSE sealed_link END,
       sent_at = CASE $2::text WHEN 'sent' THEN now() END WHERE id = $1`,
    id,
    status,
  );

describe('listMails', () => {
  it('listMails returns an empty list without mails', async () => {
    expect(await as(admin).listMails({})).toEqual([]);
  });

  it("listMails lists only the tenant's mails, newest first", async () => {
    const first = await put(admin, { to: 'first@one.test' });
    const second = await put(admin);
    const foreign = await put(stranger, { to: 'x@two.test' });
    expect(await as(admin).listMails({})).toMatchObject([{ id: second }, { id: first }]);
    expect(await as(stranger).listMails({})).toMatchObject([{ id: foreign, to_address: 'x@two.test' }]);
  });

  it('listMails returns all fields of a mail except its text', async () => {
    const id = await put(admin);
    expect(await as(admin).listMails({})).toEqual([
      {
        id,
        to_address: 'mara@one.test',
        subject: 'Join One',
        status: 'held',
        error: null,
        link,
        created_at: expect.any(String),
        sent_at: null,
      },
    ]);
  });

  it('listMails returns pages with the number of all mails', async () => {
    const ids: number[] = [];
    for (let count = 0; count < 5; count++) ids.unshift(await put(admin, { to: `guest${count}@one.test` }));
    await put(stranger);
    const pageOf = async (query: object) => {
      let total: string | null = null;
      const onHeaders = (headers: Headers) => {
        total = headers.get('x-total-count');
      };
      const page = await as(admin).listMails({ query }, { onHeaders });
      return { ids: page.map(({ id }) => id), total };
    };
    expect(await pageOf({ limit: '2' })).toEqual({ ids: ids.slice(0, 2), total: '5' });
    expect(await pageOf({ skip: '4', limit: '2' })).toEqual({ ids: ids.slice(4), total: '5' });
    expect(await pageOf({ skip: '9' })).toEqual({ ids: [], total: '5' });
    for (const query of [{ limit: '0' }, { limit: '201' }, { skip: '-1' }, { sort: 'id' }])
      await expect(as(admin).listMails({ query: query as object })).rejects.toThrow(Object.keys(query)[0]);
  });
});

describe('mail links', () => {
  it.each([
    ['held', true],
    ['failed', true],
    ['queued', false],
    ['sent', false],
    ['withdrawn', false],
  ])('listMails shows the link of a mail with status %s: %s', async (status, isShown) => {
    await setStatus(await put(admin), status);
    expect(await as(admin).listMails({})).toMatchObject([{ status, link: isShown ? link : null }]);
  });

  it('listMails shows links only to callers who may assign the role of the account', async () => {
    await put(admin, { opensRole: 'super_admin' });
    expect(await as(admin).listMails({})).toMatchObject([{ link: null }]);
    expect(await as(operator).listMails({})).toMatchObject([{ link }]);
  });

  it('listMails hides links that are no longer valid', async () => {
    await put(admin, { expiresAt: new Date(Date.now() - 1_000) });
    expect(await as(admin).listMails({})).toMatchObject([{ link: null }]);
  });
});

describe('retryMail', () => {
  const retry = (id: number, principal = admin, hasServer = true) =>
    as(principal, hasServer).retryMail({ params: { id } });

  it.each(['failed', 'held'])('retryMail queues a mail with status %s again', async (status) => {
    const id = await put(admin);
    await setStatus(id, status);
    await run(`UPDATE mails SET attempts = 5, next_attempt_at = now() + interval '1 day'`);
    const expected = { id, status: 'queued', error: null, link: null };
    expect(await retry(id)).toMatchObject(expected);
    expect(await as(admin).listMails({})).toMatchObject([expected]);
    const { rows } = await run('SELECT attempts, next_attempt_at <= now() AS is_due FROM mails');
    expect(rows).toEqual([{ attempts: 0, is_due: true }]);
  });

  it('retryMail rejects a mail that was sent or whose link is invalid, and changes nothing', async () => {
    const sent = await put(admin);
    await setStatus(sent, 'sent');
    await expect(retry(sent)).rejects.toMatchObject({
      status: 409,
      detail: 'This email has already been sent',
    });
    const late = await put(admin, { expiresAt: new Date(Date.now() - 1_000) });
    await expect(retry(late)).rejects.toMatchObject({
      status: 409,
      detail: 'The link in this email is no longer valid, so the email cannot be sent',
    });
    expect(await as(admin).listMails({})).toMatchObject([{ status: 'held' }, { status: 'sent' }]);
  });

  it('retryMail is rejected with instructions if there is no mail server', async () => {
    await expect(retry(await put(admin), admin, false)).rejects.toMatchObject({
      status: 409,
      detail: 'No mail server is configured. Please share the link yourself.',
    });
  });

  it("retryMail returns 404 for another tenant's mail", async () => {
    const id = await put(admin);
    await expect(retry(id, stranger)).rejects.toMatchObject({ status: 404 });
    await expect(retry(id + 1_000)).rejects.toMatchObject({ status: 404 });
    expect(await as(admin).listMails({})).toMatchObject([{ status: 'held' }]);
  });
});

it('outbox routes require administrators, who may invite users', () => {
  for (const { permission } of Object.values(outboxRoutes))
    expect(roleNames.filter((role) => isAllowed({ ...admin, role }, permission)).sort()).toEqual([
      'admin',
      'super_admin',
    ]);
});

describe('exportMails', () => {
  const linesOf = async (query: object, who = admin) => {
    const file = (await as(who).exportMails({ query })) as Blob;
    return (await file.text()).replace('\u{feff}', '').trimEnd().split(/\r?\n/);
  };

  it('exportMails contains all mails that match the filters, over several batches, like the list', async () => {
    await run(
      `INSERT INTO mails (tenant_id, to_address, subject, body, action, status, opens_role_id, expires_at)
       SELECT $1, 'p' || n || '@one.test', 'Hello', 'x', 'Open', 'held', 3, now() + interval '1 day' FROM generate_series(1, 620) n`,
      admin.tenantId,
    );
    expect(await linesOf({ format: 'jsonl' })).toHaveLength(620);
    let total: string | null = null;
    await as(admin).listMails(
      { query: { search: ' P61 ', limit: 1 } },
      {
        onHeaders: (headers) => {
          total = headers.get('x-total-count');
        },
      },
    );
    const found = (await linesOf({ format: 'jsonl', search: ' P61 ' })).map(
      (line) => JSON.parse(line).to_address,
    );
    expect(found).toHaveLength(Number(total));
    expect(new Set(found)).toEqual(
      new Set(['', ...Array.from({ length: 10 }, (_, digit) => digit)].map((end) => `p61${end}@one.test`)),
    );
    expect(await linesOf({}, stranger)).toHaveLength(1);
  });

  it('exportMails contains no links and escapes cells that a spreadsheet would run', async () => {
    await put(admin, { to: '=cmd@one.test' });
    expect((await as(admin).listMails({ query: {} }))[0]?.link).toBe(link);
    const csv = await linesOf({});
    expect(csv[1]).toContain("'=cmd@one.test");
    expect(csv.join()).not.toContain('/invitation/');
    expect(JSON.parse((await linesOf({ format: 'jsonl' }))[0] ?? '')).toMatchObject({ link: null });
  });
});
