import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readWireCases } from '#test/requests/wire-cases.ts';
import { embeddings } from './embeddings.ts';

const recorded = ['openai', 'azure', 'mistral', 'openrouter']
  .flatMap(readWireCases)
  .filter(({ endpoint }) => endpoint === 'embeddings');

const decode = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));
const writeBase64 = (vector: readonly number[]) => {
  const bytes = Buffer.alloc(vector.length * 4);
  for (const [index, value] of vector.entries()) bytes.writeFloatLE(value, index * 4);
  return bytes.toString('base64');
};

describe('A10: encoding an embeddings request', () => {
  it('embeddings.encodeRequest requests floats', () => {
    expect(embeddings.encodeRequest({ inputs: ['one', 'two'] }, 'm')).toEqual({
      ok: true,
      body: { model: 'm', input: ['one', 'two'], encoding_format: 'float' },
      warnings: [],
    });
  });

  it('embeddings.encodeRequest includes tokens, dimensions and the end user', () => {
    expect(
      embeddings.encodeRequest({ inputs: [[1, 2], [3]], dimensions: 256, endUser: 'u1' }, 'm'),
    ).toMatchObject({ body: { input: [[1, 2], [3]], dimensions: 256, user: 'u1' } });
  });
});

describe('A10: decoding an embeddings response', () => {
  it('decodeResponse orders vectors by index', () => {
    const data = [
      { index: 1, embedding: [2] },
      { index: 0, embedding: [1] },
    ];
    expect(decode({ data, model: 'm', usage: { prompt_tokens: 7, total_tokens: 7 } })).toEqual({
      model: 'm',
      vectors: [[1], [2]],
      inputTokens: 7,
    });
  });

  it('decodeResponse keeps the order of vectors without indexes', () => {
    expect(decode({ data: [{ embedding: [1] }, { embedding: [2] }] })).toEqual({
      model: null,
      vectors: [[1], [2]],
      inputTokens: null,
    });
  });

  it('decodeResponse reads base64 as the same numbers', () => {
    const float = fc.float({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(float, { minLength: 1, maxLength: 20 }), (vector) => {
        expect(decode({ data: [{ index: 0, embedding: writeBase64(vector) }] })?.vectors).toEqual([vector]);
      }),
    );
  });

  it.each(recorded.filter(({ response }) => response.status === 200))(
    'decodeResponse reads $name',
    ({ response: { body } }) => {
      // safe because the expectations fail for a body of another shape
      const wire = body as {
        model: string;
        data: { embedding: number[] | string }[];
        usage: { prompt_tokens: number };
      };
      const answer = decode(body);
      expect(answer).toMatchObject({ model: wire.model, inputTokens: wire.usage.prompt_tokens });
      expect(answer?.vectors).toHaveLength(wire.data.length);
      for (const [index, { embedding }] of wire.data.entries()) {
        const vector = answer!.vectors[index]!;
        if (typeof embedding === 'string') expect(writeBase64(vector)).toBe(embedding);
        else expect(vector).toEqual(embedding);
      }
    },
  );

  it.each([
    [null],
    [[]],
    [{}],
    [{ data: {} }],
    [{ data: [{ embedding: null }] }],
    [{ data: [{ embedding: ['1'] }] }],
    [{ data: [{ embedding: '' }] }],
    [{ data: [{ embedding: 'AAAA' }] }],
    [{ data: [{ embedding: writeBase64([Number.NaN]) }] }],
    [{ data: [{ index: -1, embedding: [1] }] }],
    [{ error: { message: 'no' } }],
  ])('decodeResponse returns null for %j', (body) => {
    expect(decode(body)).toBeNull();
  });

  it.each(recorded.filter(({ response }) => response.status !== 200))(
    'decodeResponse returns null for $name',
    ({ response }) => {
      expect(decode(response.body)).toBeNull();
    },
  );

  it('decodeResponse returns null for invalid JSON', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});
