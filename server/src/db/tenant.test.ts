import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresRequestLog } from '#request-log/postgres/postgres-request-log.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { users } from './schema/users.ts';
import { createRunInTenant, type RunInTenant } from './tenant.ts';

let database: TestDatabase;
let inTenant: RunInTenant;

beforeAll(async () => {
  database = await createTestDatabase();
  inTenant = createRunInTenant(database.pool, postgresRequestLog.openTenant);
  await database.pool.query(`
    INSERT INTO tenants (name, slug) VALUES ('One', 'one'), ('Two', 'two');
    INSERT INTO users (tenant_id, role_id, email, name, password_hash)
      VALUES (1, 3, 'a@one.test', 'A', 'x'), (2, 3, 'b@two.test', 'B', 'x');
    INSERT INTO request_logs (id, tenant_id, protocol, operation, status, http_status, is_stream, attempts, received_at, response_time_ms, usage_source)
      SELECT uuid_floor(now() + n * interval '1 ms'), n, 'p', 'o', 'success', 200, false, 1, now(), 1, 'none' FROM generate_series(1, 2) n`);
});
afterAll(() => database.close());

describe('a tenant transaction', () => {
  it('runInTenant returns only rows of the tenant even if the query does not filter by tenant', async () => {
    const seen = await inTenant(1, (tx) => tx.select().from(users));
    expect(seen.map((user) => user.email)).toEqual(['a@one.test']);
    const logs = await inTenant(2, (tx) => tx.execute(sql`SELECT tenant_id FROM request_logs`));
    expect(logs.rows).toEqual([{ tenant_id: 2 }]);
  });

  it('runInTenant rejects writing a row of another tenant', async () => {
    const intrusion = inTenant(1, (tx) =>
      tx.insert(users).values({ tenantId: 2, roleId: 3, email: 'x@x.test', name: 'X', passwordHash: 'x' }),
    );
    await expect(intrusion).rejects.toMatchObject({
      cause: { message: expect.stringContaining('row-level security') },
    });
  });

  it('runInTenant rejects access to a partition, which has no policy, except through its parent', async () => {
    const around = inTenant(1, (tx) => tx.execute(sql`SELECT * FROM request_logs_default`));
    await expect(around).rejects.toMatchObject({
      cause: { message: expect.stringContaining('permission denied') },
    });
  });

  it('runInTenant resets the tenant and the role of its connection', async () => {
    await inTenant(1, (tx) => tx.select().from(users));
    await inTenant(1, () => Promise.reject(new Error('stop'))).catch(() => undefined);
    const { rows } = await database.pool.query(
      "SELECT current_user AS role, current_setting('app.tenant', true) AS tenant",
    );
    expect(rows[0].role).not.toBe('sluice_tenant');
    expect(rows[0].tenant ?? '').toBe('');
  });

  it('the tenant role sees no rows outside a tenant transaction', async () => {
    const client = await database.pool.connect();
    await client.query('BEGIN; SET LOCAL ROLE sluice_tenant');
    const { rows } = await client.query('SELECT * FROM users');
    await client.query('ROLLBACK');
    client.release();
    expect(rows).toEqual([]);
  });
});
