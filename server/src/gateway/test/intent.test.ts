import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({
    seed: (seed) => seed.addInstance({ name: 'lab', models: ['sandbox-normal', 'sandbox-embedding'] }),
  });
});
afterAll(() => gateway.stop());

async function send(path: string, body: object) {
  const answer = await fetch(`${gateway.origin}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text();
  return { headers: answer.headers, row: await gateway.waitForRow(answer.headers.get('x-request-id') ?? '') };
}

it.each([
  ['coding', 'Write a TypeScript function that parses a CSV line and fix the failing import in parser.ts'],
  ['off_topic', 'Tell me a bedtime story about a dragon who is afraid of the dark'],
])('a prompt is classified as %s in the response header and in its row', async (intent, content) => {
  const { headers, row } = await send('chat/completions', {
    model: 'sandbox-normal',
    messages: [{ role: 'user', content }],
  });
  expect(headers.get('x-sluice-intent')).toBe(intent);
  expect(row.intent_classification).toBe(intent);
  expect(row.confidence_score).toBeGreaterThan(0.5);
  expect(row.confidence_score).toBeLessThanOrEqual(1);
});

it('embeddings are not classified', async () => {
  const { headers, row } = await send('embeddings', { model: 'sandbox-embedding', input: 'a story' });
  expect(headers.has('x-sluice-intent')).toBe(false);
  expect(row).toMatchObject({ status: 'success', intent_classification: null, confidence_score: null });
});
