import { describe, expect, it } from 'vitest';
import { finish } from '#platform/steps.ts';
import { readWireCases } from '#test/requests/wire-cases.ts';
import { embeddings } from './embeddings.ts';
import { readEmbeddings } from './embeddings-caller.ts';

const cases = readWireCases('gemini').filter(({ endpoint }) => endpoint === 'embeddings');

describe('A10: embeddings request', () => {
  it('embeddings.encodeRequest sends one request per text in order', () => {
    expect(embeddings.encodeRequest({ inputs: ['a', 'b'] }, 'gemini-embedding-001')).toEqual({
      ok: true,
      body: {
        requests: [
          { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'a' }] } },
          { model: 'models/gemini-embedding-001', content: { parts: [{ text: 'b' }] } },
        ],
      },
      warnings: [],
    });
  });

  it('embeddings.encodeRequest sends the dimensions with each text', () => {
    expect(embeddings.encodeRequest({ inputs: ['a'], dimensions: 768 }, 'models/e')).toMatchObject({
      body: { requests: [{ model: 'models/e', outputDimensionality: 768 }] },
    });
  });

  it('embeddings.encodeRequest omits the user with a warning', () => {
    expect(embeddings.encodeRequest({ inputs: ['a'], endUser: 'u' }, 'e')).toMatchObject({
      warnings: ['user'],
    });
  });

  it('embeddings.encodeRequest rejects token inputs with their param', () => {
    expect(embeddings.encodeRequest({ inputs: ['a', [1, 2]] }, 'e')).toMatchObject({
      ok: false,
      problem: { code: 'invalid_request', param: 'input' },
    });
  });

  it.each(cases)('recorded request $name is reproduced by embeddings.encodeRequest', ({ request }) => {
    const body = request?.body as {
      requests: { content: { parts: { text: string }[] }; outputDimensionality?: number }[];
    }; // safe because the test fails for any other shape
    const [first] = body.requests;
    const dimensions = first?.outputDimensionality;
    const encoded = embeddings.encodeRequest(
      { inputs: [first?.content.parts[0]?.text ?? ''], ...(dimensions && { dimensions }) },
      /models\/([^:]+):/.exec(request?.path ?? '')?.[1] ?? '',
    );
    const { taskType: _task, ...wanted } = { taskType: undefined, ...first };
    expect(encoded).toMatchObject({ ok: true, body: { requests: [wanted] } });
  });
});

describe('embeddings response', () => {
  const read = (body: unknown) => embeddings.decodeResponse(Buffer.from(JSON.stringify(body)));

  it('embeddings.decodeResponse returns the vectors in input order', () => {
    expect(read({ embeddings: [{ values: [1, 2] }, { values: [3, 4] }] })).toEqual({
      model: null,
      vectors: [
        [1, 2],
        [3, 4],
      ],
      inputTokens: null,
    });
  });

  it('embeddings.decodeResponse returns the input tokens if Google reports them', () => {
    expect(read({ embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 5 } })?.inputTokens).toBe(
      5,
    );
    expect(
      read({ embeddings: [{ values: [1] }], usageMetadata: { promptTokenCount: 'x' } })?.inputTokens,
    ).toBeNull();
  });

  it.each(cases)('recorded response $name is decoded to its vectors', ({ response }) => {
    const { embeddings: told } = response.body as { embeddings: { values: number[] }[] }; // safe as above
    expect(read(response.body)?.vectors).toEqual(told.map(({ values }) => values));
  });

  it.each([
    [null],
    [[]],
    [{}],
    [{ embeddings: {} }],
    [{ embeddings: [{ values: ['1'] }] }],
    [{ embedding: { values: [1] } }],
  ])('embeddings.decodeResponse rejects %j', (body) => {
    expect(read(body)).toBeNull();
  });

  it('embeddings.decodeResponse returns null for a body that is not JSON', () => {
    expect(embeddings.decodeResponse(Buffer.from('<html>'))).toBeNull();
  });
});

describe('batch of embeddings', () => {
  const read = (more: object) => {
    const requests = [{ model: 'models/e', content: { parts: [{ text: 'a' }] }, ...more }];
    const parsed = finish(
      readEmbeddings(Buffer.from(JSON.stringify({ requests })), { model: 'e', isBatch: true }),
    );
    if (!parsed.ok) throw new Error(parsed.problem.message);
    return parsed.request;
  };

  it('readEmbeddings ignores the model of each request, which encodeFor replaces', () => {
    const request = read({});
    expect([request.findPaidExtra(), request.findPlace(({ kind }) => kind === 'model')]).toEqual([
      null,
      null,
    ]);
    expect(JSON.parse(request.encodeFor('target').toString())).toMatchObject({
      requests: [{ model: 'models/target' }],
    });
  });

  it('findPaidExtra and findPlace find a model in an unknown field of an embeddings batch', () => {
    const request = read({ fallback_model: 'dear' });
    const path = 'requests[0].fallback_model';
    expect([request.findPaidExtra(), request.findPlace(({ kind }) => kind === 'model')]).toEqual([
      path,
      path,
    ]);
  });
});
