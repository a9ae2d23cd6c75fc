import { describe, expect, it } from 'vitest';
import { readWireCases } from '../../../test/wire-cases.ts';
import { embeddings } from './embeddings.ts';

const recorded = readWireCases('ollama').filter(({ endpoint }) => endpoint === 'embeddings');

const decode = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));

describe('A8: a request', () => {
  it('asks for an error rather than the vector of half a text', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', 'two'] }, 'nomic-embed-text')).toEqual({
      ok: true,
      body: { model: 'nomic-embed-text', input: ['one', 'two'], truncate: false },
      warnings: [],
    });
  });

  it('A10: carries the number of dimensions', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], dimensions: 256 }, 'm')).toMatchObject({
      body: { dimensions: 256 },
    });
  });

  it('A10: with tokens is refused', () => {
    expect(embeddings.encodeRequest({ inputs: [[1, 2]] }, 'm')).toMatchObject({
      ok: false,
      problem: { code: 'invalid_request', param: 'input' },
    });
  });

  it('has no place for a user, which is said', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], endUser: 'u1' }, 'm')).toMatchObject({
      warnings: ['user'],
    });
  });
});

describe('A8: an answer', () => {
  const vectors = [
    [0.5, -1],
    [0, 2],
  ];

  it('has its vectors in the order of the texts', () => {
    expect(decode({ model: 'm', embeddings: vectors, prompt_eval_count: 7 })).toEqual({
      model: 'm',
      vectors,
      inputTokens: 7,
    });
  });

  it('may tell neither model nor tokens', () => {
    expect(decode({ embeddings: vectors, model: 7, prompt_eval_count: 'many' })).toEqual({
      model: null,
      vectors,
      inputTokens: null,
    });
  });

  it.each(recorded)('$name is understood, and asked for as we do', ({ request, response: { body } }) => {
    // safe because a body of another shape fails on what is expected of it
    const wire = body as { model: string; embeddings: number[][]; prompt_eval_count: number };
    expect(decode(body)).toEqual({
      model: wire.model,
      vectors: wire.embeddings,
      inputTokens: wire.prompt_eval_count,
    });
    // safe for the same reason
    const { input, model } = request!.body as { model: string; input: string };
    expect(embeddings.encodeRequest({ inputs: [input] }, model)).toMatchObject({
      body: { model, input: [input] },
    });
  });

  it.each([null, [], {}, { embeddings: [1, 2] }, { embeddings: [['1']] }, { embeddings: [[null]] }])(
    '%j is none',
    (body) => {
      expect(decode(body)).toBeNull();
    },
  );

  it('that is not JSON is none', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});
