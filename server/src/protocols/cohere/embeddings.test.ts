import { describe, expect, it } from 'vitest';
import { readWireCases } from '../../../test/wire-cases.ts';
import { embeddings } from './embeddings.ts';

const recorded = readWireCases('cohere').filter(({ endpoint }) => endpoint === 'embeddings');

const decode = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));

describe('A5: a request', () => {
  it('asks for floats, and for an error rather than the vector of half a text', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', 'two'] }, 'embed-v4.0')).toEqual({
      ok: true,
      body: {
        model: 'embed-v4.0',
        texts: ['one', 'two'],
        input_type: 'search_document',
        embedding_types: ['float'],
        truncate: 'NONE',
      },
      warnings: [],
    });
  });

  it('A10: asks for the number of dimensions', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], dimensions: 256 }, 'm')).toMatchObject({
      body: { output_dimension: 256 },
    });
  });

  it('A10: with tokens is refused', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', [1, 2]] }, 'm')).toEqual({
      ok: false,
      problem: {
        code: 'invalid_request',
        param: 'input',
        message: 'The provider of this model embeds text, not tokens.',
      },
    });
  });

  it('has no place for a user, which is said', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], endUser: 'u1' }, 'm')).toMatchObject({
      warnings: ['user'],
    });
  });
});

describe('A5: an answer', () => {
  const vectors = [
    [0.5, -1],
    [0, 2],
  ];

  it('has its vectors in the order of the texts', () => {
    const meta = { billed_units: { input_tokens: 10 } };
    expect(decode({ id: 'e1', embeddings: { float: vectors }, meta })).toEqual({
      model: null,
      vectors,
      inputTokens: 10,
    });
  });

  it('tells the real tokens where it does', () => {
    const meta = { tokens: { input_tokens: 12 }, billed_units: { input_tokens: 10 } };
    expect(decode({ embeddings: { float: vectors }, meta })).toMatchObject({ inputTokens: 12 });
  });

  it('may tell none', () => {
    expect(decode({ embeddings: { float: vectors } })).toMatchObject({ inputTokens: null });
    expect(decode({ embeddings: { float: vectors }, meta: 'odd' })).toMatchObject({ inputTokens: null });
  });

  it.each(recorded)('$name is understood', ({ response: { body } }) => {
    // safe because a body of another shape fails on what is expected of it
    const wire = body as {
      embeddings: { float: number[][] };
      meta: { billed_units: { input_tokens: number } };
    };
    expect(decode(body)).toEqual({
      model: null,
      vectors: wire.embeddings.float,
      inputTokens: wire.meta.billed_units.input_tokens,
    });
  });

  it.each([
    null,
    [],
    {},
    { embeddings: [[1]] },
    { embeddings: { int8: [[1]] } },
    { embeddings: { float: [1, 2] } },
    { embeddings: { float: [['1']] } },
    { embeddings: { float: [[null]] } },
  ])('%j is none', (body) => {
    expect(decode(body)).toBeNull();
  });

  it('that is not JSON is none', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});

it.each(recorded.filter(({ request }) => request !== null))('$name asks as we do', ({ request }) => {
  // safe because a body of another shape fails on what is expected of it
  const body = request?.body as { model: string; texts: string[] };
  const encoded = embeddings.encodeRequest({ inputs: body.texts }, body.model);
  expect(encoded).toMatchObject({
    ok: true,
    body: { model: body.model, texts: body.texts, embedding_types: ['float'] },
  });
});
