import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tokensWithin } from '../journal.ts';
import { type Sandbox, startSandbox } from '../start.ts';
import { readBroken } from '../testing/raw-chat.ts';
import { postJson } from '../testing/raw-http.ts';
import { type Payload, speakers } from '../testing/speakers.ts';

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

describe.each(speakers)(
  '$protocol $variant',
  ({ protocol, headers, path, body, split, textOf, ...speaker }) => {
    let asked = 0;

    /** Sends a request with a unique request id, which identifies the journal entry. */
    async function ask(model: string, isStream: boolean, extraHeaders: Record<string, string> = {}) {
      const requestId = `${protocol}-${speaker.variant}-${++asked}`;
      const response = await postJson(sandbox.origin + path(model, isStream), body(model, isStream), {
        ...headers,
        ...extraHeaders,
        'x-client-request-id': requestId,
      });
      const entry = () => sandbox.journal.waitFor((candidate) => candidate.requestId === requestId);
      return { response, entry };
    }

    const payloadsOf = (text: string): Payload[] =>
      split(text).flatMap((data) => (isJson(data) ? [JSON.parse(data)] : []));
    const textsOf = (text: string) => payloadsOf(text).map(textOf).filter(Boolean);

    test('sandbox-normal streams the content of its complete response, with one token per frame and an end mark', async () => {
      const { response, entry } = await ask('sandbox-normal', true);
      const text = await response.text();
      expect(textsOf(text)).toHaveLength(40);
      expect(text).toMatch(speaker.end);
      const whole = await (await ask('sandbox-normal', false)).response.text();
      expect(whole).toContain(JSON.stringify(textsOf(text).join('')));
      const { frames, bodyBytes, ...billed } = await entry();
      expect(billed).toMatchObject({
        protocol,
        stream: true,
        outcome: 'completed',
        promptTokens: 2,
        completionTokens: 40,
      });
      expect(bodyBytes).toBe(Buffer.byteLength(text));
      expect(frames.reduce((sum, { count }) => sum + count, 0)).toBe(split(text).length);
    });

    test.each([false, true])(
      'sandbox-scripted returns the answer in the header, streamed: %s',
      async (isStream) => {
        const script = async (answer: object) => {
          const extra = { 'x-sandbox-answer': JSON.stringify(answer) };
          return (await ask('sandbox-scripted', isStream, extra)).response.text();
        };
        const said = await script({ text: 'Three herons' });
        expect(isStream ? textsOf(said).join('') : said).toContain('Three herons');
        const called = await script({ call: { name: 'count_herons', arguments: { lake: 'Sempach' } } });
        expect(called).toContain('count_herons');
        expect(called).toContain('Sempach');
      },
    );

    test('sandbox-reset breaks a stream after whole tokens, and a body in its middle', async () => {
      const streamed = await ask('sandbox-reset:fault_after=3', true);
      const { text, isWhole } = await readBroken(streamed.response);
      expect(isWhole).toBe(false);
      expect(textsOf(`${text}\n\n`)).toHaveLength(3);
      expect(await streamed.entry()).toMatchObject({ outcome: 'reset', completionTokens: 3 });
      const whole = await ask('sandbox-reset', false);
      expect((await readBroken(whole.response)).isWhole).toBe(false);
      expect(await whole.entry()).toMatchObject({ outcome: 'reset', completionTokens: 0 });
    });

    test('sandbox-truncated closes a stream cleanly without the end marker, and cuts a complete response in half', async () => {
      const streamed = await ask('sandbox-truncated', true);
      const text = await streamed.response.text();
      expect(textsOf(text)).toHaveLength(4);
      expect(text).not.toMatch(speaker.end);
      expect(await streamed.entry()).toMatchObject({ outcome: 'truncated', completionTokens: 4 });
      const whole = await ask('sandbox-truncated', false);
      await expect(whole.response.json()).rejects.toThrow(SyntaxError);
      expect(await whole.entry()).toMatchObject({ outcome: 'truncated', completionTokens: 0 });
    });

    test('sandbox-garbage sends invalid JSON inside a stream, or an HTML page instead of a body', async () => {
      const streamed = await ask('sandbox-garbage:fault_after=2', true);
      const text = await streamed.response.text();
      expect(textsOf(text)).toHaveLength(2);
      expect(isJson(split(text).at(-1) ?? '')).toBe(false);
      expect(text).not.toMatch(speaker.end);
      const whole = await ask('sandbox-garbage', false);
      expect(whole.response.status).toBe(200);
      expect(await whole.response.text()).toContain('<html>');
    });

    test('sandbox-stream-error ends a stream with an error in its format, and returns an error body otherwise', async () => {
      const streamed = await ask('sandbox-stream-error:fault_after=2', true);
      const text = await streamed.response.text();
      expect(textsOf(text)).toHaveLength(2);
      expect(payloadsOf(text).at(-1)).toMatchObject(speaker.failureInside);
      expect(text).not.toMatch(speaker.end);
      expect(await streamed.entry()).toMatchObject({ outcome: 'truncated', completionTokens: 2 });
      const whole = await ask('sandbox-stream-error', false);
      expect(whole.response.status).toBe(500);
      expect(await whole.response.json()).toMatchObject(speaker.failure);
    });

    test('sandbox-stall bills a client that leaves the stream only for the tokens that were sent', async () => {
      const leaving = new AbortController();
      const requestId = `${protocol}-${speaker.variant}-stalled`;
      const response = await fetch(sandbox.origin + path('sandbox-stall:fault_after=2', true), {
        method: 'POST',
        body: JSON.stringify(body('sandbox-stall:fault_after=2', true)),
        headers: { ...headers, 'x-client-request-id': requestId },
        signal: leaving.signal,
      });
      let text = '';
      for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
        text += chunk;
        if (textsOf(`${text}\n\n`).length === 2) break;
      }
      leaving.abort();
      const entry = await sandbox.journal.waitFor((candidate) => candidate.requestId === requestId);
      expect(entry).toMatchObject({ outcome: 'client_closed', completionTokens: 2, promptTokens: 2 });
      expect(tokensWithin(entry, split(text).length)).toBe(2);
      expect(entry.bodyBytes).toBe(Buffer.byteLength(text));
    });

    test('sandbox-no-usage reports no usage, unlike other models', async () => {
      const usage = /"(usage|usageMetadata|eval_count)":[^n]/;
      expect(await (await ask('sandbox-normal', false)).response.text()).toMatch(usage);
      for (const isStream of [false, true])
        expect(await (await ask('sandbox-no-usage', isStream)).response.text()).not.toMatch(usage);
    });

    test.each([
      ['sandbox-rate-limited', 429],
      ['sandbox-error-500', 500],
      ['sandbox-overloaded', speaker.overloadedStatus],
      ['sandbox-refuse-key', speaker.refusedKeyStatus],
    ])('%s returns %i, streamed or not, and bills nothing', async (model, status) => {
      for (const isStream of [false, true]) {
        const { response, entry } = await ask(model, isStream);
        expect(response.status).toBe(status);
        expect(response.headers.get('content-type')).toContain('application/json');
        expect(await entry()).toMatchObject({ outcome: 'refused', promptTokens: 0, completionTokens: 0 });
      }
    });
  },
);

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
