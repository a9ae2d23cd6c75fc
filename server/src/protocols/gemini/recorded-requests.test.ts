import { describe, expect, it } from 'vitest';
import type { WireCase } from '#test/requests/wire-cases.ts';
import type { CanonicalRequest, CompletionRequest } from '../canonical/request.ts';
import type { Protocol } from '../protocol.ts';
import { protocols } from '../registry.ts';
import { parseRequest } from './read-request.ts';
import { encodeRequest } from './request-encoder.ts';
import { readGeminiCases } from './testing/cases.ts';

const requests = readGeminiCases().filter(({ request }) => request?.body);

const modelOf = (path: string) => /models\/([^:]+):/.exec(path)?.[1] ?? '';

function parse({ request }: Pick<WireCase, 'request'>): { bytes: Buffer; request: CompletionRequest } {
  const bytes = Buffer.from(JSON.stringify(request?.body));
  const path = request?.path ?? '';
  const parsed = parseRequest(bytes, {
    model: modelOf(path),
    isStream: path.includes(':streamGenerateContent'),
  });
  if (!parsed.ok) throw new Error(`${parsed.problem.param}: ${parsed.problem.message}`);
  return { bytes, request: parsed.request };
}

const target = { isStream: false, defaultOutputTokensMax: 4096, isReasoningModel: false };

const refusals = /\.fileData$/;
const hosted = ['codeExecution', 'googleSearch', 'google_search', 'fileSearch', 'urlContext', 'googleMaps'];
const knownExtensions = [
  ...['safetySettings', 'labels', 'modelArmorConfig', 'toolConfig.includeServerSideToolInvocations'],
  ...hosted.map((name) => `tools.${name}`),
];

describe('recorded requests', () => {
  it.each(requests)('recorded request $name is passed through unchanged', (item) => {
    const { bytes, request } = parse(item);
    expect(request.encodeFor(request.model)).toBe(bytes);
    expect(request.model).toBe(modelOf(item.request?.path ?? ''));
    expect(request.isStream).toBe(item.endpoint === 'streamGenerateContent');
  });

  it.each(requests)('the prompt of the recorded request $name is one of its texts or null', (item) => {
    const texts = JSON.stringify(item.request?.body).match(/"text":"(?:[^"\\]|\\.)*[^"]"/g) ?? [];
    const { prompt } = parse(item).request;
    expect(
      prompt === null ||
        texts.some((text) => text.includes(JSON.stringify(prompt.split('\n')[0]).slice(1, -1))),
    ).toBe(true);
  });

  it.each(requests)(
    'recorded request $name is equivalent after decoding and encoding for a third-generation model, or rejected because of a file',
    (item) => {
      const translated = parse(item).request.toCanonical();
      if (!translated.ok) {
        expect(translated.problem.param).toMatch(refusals);
        return;
      }
      const { extensions, ...meaning } = translated.request;
      expect(extensions.filter((name) => !knownExtensions.includes(name))).toEqual([]);
      const encoded = encodeRequest(translated.request, { ...target, model: 'gemini-3-flash' });
      if (!encoded.ok) {
        expect(encoded.problem.message).toContain('does not accept image URLs');
        return;
      }
      const again = parse({ request: { path: '/models/m:x', body: encoded.body } }).request.toCanonical();
      if (!again.ok) throw new Error(again.problem.message);
      expect(settle(again.request)).toEqual(settle({ ...meaning, extensions: [] }));
    },
  );

  const others = Object.values<Protocol>(protocols).filter(({ id }) => id !== 'gemini');
  const pairs = others.flatMap((other) =>
    requests.map((item) => ({ id: other.id, name: item.name, other, item })),
  );

  it.each(pairs)(
    'recorded request $name is encoded for a provider of $id or rejected with a reason',
    ({ other, item }) => {
      const translated = parse(item).request.toCanonical();
      if (!translated.ok) return;
      const encoded = other.provider.encodeRequest(translated.request, {
        ...target,
        model: 'claude-opus-4-8',
      });
      if (!encoded.ok) {
        expect(encoded.problem.message).toMatch(
          /file|URL|audio|sound|stop sequences|documents as text|either tools/,
        );
        return;
      }
      const texts = translated.request.messages.flatMap(({ parts }) =>
        parts.flatMap((part) => (part.type === 'text' ? [part.text.trim()] : [])),
      );
      const sent = JSON.stringify(encoded.body);
      for (const text of texts) expect(sent).toContain(JSON.stringify(text).slice(1, -1));
    },
  );
});

/**
 * Removes what a round trip does not preserve: a count of 1, tools with empty schemas, placeholder user turns, the type
 * of Google files, disabled thinking, which these models do not support, and an amount of thinking that the output cap limits.
 */
function settle({ count, tools, messages, reasoning, ...request }: CanonicalRequest): object {
  const isPlaceholder = (text: string) => text.includes('"text":"…"');
  return {
    ...request,
    ...(count !== undefined && count > 1 && { count }),
    ...(request.outputTokensMax === undefined && {
      reasoning: reasoning?.effort === 'none' ? { effort: 'minimal' } : reasoning,
    }),
    messages: messages
      .map((message) => JSON.stringify(message, (_, value) => (isFile(value) ? value.source : value)))
      .filter((text) => !isPlaceholder(text)),
    tools: tools.map(({ name, description, parameters }) => ({
      name,
      description,
      parameters: { ...parameters, additionalProperties: undefined, required: parameters.required ?? [] },
    })),
  };
}

function isFile(value: unknown): value is { readonly source: object } {
  if (typeof value !== 'object' || value === null || !('source' in value)) return false;
  return JSON.stringify(value.source).startsWith('{"kind":"file"');
}
