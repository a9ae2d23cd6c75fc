import { describe, expect, it } from 'vitest';
import { readWireCases } from '#test/requests/wire-cases.ts';
import { embeddings } from './embeddings.ts';

const recorded = readWireCases('cohere').filter(({ endpoint }) => endpoint === 'embeddings');

const decode = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));

describe('A5: embeddings request', () => {
  it('embeddings.encodeRequest requests floats and disables truncation of long texts', () => {
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

  it.each([
    ['query', 'search_query', []],
    ['document', 'search_document', []],
    ['classification', 'classification', []],
    ['clustering', 'clustering', []],
    ['similarity', 'search_document', ['input_type']],
  ] as const)(
    'embeddings.encodeRequest maps the purpose %s to the input type %s',
    (purpose, inputType, warnings) => {
      expect(embeddings.encodeRequest({ inputs: ['one'], purpose }, 'm')).toMatchObject({
        body: { input_type: inputType },
        warnings,
      });
    },
  );

  it('A10: embeddings.encodeRequest maps dimensions to output_dimension', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], dimensions: 256 }, 'm')).toMatchObject({
      body: { output_dimension: 256 },
    });
  });

  it('A10: embeddings.encodeRequest rejects token inputs', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', [1, 2]] }, 'm')).toEqual({
      ok: false,
      problem: {
        code: 'invalid_request',
        param: 'input',
        message: 'The provider of this model accepts only text for embeddings, not tokens.',
      },
    });
  });

  it('embeddings.encodeRequest omits the user with a warning', () => {
    expect(embeddings.encodeRequest({ inputs: ['one'], endUser: 'u1' }, 'm')).toMatchObject({
      warnings: ['user'],
    });
  });
});

describe('A5: embeddings response', () => {
  const vectors = [
    [0.5, -1],
    [0, 2],
  ];

  it('embeddings.decodeResponse returns the vectors in input order', () => {
    const meta = { billed_units: { input_tokens: 10 } };
    expect(decode({ id: 'e1', embeddings: { float: vectors }, meta })).toEqual({
      model: null,
      vectors,
      inputTokens: 10,
    });
  });

  it('embeddings.decodeResponse prefers actual token counts over billed units', () => {
    const meta = { tokens: { input_tokens: 12 }, billed_units: { input_tokens: 10 } };
    expect(decode({ embeddings: { float: vectors }, meta })).toMatchObject({ inputTokens: 12 });
  });

  it('embeddings.decodeResponse returns null as inputTokens if usage is missing or invalid', () => {
    expect(decode({ embeddings: { float: vectors } })).toMatchObject({ inputTokens: null });
    expect(decode({ embeddings: { float: vectors }, meta: 'odd' })).toMatchObject({ inputTokens: null });
  });

  it.each(recorded)(
    'recorded response $name is decoded to its vectors and token count',
    ({ response: { body } }) => {
      // safe because the assertions below fail for any other shape
      const wire = body as {
        embeddings: { float: number[][] };
        meta: { billed_units: { input_tokens: number } };
      };
      expect(decode(body)).toEqual({
        model: null,
        vectors: wire.embeddings.float,
        inputTokens: wire.meta.billed_units.input_tokens,
      });
    },
  );

  it.each([
    [null],
    [[]],
    [{}],
    [{ embeddings: [[1]] }],
    [{ embeddings: { int8: [[1]] } }],
    [{ embeddings: { float: [1, 2] } }],
    [{ embeddings: { float: [['1']] } }],
    [{ embeddings: { float: [[null]] } }],
  ])('embeddings.decodeResponse rejects %j', (body) => {
    expect(decode(body)).toBeNull();
  });

  it('embeddings.decodeResponse returns null for a body that is not JSON', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});

it.each(recorded.filter(({ request }) => request !== null))(
  'embeddings.encodeRequest reproduces the model, texts and embedding types of the recorded request $name',
  ({ request }) => {
    // safe because the assertions below fail for any other shape
    const body = request?.body as { model: string; texts: string[] };
    const encoded = embeddings.encodeRequest({ inputs: body.texts }, body.model);
    expect(encoded).toMatchObject({
      ok: true,
      body: { model: body.model, texts: body.texts, embedding_types: ['float'] },
    });
  },
);
