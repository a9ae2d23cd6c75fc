import { describe, expect, it } from 'vitest';
import { parseRequest } from './read-request.ts';

const read = (body: object) => {
  const parsed = parseRequest(
    Buffer.from(JSON.stringify({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body })),
  );
  if (!parsed.ok) throw new Error(parsed.problem.message);
  return parsed.request;
};
const user = (content: unknown) => ({ role: 'user', content });

describe('readRequest', () => {
  it('readRequest sets isStream only if the request sets stream to true', () => {
    expect(
      [{}, { stream: null }, { stream: false }, { stream: true }].map((body) => read(body).isStream),
    ).toEqual([false, false, false, true]);
  });

  it('readRequest sets wantsUsage only if the request sets include_usage to true', () => {
    const options = [
      undefined,
      null,
      {},
      { include_usage: null },
      { include_usage: false },
      { include_usage: true },
    ];
    expect(options.map((stream_options) => read({ stream: true, stream_options }).wantsUsage)).toEqual([
      ...[false, false, false, false, false],
      true,
    ]);
  });

  it.each<[form: string, body: object, taskId: number | null]>([
    ['a number', { task_id: 7 }, 7],
    ['a text', { task_id: '7' }, 7],
    ['metadata', { metadata: { task_id: '7' } }, 7],
    ['both, preferring its own field', { task_id: 7, metadata: { task_id: 8 } }, 7],
    ['metadata if the field is null', { task_id: null, metadata: { task_id: 8 } }, 8],
    ['nothing', {}, null],
  ])('readRequest reads the task from %s', (_, body, taskId) => {
    expect(read(body).taskId).toBe(taskId);
  });

  it.each<[name: string, messages: object[], prompt: string | null]>([
    ['the last turn of a human', [user('a'), { role: 'assistant', content: 'b' }, user('c')], 'c'],
    [
      'the human turn before tool results and assistant messages',
      [user('a'), { role: 'tool', content: 'b' }, { role: 'assistant', content: 'c' }],
      'a',
    ],
    [
      'the texts of its parts',
      [
        user([
          { type: 'text', text: 'a' },
          { type: 'image_url', image_url: {} },
          { type: 'text', text: 'b' },
        ]),
      ],
      'a\nb',
    ],
    ['a turn without text as empty', [user([{ type: 'image_url', image_url: {} }])], null],
    ['messages without a human turn as empty', [{ role: 'system', content: 'a' }], null],
  ])('readRequest reads the prompt from %s', (_, messages, prompt) => {
    expect(read({ messages }).prompt).toBe(prompt);
  });

  it('encodeFor writes several models one after the other, each into the original bytes', () => {
    const request = read({ model: 'alias', task_id: 1 });
    const sent = (model: string) => `{"model":"${model}","messages":[{"role":"user","content":"Hi"}]}`;
    expect(['a', 'b', 'alias'].map((model) => request.encodeFor(model).toString())).toEqual(
      ['a', 'b', 'alias'].map(sent),
    );
  });

  it.each<[what: string, given: object, sent: object, told?: number]>([
    ['in the field it came in', { max_tokens: 900 }, { max_tokens: 5 }, 900],
    ['in the newer field', { max_completion_tokens: 900 }, { max_completion_tokens: 5 }, 900],
    [
      'in both fields if the caller set both',
      { max_tokens: 900, max_completion_tokens: 800 },
      { max_tokens: 5, max_completion_tokens: 5 },
      800,
    ],
    ['in the older field if the caller set none', {}, { max_tokens: 5 }],
  ])("readRequest writes the gateway's cap %s", (_, given, sent, told) => {
    const request = read(given);
    expect(request.output.tokensMax).toBe(told ?? null);
    const capped = JSON.parse(request.encodeFor('m', undefined, { tokens: 5 }).toString());
    expect(capped).toEqual({ model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...sent });
  });

  it.each(['minimal', 'openai', null, undefined])('readRequest accepts the response format %s', (format) => {
    expect(read({ format }).isMinimal).toBe(format === 'minimal');
  });
});
