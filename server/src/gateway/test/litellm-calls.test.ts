import { createHash } from 'node:crypto';
import { litellmRoutes, pathOf, type RouteRow } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKeyring } from '#platform/keyring.ts';
import { masterSecret, startGateway, type TestGateway } from '#test/console/gateway.ts';
import { signIn } from '#test/providers/outside-provider.ts';
import {
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

let provider: ScriptedProvider;
let gateway: TestGateway;
let session: Record<string, string>;
let token: string;

const scopes = [
  'users:read',
  'users:write',
  'api-keys:write',
  'budgets:write',
  'tasks:write',
  'teams:read',
  'teams:write',
  'provider-access:write',
  'providers:read',
  'analytics:read',
];

beforeAll(async () => {
  provider = await startScriptedProvider();
  const message = { role: 'assistant', content: 'Hello' };
  const usage = { prompt_tokens: 1_000_000, completion_tokens: 0 };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const answer = { id: 'c', object: 'chat.completion', created: 1, model: 'gpt-4o', choices, usage };
  provider.script = answerWith(200, JSON.stringify(answer));
  gateway = await startGateway({
    async seed({ addInstance }) {
      await addInstance({
        providerKey: 'openai',
        name: 'own',
        models: ['gpt-4o', 'gpt-4o-mini'],
        endpoint: `${provider.origin}/v1`,
      });
    },
  });
  session = (await signIn(gateway)).headers();
  token = await createToken(scopes);
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function createToken(chosen: readonly string[]): Promise<string> {
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const created = await fetch(`${gateway.origin}/api/v1/admin/tokens`, {
    method: 'POST',
    headers: { ...session, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'scripts', scopes: chosen, expires_at }),
  });
  const { token: secret } = (await created.json()) as { token: string };
  return secret;
}

async function call(method: string, path: string, body?: object, bearer = token) {
  const answer = await fetch(`${gateway.origin}${path}`, {
    method,
    headers: { authorization: `Bearer ${bearer}`, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  const isJson = answer.headers.get('content-type')?.startsWith('application/json');
  return { status: answer.status, body: isJson ? JSON.parse(text) : text };
}

const ask = (key: string, model = 'gpt-4o') =>
  call('POST', '/v1/chat/completions', { model, messages: [{ role: 'user', content: 'Say hello' }] }, key);

let count = 0;
const newEmail = () => `person${++count}@one.test`;

const rows = Object.values<RouteRow>(litellmRoutes);

describe("LiteLLM's calls", () => {
  it.each(rows.map((row) => [row.method, pathOf(row)]))(
    '%s %s exists below / and /v1',
    async (method, path) => {
      for (const prefix of ['', '/v1']) {
        const { body, status } = await call(
          method,
          `${prefix}${path}`,
          method === 'POST' ? {} : undefined,
          'none',
        );
        if (path === '/health/liveliness') expect([status, body]).toEqual([200, "I'm alive!"]);
        else expect([status, body.error.type, body.error.code]).toEqual([401, 'auth_error', '401']);
      }
    },
  );

  it.each(rows.filter(({ permission }) => permission !== 'anyone').map((row) => [row.method, pathOf(row)]))(
    '%s %s reports unknown fields by name',
    async (method, path) => {
      const isPost = method === 'POST';
      const { body, status } = await call(
        method,
        isPost ? path : `${path}?colour=red`,
        isPost ? { colour: 'red' } : undefined,
      );
      expect(status).toBe(422);
      expect(body.error.message).toContain('colour');
    },
  );

  it('a team, its key and a member work as a script for LiteLLM expects', async () => {
    const email = newEmail();
    const person = await call('POST', '/user/new', {
      user_email: email,
      user_role: 'internal_user',
      max_budget: 50,
      budget_duration: '30d',
    });
    expect(person.body).toMatchObject({
      user_email: email,
      max_budget: 50,
      budget_duration: '30d',
      user_role: 'internal_user',
    });
    const team = await call('POST', '/team/new', {
      team_alias: 'Research',
      models: ['gpt-4o'],
      max_budget: 20,
      budget_duration: '1d',
      rpm_limit: 600,
      max_parallel_requests: 8,
      members_with_roles: [{ role: 'user', user_id: person.body.user_id }],
      metadata: { cost_center: 4711 },
    });
    expect(team.body).toMatchObject({
      team_alias: 'Research',
      models: ['gpt-4o'],
      max_budget: 20,
      budget_duration: '1d',
      rpm_limit: 600,
      max_parallel_requests: 8,
      metadata: { cost_center: '4711' },
      members_with_roles: [{ role: 'user', user_id: person.body.user_id, user_email: email }],
    });
    const { team_id } = team.body;
    const ofTeam = await call('POST', '/key/generate', {
      team_id,
      key_alias: 'nightly job',
      max_budget: 10,
      duration: '30d',
    });
    expect(ofTeam.body).toMatchObject({
      key_alias: 'nightly job',
      team_id,
      user_id: null,
      max_budget: 10,
      spend: 0,
    });
    for (const key of [ofTeam.body.key, person.body.key])
      expect((await ask(key)).body).toMatchObject({ object: 'chat.completion' });
    expect((await ask(ofTeam.body.key, 'gpt-4o-mini')).status).toBe(404);
    const info = await call('GET', `/team/info?team_id=${team_id}`);
    expect(info.body.keys).toEqual([
      expect.objectContaining({ key_alias: 'nightly job', token: ofTeam.body.token }),
    ]);
    const user = await call('GET', `/user/info?user_id=${encodeURIComponent(email)}`);
    expect(user.body).toMatchObject({
      user_id: person.body.user_id,
      teams: [{ team_id, team_alias: 'Research' }],
      keys: [{ token: person.body.token_id }],
    });
  });

  it('a key is found by its secret or id, changed and revoked', async () => {
    const { body: created } = await call('POST', '/key/generate', {
      key_alias: 'first',
      max_budget: 5,
      tpm_limit: 1_000,
    });
    for (const reference of [created.key, created.token]) {
      const { body } = await call('GET', `/key/info?key=${reference}`);
      expect(body.info).toMatchObject({
        key_alias: 'first',
        max_budget: 5,
        budget_duration: null,
        tpm_limit: 1_000,
      });
      expect(JSON.stringify(body)).not.toContain(created.key);
    }
    const changed = await call('POST', '/key/update', {
      key: created.key,
      key_alias: 'second',
      max_budget: 7,
      budget_duration: '7d',
      tpm_limit: null,
      duration: '1h',
    });
    expect(changed.body).toMatchObject({
      key_alias: 'second',
      max_budget: 7,
      budget_duration: '7d',
      tpm_limit: null,
    });
    expect(Date.parse(changed.body.expires) - Date.now()).toBeLessThanOrEqual(3_600_000);
    const kept = await call('POST', '/key/update', { key: created.token, key_alias: 'third' });
    expect(kept.body).toMatchObject({ max_budget: 7, budget_duration: '7d', expires: changed.body.expires });
    expect((await call('POST', '/key/block', { key: created.key })).body.blocked).toBe(true);
    expect((await ask(created.key)).status).toBe(401);
    const { body: other } = await call('POST', '/key/generate', { key_alias: 'other' });
    const deleted = await call('POST', '/v1/key/delete', { keys: [other.key], key_aliases: null });
    expect(deleted.body).toEqual({ deleted_keys: [other.key] });
    expect((await ask(other.key)).status).toBe(401);
  });

  it('key info shows only limits that apply to all requests of the key, not limits within a team', async () => {
    const { body: team } = await call('POST', '/team/new', { team_alias: 'Narrow' });
    const { body: key } = await call('POST', '/key/generate', { max_parallel_requests: 9 });
    const budget = { subject_type: 'api_key', subject_id: Number(key.token), team_id: Number(team.team_id) };
    const narrow = { ...budget, measure: 'parallel_requests', window: 'at_once', limit: 1 };
    await call('POST', '/key/update', { key: key.key, max_parallel_requests: null });
    const { body: created } = await call('POST', '/api/v1/admin/budgets', narrow);
    const limits = async () => (await call('GET', `/key/info?key=${key.token}`)).body.info;
    expect(await limits()).toMatchObject({ max_parallel_requests: null });
    await call('POST', '/key/update', { key: key.key, max_parallel_requests: 5 });
    await call('POST', '/key/update', { key: key.key, max_parallel_requests: null });
    const reader = await createToken(['budgets:read']);
    const kept = await call('GET', `/api/v1/admin/budgets/${created.id}`, undefined, reader);
    expect(kept.body).toMatchObject({ limit: 1 });
    await call('POST', '/key/delete', { keys: [key.token] });
  });

  it.each([
    { max_parallel_requests: null },
    { max_parallel_requests: 9 },
    { max_budget: null },
    { budget_duration: null },
    { tpm_limit: null },
  ])('/key/update with %j requires the scope budgets:write if it changes a limit', async (change) => {
    const limits = { max_budget: 5, budget_duration: '1d', tpm_limit: 10, max_parallel_requests: 2 };
    const { body: limited } = await call('POST', '/key/generate', limits);
    const { body: free } = await call('POST', '/key/generate', {});
    const narrow = await createToken(['users:read', 'api-keys:write']);
    const refused = await call('POST', '/key/update', { key: limited.token, ...change }, narrow);
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringContaining('budgets:write')]);
    expect((await call('GET', `/key/info?key=${limited.token}`)).body.info).toMatchObject(limits);
    const isRemoval = Object.values(change)[0] === null;
    const unlimited = await call('POST', '/key/update', { key: free.token, ...change }, narrow);
    expect(unlimited.status).toBe(isRemoval ? 200 : 403);
    await call('POST', '/key/delete', { keys: [limited.token, free.token] });
  });

  it('an imported key is found by its secret and by its SHA-256, and can be revoked', async () => {
    const secret = 'sk-imported-0123456789';
    const digest = createHash('sha256').update(secret).digest('hex');
    await gateway.pool.query(
      `INSERT INTO api_keys (tenant_id, user_id, name, key_hash, last4, scopes, kind, origin)
       SELECT tenant_id, id, 'imported', $1, '6789', '{completions}', 'named', 'litellm' FROM users ORDER BY id LIMIT 1`,
      [createKeyring(masterSecret).hashForeignApiKey(digest)],
    );
    for (const key of [secret, digest]) {
      const { body } = await call('GET', `/key/info?key=${key}`);
      expect(body.info).toMatchObject({ key_alias: 'imported', key_name: 'sk-…6789' });
    }
    expect((await ask(secret)).status).toBe(200);
    expect((await call('POST', '/key/delete', { keys: [digest] })).body).toEqual({ deleted_keys: [digest] });
    expect((await ask(secret)).status).toBe(401);
  });

  it('a call that names an unknown key, user or team returns 404', async () => {
    for (const key of ['slc_none', '999999', 'sk-none']) {
      const { body, status } = await call('GET', `/key/info?key=${key}`);
      expect([status, body.error.type]).toEqual([404, 'not_found_error']);
    }
    expect((await call('GET', '/user/info?user_id=none@one.test')).status).toBe(404);
    expect((await call('POST', '/key/generate', { team_id: 'b7f1' })).status).toBe(404);
  });

  it.each([
    ['/key/generate', { aliases: { fast: 'gpt-4o-mini' } }, 'aliases'],
    ['/key/generate', { max_parallel_requests: -1 }, 'max_parallel_requests'],
    ['/key/generate', { budget_duration: '30d' }, 'budget_duration'],
    ['/key/generate', { max_budget: 1, budget_duration: '90d' }, 'budget_duration'],
    ['/key/generate', { models: ['no-such-model'] }, 'models'],
    ['/key/generate', { duration: '9999999mo' }, 'duration'],
    ['/team/new', { team_alias: 'Other', models: ['no-such-model'] }, 'models'],
    ['/user/new', { user_email: 'x@one.test', models: ['gpt-4o'] }, 'models'],
  ])('%s rejects unsupported or invalid values: %j', async (path, body, field) => {
    const answer = await call('POST', path, body);
    expect([answer.status, answer.body.error.param]).toEqual([422, field]);
  });

  it('empty fields without an equivalent are accepted', async () => {
    const body = {
      aliases: {},
      config: {},
      permissions: {},
      tags: null,
      spend: 0,
      models: [],
      key_alias: 'empty',
    };
    expect((await call('POST', '/key/generate', body)).status).toBe(200);
  });

  it.each([
    ['/key/generate', ['api-keys:write'], { max_budget: 1 }, 'budgets:write'],
    ['/user/new', ['users:write'], { user_email: 'y@one.test' }, 'api-keys:write'],
    ['/team/new', ['teams:write'], { team_alias: 'Third', models: ['gpt-4o'] }, 'provider-access:write'],
  ])('%s needs the scopes for all of its parts', async (path, chosen, body, missing) => {
    const answer = await call('POST', path, body, await createToken(chosen));
    expect([answer.status, answer.body.error.message]).toEqual([403, expect.stringContaining(missing)]);
  });

  it('/model/info lists models with prices per token', async () => {
    const { body } = await call('GET', '/v1/model/info');
    expect(body.data).toContainEqual({
      model_name: 'gpt-4o',
      litellm_params: { model: 'openai/gpt-4o' },
      model_info: {
        id: expect.any(String),
        litellm_provider: 'openai',
        max_input_tokens: 128_000,
        max_output_tokens: 16_384,
        input_cost_per_token: 0.0000025,
        output_cost_per_token: 0.00001,
      },
    });
  });

  it('/global/spend/report returns the cost by team and by key', async () => {
    const { body: created } = await call('POST', '/key/generate', { key_alias: 'spender' });
    const { headers } = await gateway.complete(
      { model: 'gpt-4o', messages: [{ role: 'user', content: 'Say hello' }] },
      { apiKey: created.key },
    );
    await gateway.waitForRow(String(headers.get('x-request-id')));
    const day = (offset: number) => new Date(Date.now() + offset * 86_400_000).toISOString().slice(0, 10);
    const range = `start_date=${day(-1)}&end_date=${day(1)}`;
    const byKey = await call('GET', `/global/spend/report?${range}&group_by=api_key`);
    expect(byKey.body).toContainEqual(
      expect.objectContaining({
        api_key: created.token,
        total_input_tokens: 1_000_000,
        total_output_tokens: 1,
      }),
    );
    const byTeam = await call('GET', `/global/spend/report?${range}`);
    const teams = byTeam.body.flatMap((one: { teams: { total_spend: number }[] }) => one.teams);
    const sum = (amounts: number[]) => amounts.reduce((total, amount) => total + amount, 0);
    expect(sum(teams.map((team: { total_spend: number }) => team.total_spend))).toBeCloseTo(
      sum(byKey.body.map((key: { total_cost: number }) => key.total_cost)),
      6,
    );
  });
});

it("SLUICE_SHORT_PATHS=0 turns LiteLLM's calls off", async () => {
  const closed = await startGateway({ env: { SLUICE_SHORT_PATHS: '0' } });
  for (const path of ['/key/generate', '/v1/key/generate']) {
    const answer = await fetch(`${closed.origin}${path}`, { method: 'POST' });
    expect(answer.status).toBe(404);
  }
  await closed.stop();
});

it('the gateway and the management API reject guesses at imported keys with a 429', async () => {
  const guessed = await startGateway();
  const send = (path: string, key: string) =>
    fetch(`${guessed.origin}/api/v1${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{}',
    });
  for (let guess = 0; guess < 20; guess++)
    expect((await send('/user/tasks/1/keys', `sk-guess-${guess}`)).status).toBe(401);
  for (const path of ['/user/tasks/1/keys', '/chat/completions']) {
    const answer = await send(path, 'sk-another');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, expect.any(String)]);
  }
  await guessed.stop();
});
