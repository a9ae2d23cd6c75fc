import { promptPrivacyModes } from '@sluice/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import {
  answerStream,
  answerWith,
  type ScriptedProvider,
  startScriptedProvider,
} from '#test/providers/scripted-provider.ts';

const words = { prompt: 'quillwort', answer: 'zebrafinch', failure: 'marshtit' };
const address = 'mara.quist@secrets.example';
const key = `sk-${'proj-Ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8'}`;
const secrets = [address, key, '4111 1111 1111 1111', 'tr0ub4dor'];
const tell = (word: string) =>
  `Write a python function about the ${word}: ${address}, ${key}, card 4111 1111 1111 1111, password = tr0ub4dor`;
const chunk = (content: string) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta: { content }, finish_reason: null }] })}\n\n`;

let provider: ScriptedProvider;
let gateway: TestGateway;
const people = new Map<string, Principal & { apiKey: string }>();

beforeAll(async () => {
  provider = await startScriptedProvider();
  const text = tell(words.answer);
  const message = { role: 'assistant', content: text };
  const choices = [{ index: 0, message, finish_reason: 'stop' }];
  const completion = { id: 'c', object: 'chat.completion', created: 1, model: 'm', choices };
  const usage = { prompt_tokens: 20, completion_tokens: 30, total_tokens: 50 };
  provider.scripts.set('whole', answerWith(200, JSON.stringify({ ...completion, usage })));
  provider.scripts.set('stream', answerStream(`${chunk(text)}data: [DONE]\n\n`));
  provider.scripts.set('broken', answerStream(chunk(text)));
  const error = { error: { message: `Cannot read ${words.failure}: ${tell(words.prompt)}` } };
  provider.scripts.set('failing', answerWith(400, JSON.stringify(error)));
  gateway = await startGateway({
    async seed(seed) {
      for (const mode of promptPrivacyModes) {
        const tenantId = await seed.addTenant(mode);
        await seed.pool.query('UPDATE tenants SET prompt_privacy = $1 WHERE id = $2', [mode, tenantId]);
        const models = ['whole', 'stream', 'broken', 'failing'];
        await seed.addInstance({ name: mode, models, endpoint: `${provider.origin}/v1`, tenantId });
        people.set(mode, await seed.addPerson({ name: mode, tenantId }));
      }
    },
  });
}, 60_000);
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});

async function send(mode: string, path: string, body: object) {
  const answer = await fetch(`${gateway.origin}/api/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${people.get(mode)?.apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  await answer.text().catch(() => undefined);
  return gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
}

const messages = [
  { role: 'system', content: tell(words.prompt) },
  { role: 'user', content: tell(words.prompt) },
];

async function sendAll(mode: string) {
  const rows = [
    await send(mode, 'chat/completions', { model: 'whole', messages }),
    await send(mode, 'chat/completions', { model: 'stream', stream: true, messages }),
    await send(mode, 'chat/completions', { model: 'broken', stream: true, messages }),
    await send(mode, 'chat/completions', { model: 'failing', messages }),
    await send(mode, 'chat/completions', { model: 'nobody', messages }),
    await send(mode, 'messages', { model: 'whole', max_tokens: 99, messages: messages.slice(1) }),
    await send(mode, 'responses', { model: 'whole', input: tell(words.prompt) }),
    await send(mode, 'embeddings', { model: 'stream', input: [tell(words.prompt)] }),
  ];
  return rows;
}

async function findTables(text: string, tenantId: number): Promise<string[]> {
  const { rows: tables } = await gateway.pool.query<{ name: string; scoped: boolean }>(
    `SELECT table_name AS name, EXISTS (SELECT FROM information_schema.columns c
       WHERE c.table_name = t.table_name AND c.column_name = 'tenant_id') AS scoped
     FROM information_schema.tables t WHERE table_schema = 'public' AND table_type = 'BASE TABLE'
       AND table_name !~ '_([0-9]{8}|default)$'`,
  );
  const found: string[] = [];
  for (const { name, scoped } of tables) {
    const { rows } = await gateway.pool.query(
      `SELECT FROM ${name} t WHERE t::text LIKE '%' || $1 || '%' ${scoped ? `AND tenant_id = ${tenantId}` : ''} LIMIT 1`,
      [text],
    );
    if (rows.length > 0) found.push(name);
  }
  return found.toSorted();
}

describe('prompt privacy', () => {
  it.each(promptPrivacyModes)('prompt privacy applies to every stored text: %s', async (mode) => {
    const rows = await sendAll(mode);
    const { tenantId = 0 } = people.get(mode) ?? {};
    const bodies = rows.map((row) => row.request_body ?? '').join();
    const kept = async (text: string) =>
      (await findTables(text, tenantId)).length > 0 || bodies.includes(text);
    for (const secret of secrets) expect([secret, await kept(secret)]).toEqual([secret, mode === 'full']);
    for (const word of Object.values(words))
      expect([word, await kept(word)]).toEqual([word, mode !== 'metadata']);
    expect(await kept('[card]')).toBe(mode === 'redacted');
    const judged = rows.filter(({ model }) => model === 'whole');
    expect(judged).toHaveLength(3);
    for (const row of judged) expect(row.intent_classification).toBe('coding');
    expect(rows.map(({ status }) => status)).toContain('error');
  });

  it('prompt privacy is stored with each row, which has no texts in the mode metadata', async () => {
    for (const mode of promptPrivacyModes) {
      const row = await send(mode, 'chat/completions', { model: 'failing', messages });
      const { rows } = await gateway.pool.query(
        `SELECT b.prompt_privacy, l.error_message IS NULL AND b.prompt IS NULL AND b.response IS NULL
           AND b.request_body_zstd IS NULL AS is_empty, l.error_code, b.request_bytes > 0 AS is_measured
         FROM request_logs l JOIN request_log_bodies b USING (id) WHERE id = $1`,
        [row.id],
      );
      expect(rows).toEqual([
        {
          prompt_privacy: mode,
          is_empty: mode === 'metadata',
          error_code: expect.any(String),
          is_measured: true,
        },
      ]);
    }
  });

  it('prompt privacy applies to new requests after a change', async () => {
    const { tenantId = 0 } = people.get('full') ?? {};
    await gateway.pool.query("UPDATE tenants SET prompt_privacy = 'metadata' WHERE id = $1", [tenantId]);
    await expect
      .poll(async () => {
        const { id } = await send('full', 'chat/completions', { model: 'whole', messages });
        const { rows } = await gateway.pool.query('SELECT prompt FROM request_log_bodies WHERE id = $1', [
          id,
        ]);
        return rows[0]?.prompt;
      })
      .toBeNull();
  });
});
