import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import type { Seeder } from '#test/database/seed.ts';

/** A change is applied within a second, unless the machine is busy. */
const patience = { timeout: 10_000 };

type Person = Awaited<ReturnType<Seeder['addPerson']>>;

let gateway: TestGateway;
let admin: Person;
/** User who is rejected only once, since repeated rejections are aggregated into one row. */
let nia: Person;
let mara: Person;
let tenantId: number;
let mainId: number;
let otherId: number;

beforeAll(async () => {
  gateway = await startGateway({
    seed: async (seed) => {
      tenantId = await seed.addTenant('One');
      admin = await seed.addPerson({ name: 'ada', tenantId });
      nia = await seed.addPerson({ name: 'nia', tenantId });
      mara = await seed.addPerson({ name: 'mara', role: 'user', tenantId });
      mainId = await seed.addInstance({
        name: 'Main',
        tenantId,
        models: ['sandbox-normal', 'sandbox-echo', 'sandbox-embedding'],
        aliases: { fast: 'sandbox-normal', Embed: 'sandbox-embedding' },
      });
      otherId = await seed.addInstance({
        name: 'Other',
        tenantId,
        models: ['sandbox-echo', 'sandbox-reasoning'],
      });
    },
  });
});
afterAll(() => gateway.stop());

const insert = async (table: string, row: Record<string, unknown>): Promise<number> => {
  const columns = Object.keys({ tenant_id: tenantId, ...row });
  const values = columns.map((_, index) => `$${index + 1}`);
  const { rows } = await gateway.pool.query<{ id: number }>(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')}) RETURNING id`,
    [tenantId, ...Object.values(row)],
  );
  return rows[0]!.id;
};
const block = (provider_key: string, model_pattern: string | null, reason = 'Cost management') =>
  insert('blacklist_entries', { provider_key, model_pattern, reason });
const clear = (table: string) => gateway.pool.query(`DELETE FROM ${table}`);

const listModels = async ({ apiKey }: Person): Promise<string[]> => {
  const response = await fetch(`${gateway.origin}/api/v1/models`, {
    headers: { authorization: `Bearer ${apiKey}` },
  });
  const { data } = z.object({ data: z.array(z.object({ id: z.string() })) }).parse(await response.json());
  return data.map(({ id }) => id).toSorted();
};
const untilListed = (person: Person, names: string[]) =>
  vi.waitFor(async () => expect(await listModels(person)).toEqual(names.toSorted()), patience);

const text = 'Hello';
const messages = [{ role: 'user', content: text }];
const gemini = { contents: [{ role: 'user', parts: [{ text }] }] };
const calls: Record<string, (model: string) => [path: string, body?: object]> = {
  'chat completions': (model) => ['v1/chat/completions', { model, messages }],
  'a stream of chat completions': (model) => ['v1/chat/completions', { model, messages, stream: true }],
  responses: (model) => ['v1/responses', { model, input: text }],
  messages: (model) => ['v1/messages', { model, max_tokens: 9, messages }],
  'a count of tokens': (model) => ['v1/messages/count_tokens', { model, messages }],
  generateContent: (model) => [`v1beta/models/${encodeURIComponent(model)}:generateContent`, gemini],
  streamGenerateContent: (model) => [
    `v1beta/models/${encodeURIComponent(model)}:streamGenerateContent?alt=sse`,
    gemini,
  ],
  countTokens: (model) => [`v1beta/models/${encodeURIComponent(model)}:countTokens`, gemini],
  embeddings: (model) => ['v1/embeddings', { model, input: text }],
  'the model itself': (model) => [`v1/models/${encodeURIComponent(model)}`],
};

const ask = (person: Person, [path, body]: ReturnType<(typeof calls)[string]>) =>
  fetch(`${gateway.origin}/api/${path}`, {
    headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
  });

