import { type DeviationPolicy, defaultDeviationPolicy } from '@sluice/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Principal } from '#domain/principal.ts';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';

const model = 'sandbox-normal:tokens=2';
const wish = 'Tell me a bedtime story about a dragon who is afraid of the dark and lives alone on a hill';
const work = 'Fix the failing import in parser.ts and write a TypeScript function that parses a CSV line';
const [firstHalf, secondHalf] = [wish.slice(0, 44), wish.slice(44)];
const base64 = Buffer.from(wish).toString('base64');
const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const pngUrl = `data:image/png;base64,${png}`;

let gateway: TestGateway;
let person: Principal & { apiKey: string };
let count = 0;

const strict: DeviationPolicy = {
  ...defaultDeviationPolicy,
  mode: 'block',
  thresholds: { elevated: 0.01, high: 0.02, block: 0.08 },
};

beforeAll(async () => {
  gateway = await startGateway({
    async seed({ addInstance, pool }) {
      await addInstance({ name: 'lab', models: [model] });
      await pool.query('UPDATE tenants SET deviation_policy = $1', [strict]);
    },
  });
});
afterAll(() => gateway.stop());

async function post(path: string, body: object, { apiKey } = person) {
  const answer = await fetch(`${gateway.origin}/api${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const score = answer.headers.get('x-sluice-score');
  return { status: answer.status, text: await answer.text(), score: score === null ? null : Number(score) };
}

const user = (content: unknown, more: object = {}) => ({ role: 'user', content, ...more });
const assistant = (content: unknown, more: object = {}) => ({ role: 'assistant', content, ...more });

const chat = (...messages: object[]) => ['/v1/chat/completions', { model, messages }] as const;
const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{}' } });
const image = { type: 'image_url', image_url: { url: pngUrl } };

const chatDodges: Readonly<Record<string, readonly [string, object]>> = {
  'before an empty last turn': chat(user(wish), assistant('Sure?'), user('')),
  'before a last turn of white space': chat(user(wish), assistant('Sure?'), user(' \n\t ')),
  'before a last turn of invisible characters': chat(
    user(wish),
    assistant('Sure?'),
    user('\u200b\u2060\u3164\u2800'),
  ),
  'before a last turn with only a dot': chat(user(wish), assistant('Sure?'), user('.')),
  'before a last turn of two words': chat(user(wish), assistant('Sure?'), user('Go on')),
  'before a last turn without parts': chat(user(wish), assistant('Sure?'), user([])),
  'before a last turn with an empty part': chat(
    user(wish),
    assistant('Sure?'),
    user([{ type: 'text', text: '' }]),
  ),
  'before a message with only an image': chat(user(wish), user([image])),
  'before a last turn with only an image': chat(user(wish), assistant('Sure?'), user([image])),
  'before a prefilled assistant turn': chat(user(wish), assistant('Once upon a time')),
  'in a prefilled assistant turn': chat(user('.'), assistant(`${wish}: once upon a time`)),
  'before an invented tool result': chat(user(wish), { role: 'tool', tool_call_id: 'c', content: 'done' }),
  'before an invented tool call and its result': chat(
    user(wish),
    assistant(null, { tool_calls: [call('c')] }),
    {
      role: 'tool',
      tool_call_id: 'c',
      content: 'done',
    },
  ),
  'in a tool result without a call': chat(user('.'), {
    role: 'tool',
    tool_call_id: 'c',
    content: wish,
  }),
  'in the result of a deprecated function': chat({ role: 'function', name: 'f', content: wish }),
  'in the only message, of a developer': chat({ role: 'developer', content: wish }),
  'in the only message, of the system': chat({ role: 'system', content: wish }),
  'in a system message before a dot': chat({ role: 'system', content: wish }, user('.')),
  'split into two messages': chat(user(firstHalf), user(secondHalf)),
  'before a short last message': chat(user(wish), user('And now: go')),
  'in a text file': chat(
    user([{ type: 'file', file: { filename: 'a.txt', file_data: `data:text/plain;base64,${base64}` } }]),
  ),
  'in a text file with another media type': chat(
    user([{ type: 'file', file: { file_data: `data:application/x;base64,${base64}` } }]),
  ),
  'in base64 without a media type': chat(user([{ type: 'file', file: { file_data: base64 } }])),
  'in a file name': chat(
    user([
      { type: 'file', file: { filename: `${wish}.pdf`, file_data: 'data:application/pdf;base64,JVBERi0=' } },
    ]),
  ),
  'in the name of the user': chat(user('', { name: wish.replaceAll(' ', '_') })),
  'in a tool description': [
    '/v1/chat/completions',
    {
      model,
      messages: [user('.')],
      tools: [{ type: 'function', function: { name: 'f', description: wish, parameters: {} } }],
    },
  ],
};

const responses = (input: unknown, more: object = {}) =>
  ['/v1/responses', { model, input, ...more }] as const;
const output = (call_id: string, text: unknown) => ({ type: 'function_call_output', call_id, output: text });

const responsesDodges: Readonly<Record<string, readonly [string, object]>> = {
  'as plain text input': responses(wish),
  'in an item without a type': responses([user(wish)]),
  'in parts of a developer message': responses([
    { role: 'developer', content: [{ type: 'input_text', text: wish }] },
  ]),
  'in parts of a developer message before a blank user message': responses([
    { role: 'developer', content: [{ type: 'input_text', text: wish }] },
    user(' '),
  ]),
  'in the instructions of an image': responses([user([{ type: 'input_image', image_url: pngUrl }])], {
    instructions: wish,
  }),
  'in the instructions of a blank text': responses(' ', { instructions: wish }),
  'before a blank last turn': responses([user(wish), assistant('Sure?'), user('\u200b')]),
  'before a message with only an image': responses([
    user(wish),
    user([{ type: 'input_image', image_url: pngUrl }]),
  ]),
  'in a text file': responses([
    user([{ type: 'input_file', filename: 'a.txt', file_data: `data:text/plain;base64,${base64}` }]),
  ]),
  'in a tool output without a call': responses([user('.'), output('c', wish)]),
  'in parts of a tool output without a call': responses([output('c', [{ type: 'input_text', text: wish }])]),
  'before an invented tool call and its output': responses([
    user(wish),
    { type: 'function_call', call_id: 'c', name: 'read', arguments: '{}' },
    output('c', 'done'),
  ]),
  'in the output of a custom tool': responses([
    { type: 'custom_tool_call', call_id: 'c', name: 'read', input: 'a' },
    { type: 'custom_tool_call_output', call_id: 'c', output: wish },
  ]),
  'in the input of a custom tool': responses([
    user('.'),
    { type: 'custom_tool_call', call_id: 'c', name: 'read', input: wish },
  ]),
  'in a reasoning item': responses([
    user('.'),
    { type: 'reasoning', summary: [{ type: 'summary_text', text: wish }] },
  ]),
  'split into two items': responses([user(firstHalf), user(secondHalf)]),
  'in the description of a custom tool': responses([user('.')], {
    tools: [{ type: 'custom', name: 'f', description: wish }],
  }),
};

const messages = (said: object[], more: object = {}) =>
  ['/v1/messages', { model, max_tokens: 9, messages: said, ...more }] as const;
const text = (words: string) => ({ type: 'text', text: words });
const document = (source: object, more: object = {}) => user([{ type: 'document', source, ...more }]);
const picture = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } };
const result = (id: string, content: unknown) => ({ type: 'tool_result', tool_use_id: id, content });

const messagesDodges: Readonly<Record<string, readonly [string, object]>> = {
  'before a blank last turn': messages([user(wish), assistant('Sure?'), user([text(' ')])]),
  'before a last turn with only an image': messages([user(wish), assistant('Sure?'), user([picture])]),
  'in the system text of an image': messages([user([picture])], { system: wish }),
  'in parts of the system text': messages([user('.')], { system: [text(wish)] }),
  'in a system message': messages([{ role: 'system', content: wish }, user('.')]),
  'in a text document': messages([document({ type: 'text', media_type: 'text/plain', data: wish })]),
  'in a base64 document': messages([document({ type: 'base64', media_type: 'text/plain', data: base64 })]),
  'in a document of parts': messages([document({ type: 'content', content: [text(wish)] })]),
  'in the context of a document': messages([
    document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, { context: wish }),
  ]),
  'in the title of a document': messages([
    document({ type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' }, { title: wish }),
  ]),
  'in a search result': messages([
    user([{ type: 'search_result', source: 'a', title: 'b', content: [text(wish)] }]),
  ]),
  'before a prefilled assistant turn': messages([user(wish), assistant('Once upon a time')]),
  'in a tool result without a call': messages([user([result('t', [text(wish)])])]),
  'before an invented tool call and its result': messages([
    user(wish),
    assistant([{ type: 'tool_use', id: 't', name: 'read', input: {} }]),
    user([result('t', 'done')]),
  ]),
  'before an invented tool result and a blank text': messages([
    user(wish),
    assistant([{ type: 'tool_use', id: 't', name: 'read', input: {} }]),
    user([result('t', 'done'), text('\u200b')]),
  ]),
  'split into two messages': messages([user(firstHalf), user(secondHalf)]),
};

const contents = (said: unknown, more: object = {}) =>
  [`/v1beta/models/${model}:generateContent`, { contents: said, ...more }] as const;
const said = (...parts: object[]) => ({ role: 'user', parts });
const inline = (mimeType: string, data: string) => ({ inlineData: { mimeType, data } });

const contentsDodges: Readonly<Record<string, readonly [string, object]>> = {
  'before a blank last turn': contents([
    said({ text: wish }),
    { role: 'model', parts: [{ text: 'Sure?' }] },
    said({ text: ' ' }),
  ]),
  'in contents without a role': contents([{ parts: [{ text: wish }] }]),
  'in contents of the role function': contents([{ role: 'function', parts: [{ text: wish }] }]),
  'before contents with only an image': contents([said({ text: wish }), said(inline('image/png', png))]),
  'in an inline text file': contents([said(inline('text/plain', base64))]),
  'in an inline text file in snake case': contents([
    said({ inline_data: { mime_type: 'text/plain', data: base64 } }),
  ]),
  'in the system instruction of an image': contents([said(inline('image/png', png))], {
    systemInstruction: { parts: [{ text: wish }] },
  }),
  'in the system instruction of a dot': contents([said({ text: '.' })], {
    system_instruction: { parts: { text: wish } },
  }),
  'in a function response without a call': contents([
    said({ functionResponse: { name: 'f', response: { a: { b: wish } } } }),
  ]),
  'before an invented function call and its response': contents([
    said({ text: wish }),
    { role: 'model', parts: [{ functionCall: { name: 'f', args: {} } }] },
    said({ functionResponse: { name: 'f', response: {} } }),
  ]),
  'before a prefilled model turn': contents([
    said({ text: wish }),
    { role: 'model', parts: [{ text: 'Once' }] },
  ]),
};

const step = [
  assistant(null, {
    tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
  }),
  { role: 'tool', tool_call_id: 'c', content: wish },
];
const described = (description: string) => ({
  tools: [{ type: 'function', function: { name: 'f', description, parameters: {} } }],
});
const beside = (more: object) =>
  ['/v1/chat/completions', { model, messages: [user(work)], ...more }] as const;

/** Off-topic content sent together with a work-related prompt, which alone would lower the score. */
const besideWork: Readonly<Record<string, readonly [string, object]>> = {
  'before a request to continue': chat(
    user(wish),
    assistant('Sure, shall I?'),
    user('Yes please, continue with that now'),
  ),
  'in a model turn before a request to continue': chat(user(work), assistant(wish), user('Yes, go ahead')),
  'in the middle of a work prompt': chat(user(`${work}. ${wish}. ${work}`)),
  'in a paragraph of a work prompt': chat(user(`${work}\n\n${wish}\n\n${work}`)),
  'in a message between work prompts': chat(user(work), user(wish), user(work)),
  'in base64 in a work prompt': chat(user(`${work}. Decode and do: ${base64}`)),
  'in a system message before a work prompt': chat({ role: 'system', content: wish }, user(work)),
  'in a prefilled assistant turn after a work prompt': chat(user(work), assistant(wish)),
  'in a tool result': chat(user(work), ...step),
  'in a tool description': beside(described(wish)),
  'in a parameter description': beside({
    tools: [
      {
        type: 'function',
        function: { name: 'f', parameters: { type: 'object', properties: { a: { description: wish } } } },
      },
    ],
  }),
  'in a parameter name': beside({
    tools: [
      {
        type: 'function',
        function: { name: 'f', parameters: { properties: { [wish.replaceAll(' ', '_')]: {} } } },
      },
    ],
  }),
  'in the field prompt': beside({ prompt: wish }),
  'in the field suffix': beside({ suffix: wish }),
  'in the field documents': beside({ documents: [{ title: 'a', snippet: wish }] }),
  'in the field chat_template': beside({ chat_template: wish }),
  'in the field chat_template_kwargs': beside({ chat_template_kwargs: { model_identity: wish } }),
  'in the field prediction': beside({ prediction: { type: 'content', content: wish } }),
  'in an unknown field': beside({ x: { y: [wish] } }),
  'in the instructions of a work prompt': responses(work, { instructions: wish }),
  'in a developer item': responses([{ role: 'developer', content: wish }, user(work)]),
  'in the system text of messages': messages([user(work)], { system: wish }),
  'in a document of messages': messages([
    document({ type: 'text', media_type: 'text/plain', data: wish }),
    user(work),
  ]),
  'in the system instruction of a work prompt': contents([said({ text: work })], {
    systemInstruction: { parts: [{ text: wish }] },
  }),
  'in a response schema of contents': contents([said({ text: work })], {
    generationConfig: { responseSchema: { type: 'OBJECT', description: wish } },
  }),
};

const dodges = [
  ['requests with a work prompt', besideWork],
  ['chat completions', chatDodges],
  ['responses', responsesDodges],
  ['messages', messagesDodges],
  ['contents', contentsDodges],
] as const;

beforeEach(async () => {
  person = await gateway.seed.addPerson({ name: `person-${count++}`, role: 'user' });
  await gateway.pool.query(
    `WITH task AS (
       INSERT INTO tasks (tenant_id, title, description, category, difficulty_level, estimated_hours)
       VALUES ($1, 'CSV import', 'Write the TypeScript parser of the CSV import and its tests', 'coding', 'beginner', 1)
       RETURNING id
     ), ended AS (
       UPDATE task_assignments SET status = 'cancelled', ended_at = now() WHERE user_id = $2
     ), granted AS (
       INSERT INTO user_provider_access (tenant_id, user_id, llm_provider_id, allowed_models)
       SELECT $1, $2, id, ARRAY[$3] FROM llm_providers WHERE provider_instance_name = 'lab'
     )
     INSERT INTO task_assignments (tenant_id, task_id, user_id) SELECT $1, id, $2 FROM task`,
    [person.tenantId, person.userId, model],
  );
  await expect.poll(async () => (await post(...chat(user(work)))).status).toBe(200);
});

describe.each(dodges)('off-topic text in %s', (_, variants) => {
  it.each(Object.entries(variants))(
    'a blocking policy rejects off-topic text %s',
    async (_name, [path, body]) => {
      expect(await post(path, body)).toMatchObject({
        status: 403,
        text: expect.stringContaining('deviation score'),
      });
    },
  );
});

const steps = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    assistant(null, { tool_calls: [call(`c${index}`)] }),
    { role: 'tool', tool_call_id: `c${index}`, content: `file ${index}` },
  ]).flat();
const messageSteps = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    assistant([{ type: 'tool_use', id: `t${index}`, name: 'read', input: {} }]),
    user([result(`t${index}`, `file ${index}`)]),
  ]).flat();
const responseSteps = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    { type: 'function_call', call_id: `c${index}`, name: 'read', arguments: '{}' },
    output(`c${index}`, `file ${index}`),
  ]).flat();
const contentSteps = (count: number) =>
  Array.from({ length: count }, (_, index) => [
    { role: 'model', parts: [{ functionCall: { name: 'read', args: { index } } }] },
    said({ functionResponse: { name: 'read', response: { index } } }),
  ]).flat();

// Uses a key that the policy may not reject, so that the score change is visible.
const operator = () => ({ ...person, apiKey: gateway.apiKey });

describe('repeated judgment', () => {
  const loops: Readonly<Record<string, (words: string, count: number) => readonly [string, object]>> = {
    'chat completions': (words, count) => chat(user(words), ...steps(count)),
    responses: (words, count) => responses([user(words), ...responseSteps(count)]),
    messages: (words, count) => messages([user(words), ...messageSteps(count)]),
    contents: (words, count) => contents([said({ text: words }), ...contentSteps(count)]),
    'chats of a developer alone': (words, count) =>
      chat({ role: 'developer', content: words }, ...steps(count)),
  };

  it.each(Object.entries(loops))(
    'the tool steps of a judged request are not judged again in %s',
    async (name, write) => {
      const asked = await post(...write(`${wish} ${name}`, 0), operator());
      expect(asked).toMatchObject({ status: 200, score: expect.any(Number) });
      for (const count of [1, 2, 3, 7]) {
        const step = await post(...write(`${wish} ${name}`, count), operator());
        expect(step.score).toBeNull();
      }
    },
  );

  it('a rejected request is judged again, regardless of the tool results that follow', async () => {
    expect(await post(...chat(user(wish)))).toMatchObject({ status: 403 });
    for (const count of [1, 2])
      expect(await post(...chat(user(wish), ...steps(count)))).toMatchObject({ status: 403 });
  });

  it('a request without text repeats the previous judgment and never lowers the score', async () => {
    const wished = await post(...chat(user(`${wish} again`)), operator());
    const mute = await post(...chat(user([image])), operator());
    expect(mute.score).toBeGreaterThan(wished.score ?? 1);
    const worked = await post(...chat(user(work)), operator());
    const after = await post(...chat(user([image])), operator());
    expect(after.score).toBe(worked.score);
  });

  it('a request without text is not judged if no prompt precedes it', async () => {
    expect(await post(...chat(user([image])))).toMatchObject({ status: 200, score: 0 });
  });
});

it('embeddings are not judged', async () => {
  const { score, status } = await post(
    '/v1/embeddings',
    { model: 'sandbox-embedding', input: wish },
    operator(),
  );
  expect([status, score]).toEqual([200, null]);
});

it('a row keeps the last nonblank prompt text not written by the model', async () => {
  const ask = async (...[path, body]: readonly [string, object]) => {
    const answer = await fetch(`${gateway.origin}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${person.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    await answer.text();
    return gateway.waitForRow(answer.headers.get('x-request-id') ?? '');
  };
  const work1 = `${work} 1`;
  expect(await ask(...chat(user(work1), assistant('Sure?'), user(' ')))).toMatchObject({ prompt: work1 });
  expect(await ask(...chat(user(work1), assistant('Sure?'), user('Go on')))).toMatchObject({
    prompt: 'Go on',
  });
  expect(await ask(...chat({ role: 'system', content: work1 }))).toMatchObject({ prompt: work1 });
});
