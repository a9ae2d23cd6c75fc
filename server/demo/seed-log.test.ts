import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { syncRegistry } from '#console/provider-registry/sync-registry.ts';
import { createSystemDatabase } from '#db/system.ts';
import { addTenant } from '#test/console/console.ts';
import { createTestDatabase, type TestDatabase } from '#test/database/database.ts';
import { seedLog } from './seed-log.ts';
import { seedPeople } from './seed-people.ts';

const rowCount = 3_000;
let database: TestDatabase;
const read = async (statement: string) => (await database.pool.query(statement)).rows;
const one = async (statement: string) => (await read(statement))[0];

beforeAll(async () => {
  database = await createTestDatabase();
  await syncRegistry(createSystemDatabase(database.pool));
  await addTenant(database.pool, 'Home');
  const client = await database.pool.connect();
  try {
    await seedPeople(client);
    await seedLog(client, { rows: rowCount, days: 10, bodyDays: 3, nowMs: Date.now() });
  } finally {
    client.release();
  }
});
afterAll(() => database.close());

describe('seedLog', () => {
  it('seedLog creates the requested number of rows over all days and tenants, in partitions of their days', async () => {
    expect(
      await one(`SELECT count(*)::int AS rows, count(DISTINCT tenant_id)::int AS tenants,
        count(DISTINCT date_trunc('day', received_at, 'UTC'))::int AS days,
        count(*) FILTER (WHERE tableoid = 'request_logs_default'::regclass)::int AS strays,
        count(*) FILTER (WHERE received_at > now())::int AS future FROM request_logs`),
    ).toEqual({ rows: rowCount, tenants: 3, days: 10, strays: 0, future: 0 });
  });

  it('seedLog creates texts for the newest three days only', async () => {
    expect(
      await one(`SELECT count(*)::int AS rows, count(body.id)::int AS bodies, min(length(body.prompt)) > 20 AS are_long
        FROM request_logs log LEFT JOIN request_log_bodies body USING (id)
        WHERE (log.received_at AT TIME ZONE 'UTC')::date > (now() AT TIME ZONE 'UTC')::date - 3`),
    ).toMatchObject({
      are_long: true,
      bodies: (await one('SELECT count(*)::int FROM request_log_bodies')).count,
    });
  });

  it('seedLog creates scores within their bounds that differ by user, and sets the newest on users', async () => {
    expect(
      await one(`SELECT min(user_score_after) >= 0 AND max(user_score_after) <= 1 AS fit,
        count(DISTINCT round(user_score_after::numeric, 1)) > 4 AS differ FROM request_logs`),
    ).toEqual({ fit: true, differ: true });
    expect(
      await one(`SELECT count(*)::int FROM users u JOIN LATERAL (
          SELECT user_score_after AS score FROM request_logs l WHERE l.user_id = u.id ORDER BY id DESC LIMIT 1
        ) newest ON newest.score IS DISTINCT FROM u.deviation_score`),
    ).toEqual({ count: 0 });
    expect(
      await one(`SELECT abs((SELECT sum(score_sum) FROM usage_rollups) -
        (SELECT sum(user_score_after) FROM request_logs WHERE status <> 'refused')) < 1e-6 AS agree`),
    ).toEqual({ agree: true });
  });

  it('seedLog creates rollups that add up to the rows', async () => {
    const ofRows = await read(`SELECT tenant_id, count(*) FILTER (WHERE status <> 'refused')::int AS requests,
        count(*) FILTER (WHERE status = 'error')::int AS errors, (sum(repeats) FILTER (WHERE status = 'refused'))::int AS refusals,
        sum(prompt_tokens)::int AS prompt, sum(completion_tokens)::int AS output, sum(cost_nano_usd)::text AS cost
      FROM request_logs GROUP BY 1 ORDER BY 1`);
    const ofRollups =
      await read(`SELECT tenant_id, sum(requests)::int AS requests, sum(errors)::int AS errors,
        sum(refusals)::int AS refusals, sum(input_tokens + cache_read_tokens + cache_write_tokens)::int AS prompt,
        sum(output_tokens)::int AS output, sum(user_llm_nano_usd + company_llm_nano_usd)::text AS cost
      FROM usage_rollups GROUP BY 1 ORDER BY 1`);
    expect(ofRollups).toEqual(ofRows);
    expect(ofRows).toHaveLength(3);
  });

  it('seedLog creates the indexes of the parent in every partition', async () => {
    const { rows } = await database.pool.query(
      `SELECT indrelid::regclass::text AS name, count(*)::int FROM pg_index JOIN pg_inherits ON inhrelid = indrelid
       WHERE inhparent = 'request_logs'::regclass GROUP BY 1`,
    );
    expect(new Set(rows.map(({ count }) => count)).size).toBe(1);
  });
});