describe('blacklisted model', () => {
  beforeAll(async () => {
    await block('CUSTOM', '{SANDBOX-Normal,sandbox-EMB*}');
    await untilListed(admin, ['sandbox-echo', 'sandbox-reasoning']);
  });
  afterAll(() => clear('blacklist_entries'));

  const chatNames = [
    'sandbox-normal',
    'fast',
    'Main/sandbox-normal',
    'MAIN/sandbox-normal',
    'custom/sandbox-normal',
  ];
  const cases = Object.entries(calls).flatMap(([what, call]) =>
    (what === 'embeddings' ? ['sandbox-embedding', 'Embed', 'main/sandbox-embedding'] : chatNames).map(
      (model) => [what, model, call] as const,
    ),
  );

  it.each(cases)(
    'a blacklisted model is rejected for %s as %s with the reason, before any provider call',
    async (_, model, call) => {
      const before = gateway.sandbox.journal.entries().length;
      const response = await ask(admin, call(model));
      const told = await response.text();
      expect([response.status, told]).toEqual([403, expect.stringContaining('Cost management')]);
      expect(told).toMatch(/"(model_blacklisted|permission_error|PERMISSION_DENIED)"/);
      expect(gateway.sandbox.journal.entries().length).toBe(before);
    },
  );

  it('a request for a blacklisted model leaves a row with the reason', async () => {
    const response = await gateway.complete({ model: 'fast' }, { apiKey: nia.apiKey });
    expect(await gateway.waitForRow(response.headers.get('x-request-id')!)).toMatchObject({
      status: 'refused',
      http_status: 403,
      error_code: 'model_blacklisted',
      model_requested: 'fast',
      attempts: 0,
    });
  });

  it("blacklisting a model leaves its provider's other models usable", async () => {
    expect((await gateway.complete({ model: 'sandbox-echo' }, { apiKey: admin.apiKey })).status).toBe(200);
  });
});

describe('team grants', () => {
  let teamId: number;
  beforeAll(async () => {
    teamId = await insert('teams', { name: 'Red' });
    await insert('team_members', { team_id: teamId, user_id: mara.userId });
    await insert('team_provider_access', {
      team_id: teamId,
      llm_provider_id: mainId,
      allowed_models: ['sandbox-normal', 'sandbox-echo'],
    });
  });
  const ofTeam = ['sandbox-normal', 'sandbox-echo', 'fast'];
  const set = (table: string, isActive: boolean) =>
    gateway.pool.query(`UPDATE ${table} SET is_active = $1`, [isActive]);
  const teamOf = async (model: string) => {
    const response = await gateway.complete({ model }, { apiKey: mara.apiKey });
    expect(response.status).toBe(200);
    const id = response.headers.get('x-request-id')!;
    const { team_id, llm_provider_id } = await gateway.waitForRow(id);
    const { rows } = await gateway.pool.query(
      'SELECT DISTINCT team_id FROM usage_rollups WHERE user_id = $1',
      [mara.userId],
    );
    return { team_id, llm_provider_id, rolledUp: rows.map((row) => row.team_id) };
  };

  it("a team's grant allows its members to use the model, and usage is attributed to the team", async () => {
    await untilListed(mara, ofTeam);
    expect(await teamOf('fast')).toEqual({ team_id: teamId, llm_provider_id: mainId, rolledUp: [teamId] });
  });

  it.each(['teams', 'team_members'])(
    'a team grants nothing while its row of %s is inactive',
    async (table) => {
      await set(table, false);
      await untilListed(mara, []);
      const refused = await gateway.complete({ model: 'sandbox-normal' }, { apiKey: mara.apiKey });
      expect(refused.status).toBe(404);
      expect(await refused.json()).toMatchObject({ error: { code: 'model_not_found' } });
      await set(table, true);
      await untilListed(mara, ofTeam);
    },
  );

  it("usage is not attributed to a team if the user's own grant suffices", async () => {
    await insert('user_provider_access', {
      user_id: mara.userId,
      llm_provider_id: otherId,
      allowed_models: ['sandbox-echo'],
    });
    await insert('user_provider_access', {
      user_id: mara.userId,
      llm_provider_id: mainId,
      allowed_models: ['sandbox-normal'],
    });
    await vi.waitFor(async () => expect((await teamOf('fast')).team_id).toBeNull(), patience);
    expect((await teamOf('sandbox-echo')).team_id).toBe(teamId);
  });

  it('blacklisting a whole provider blocks the models that a team grants', async () => {
    await clear('user_provider_access');
    await block('custom', null, 'Data privacy');
    await untilListed(mara, []);
    const refused = await gateway.complete({ model: 'sandbox-normal' }, { apiKey: mara.apiKey });
    expect(await refused.json()).toMatchObject({ error: { code: 'model_blacklisted' } });
    await clear('blacklist_entries');
    await untilListed(mara, ofTeam);
  });
});

it('disabling a vendor disables its instances until the vendor is enabled again', async () => {
  await gateway.pool.query("UPDATE provider_registry SET is_active = false WHERE provider_key = 'custom'");
  await untilListed(admin, []);
  await gateway.pool.query("UPDATE provider_registry SET is_active = true WHERE provider_key = 'custom'");
  await vi.waitFor(async () => expect(await listModels(admin)).toContain('fast'), patience);
});
