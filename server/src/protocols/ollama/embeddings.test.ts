import { describe, expect, it } from 'vitest';
import { readWireCases } from '#test/requests/wire-cases.ts';
import { embeddings } from './embeddings.ts';

const recorded = readWireCases('ollama').filter(({ endpoint }) => endpoint === 'embeddings');

const decode = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));

describe('A8: embeddings request', () => {
  it('embeddings.encodeRequest disables truncation of long texts', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', 'two'] }, 'nomic-embed-text')).toEqual({
      ok: true,
      body: { model: 'nomic-embed-text', input: ['one', 'two'], truncate: false },
      warnings: [],
    });
  });

  it('A10: embeddings.encodeRequest sends the number of dimensions', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], dimensions: 256 }, 'm')).toMatchObject({
      body: { dimensions: 256 },
    });
  });

  it('A10: embeddings.encodeRequest rejects token inputs', () => {
    expect(embeddings.encodeRequest({ inputs: [[1, 2]] }, 'm')).toMatchObject({
      ok: false,
      problem: { code: 'invalid_request', param: 'input' },
    });
  });

  it('embeddings.encodeRequest omits the user with a warning', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], endUser: 'u1' }, 'm')).toMatchObject({
      warnings: ['user'],
    });
  });
});

describe('A8: embeddings response', () => {
  const vectors = [
    [0.5, -1],
    [0, 2],
  ];

  it('embeddings.decodeResponse returns the vectors in input order', () => {
    expect(decode({ model: 'm', embeddings: vectors, prompt_eval_count: 7 })).toEqual({
      model: 'm',
      vectors,
      inputTokens: 7,
    });
  });

  it('embeddings.decodeResponse sets an invalid model and token count to null', () => {
    expect(decode({ embeddings: vectors, model: 7, prompt_eval_count: 'many' })).toEqual({
      model: null,
      vectors,
      inputTokens: null,
    });
  });

  it.each(recorded)(
    'recorded response $name is decoded, and its request is reproduced by embeddings.encodeRequest',
    ({ request, response: { body } }) => {
      // safe because the assertions below fail for any other shape
      const wire = body as { model: string; embeddings: number[][]; prompt_eval_count: number };
      expect(decode(body)).toEqual({
        model: wire.model,
        vectors: wire.embeddings,
        inputTokens: wire.prompt_eval_count,
      });
      // safe because the assertions below fail for any other shape
      const { input, model } = request!.body as { model: string; input: string };
      expect(embeddings.encodeRequest({ inputs: [input] }, model)).toMatchObject({
        body: { model, input: [input] },
      });
    },
  );

  it.each([
    [null],
    [[]],
    [{}],
    [{ embeddings: [1, 2] }],
    [{ embeddings: [['1']] }],
    [{ embeddings: [[null]] }],
  ])('embeddings.decodeResponse rejects %j', (body) => {
    expect(decode(body)).toBeNull();
  });

  it('embeddings.decodeResponse returns null for a body that is not JSON', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});
