import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

/** The sandbox counts ten tokens for this question and responds with forty. */
const question = 'what is the length of the river Rhine in km';
const model = 'sandbox-normal:tokens=40';
const quota = 1_000;

const tool = { name: 'now', description: 'Tells the time' };
const schema = { type: 'object' };

const dialects = {
  'chat completions': {
    path: '/api/v1/chat/completions',
    body: { model, messages: [{ role: 'user', content: question }] },
    tools: [{ type: 'function', function: { ...tool, parameters: schema } }],
  },
  responses: {
    path: '/api/v1/responses',
    body: { model, input: question },
    tools: [{ type: 'function', ...tool, parameters: schema }],
  },
  messages: {
    path: '/api/v1/messages',
    body: { model, max_tokens: 1_000, messages: [{ role: 'user', content: question }] },
    tools: [{ ...tool, input_schema: schema }],
  },
  generateContent: {
    path: `/api/v1beta/models/${encodeURIComponent(model)}:generateContent`,
    body: { contents: [{ role: 'user', parts: [{ text: question }] }] },
    tools: [{ functionDeclarations: [{ ...tool, parameters: schema }] }],
  },
};

let gateway: TestGateway;
let count = 0;

beforeAll(async () => {
  gateway = await startGateway({
    seed: ({ pool }) => pool.query('UPDATE llm_providers SET enabled_models = ARRAY[$1]', [model]),
  });
});
afterAll(() => gateway.stop());

async function addPerson(dailyQuota: number) {
  const person = await gateway.seed.addPerson({ name: `small-${count++}` });
  await gateway.pool.query('UPDATE users SET daily_quota = $1 WHERE id = $2', [dailyQuota, person.userId]);
  const ask = (path: string, body: object) =>
    fetch(gateway.origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const { path, body } = dialects['chat completions'];
  await expect.poll(async () => (await ask(path, { ...body, model: 'nobody' })).status).toBe(404);
  const readUsed = async () => {
    const { rows } = await gateway.pool.query<{ settled: number }>(
      `SELECT settled::int FROM allowances WHERE subject_id = $1 AND kind = 'tokens_per_day'`,
      [person.userId],
    );
    return rows[0]?.settled ?? 0;
  };
  return { ask, readUsed };
}

describe.each(Object.entries(dialects))('requests of fifty tokens by %s', (_, { path, body, tools }) => {
  it.each([
    ['without tools', body],
    ['with tools', { ...body, tools }],
  ])('small requests %s use at least 95% of the quota', async (_, asked) => {
    const { ask, readUsed } = await addPerson(quota);
    let answer = await ask(path, asked);
    let served = 0;
    for (; answer.status === 200; answer = await ask(path, asked)) {
      await answer.text();
      served++;
    }
    expect(answer.status).toBe(429);
    expect(await answer.text()).not.toContain('in flight');
    expect(served).toBeGreaterThanOrEqual(19);
    await expect.poll(readUsed).toBeGreaterThanOrEqual(quota * 0.95);
    expect(await readUsed()).toBeLessThanOrEqual(quota);
  });
});

it.each([[40], [60], [120]])('a quota of %i tokens allows one response', async (dailyQuota) => {
  const { ask, readUsed } = await addPerson(dailyQuota);
  const { path, body } = dialects['chat completions'];
  const answer = await ask(path, body);
  expect(answer.status).toBe(200);
  await expect.poll(readUsed).toBeGreaterThan(20);
  expect(await readUsed()).toBeLessThanOrEqual(dailyQuota);
});
