import { afterAll, beforeAll, expect, it } from 'vitest';
import { startGateway, type TestGateway } from '#test/console/gateway.ts';
import { sample } from '#test/load/sample.ts';

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({
    seed: (seed) => seed.addInstance({ name: 'Main', models: ['sandbox-normal'] }),
  });
});
afterAll(() => gateway.stop());

const promptBytes = 9.9 * 1024 * 1024;
/** Each filler is repeated until the repetition matches a pattern of the classifier. */
const fillers = [
  ...[
    'y',
    ' ',
    '\\n',
    '-',
    '.',
    '0',
    '/',
    '%41',
    '=41',
    '{',
    '[',
    '`',
    '+Aa-',
    '41 ',
    '1,',
    'QUJD',
    'A.',
    '. ',
    '|',
  ],
  ...[
    '一',
    'é',
    '🙂',
    '\\u200b',
    '\\u0000',
    'a b ',
    'not ',
    '<p>',
    '<!--',
    "'",
    '\\\\',
    '01',
    '#',
    '⠁',
    'ＡＢ',
  ],
];
const callers = {
  '/api/v1/chat/completions': (text: string) => ({ messages: [{ role: 'user', content: text }] }),
  '/api/v1/responses': (text: string) => ({ input: text }),
  '/api/v1/messages': (text: string) => ({ max_tokens: 10, messages: [{ role: 'user', content: text }] }),
  '/api/v1beta/models/sandbox-normal:generateContent': (text: string) => ({
    contents: [{ role: 'user', parts: [{ text }] }],
  }),
  '/api/v1/embeddings': (text: string) => ({ input: text }),
};
const paths = Object.keys(callers) as (keyof typeof callers)[];

it.each(
  sample(fillers, 4).map((filler, index) => [filler, paths[index % paths.length] ?? paths[0]!] as const),
)(
  'a prompt of 10 MB of %j gets a response or is rejected at %s, without an internal error',
  async (filler, path) => {
    const unit = JSON.parse(`"${filler}"`) as string;
    const text = unit.repeat(Math.floor(promptBytes / Buffer.byteLength(filler)));
    const model = path.includes('v1beta') ? {} : { model: 'sandbox-normal' };
    const response = await fetch(`${gateway.origin}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ ...model, ...callers[path](text) }),
    });
    const answer = await response.text();
    expect(response.status, answer.slice(0, 300)).toBeLessThan(500);
    expect(gateway.problems).toEqual([]);
  },
);
