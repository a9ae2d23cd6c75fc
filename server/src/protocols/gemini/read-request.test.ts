import { describe, expect, it } from 'vitest';
import { parseRequest } from './read-request.ts';
import { makeBody, parse, parsingProblem, secondGeneration, thirdGeneration } from './testing/exchange.ts';

const cap = (tokens: number) => ({ tokens });
const readBack = (fields: object, model = thirdGeneration, tokens?: number) =>
  JSON.parse(
    parse(fields)
      .encodeFor(model, undefined, tokens === undefined ? undefined : cap(tokens))
      .toString(),
  );

describe('fields of the parsed request', () => {
  it('parseRequest reads model and streaming from the URL and the rest from the body', () => {
    expect(parse({}, 'gemini-3-pro', true)).toMatchObject({
      protocol: 'gemini',
      model: 'gemini-3-pro',
      isStream: true,
      isMinimal: false,
      taskId: null,
      wantsUsage: true,
      prompt: 'Hello',
    });
  });

  it.each([
    ['models/gemini-3-pro', 'gemini-3-pro'],
    ['gemini-3-pro', 'gemini-3-pro'],
    ['google/gemini-3-pro', 'google/gemini-3-pro'],
    ['team/models/x', 'team/models/x'],
  ])('A3: parseRequest reads the model "%s" as %s', (named, model) => {
    expect(parse({}, named).model).toBe(model);
  });

  it('parseRequest reads the model from the body if it is not in the URL', () => {
    const bytes = Buffer.from(JSON.stringify(makeBody({ model: 'models/gemini-3-pro' })));
    const parsed = parseRequest(bytes, { model: null, isStream: null });
    expect(parsed).toMatchObject({ ok: true, request: { model: 'gemini-3-pro', isStream: false } });
  });

  it('parseRequest rejects a request without a model', () => {
    expect(parsingProblem({}, null)).toMatchObject({ code: 'invalid_request', param: 'model' });
    expect(parsingProblem({}, 'models/')).toMatchObject({ param: 'model' });
  });

  it.each([
    ['no field', {}, null],
    ['task_id as a number', { task_id: 7 }, 7],
    ['task_id as a string', { task_id: '12' }, 12],
    ['metadata', { metadata: { task_id: 9 } }, 9],
  ])('parseRequest reads the task ID from: %s', (_place, fields, taskId) => {
    expect(parse(fields).taskId).toBe(taskId);
  });

  it('parseRequest reads the output token limit in camel case and snake case', () => {
    expect(parse({ generationConfig: { maxOutputTokens: 50 } }).output.tokensMax).toBe(50);
    expect(parse({ generation_config: { max_output_tokens: 60 } }).output.tokensMax).toBe(60);
    expect(parse().output.tokensMax).toBeNull();
  });

  it.each([
    [
      'the last user turn',
      [
        { role: 'user', parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ text: 'b' }] },
        { role: 'user', parts: [{ text: 'c' }] },
      ],
      'c',
    ],
    [
      'all texts of the turn',
      [{ parts: [{ text: 'a' }, { inlineData: { data: 'AAAA' } }, { text: 'b' }] }],
      'a\nb',
    ],
    [
      'the turn before tool results',
      [
        { parts: [{ text: 'a' }] },
        { role: 'model', parts: [{ functionCall: { name: 'f' } }] },
        { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
      ],
      'a',
    ],
    ['model turns only, as null', [{ role: 'model', parts: [{ text: 'b' }] }], null],
    ['a single part without a list', { parts: { text: 'a' } }, 'a'],
  ])('parseRequest reads the prompt from: %s', (_kind, contents, prompt) => {
    expect(parse({ contents }).prompt).toBe(prompt);
  });
});

describe('pass-through', () => {
  it('encodeFor returns the original buffer if nothing changes', () => {
    const bytes = Buffer.from(
      '{ "contents" : [{"parts":[{"text":"ä"}]}] , "novelty":1e400 }'.replace(
        '1e400',
        '12345678901234567890',
      ),
    );
    const parsed = parseRequest(bytes, { model: 'gemini-3-pro', isStream: true });
    expect(parsed.ok && parsed.request.encodeFor('gemini-3-pro')).toBe(bytes);
    expect(parsed.ok && parsed.request.encodeFor('gemini-2.5-flash')).toBe(bytes);
  });

  it("encodeFor removes Sluice's own fields", () => {
    const fields = { task_id: 3, format: 'minimal', metadata: { task_id: 4 }, labels: { a: 'b' } };
    expect(readBack(fields)).toEqual(makeBody({ labels: { a: 'b' } }));
  });

  it("encodeFor keeps metadata other than Sluice's own", () => {
    expect(readBack({ metadata: { task_id: 4, trace: 'x' } })).toEqual(
      makeBody({ metadata: { trace: 'x' } }),
    );
  });

  it('encodeFor changes the model if the body names one', () => {
    expect(readBack({ model: 'models/fast' }, 'gemini-3-pro')).toMatchObject({
      model: 'models/gemini-3-pro',
    });
    const named = parse({ model: 'models/gemini-3-pro' }, 'gemini-3-pro');
    expect(named.encodeFor('gemini-3-pro').toString()).toBe(
      JSON.stringify(makeBody({ model: 'models/gemini-3-pro' })),
    );
  });

  it.each([
    ['missing', {}, { generationConfig: { maxOutputTokens: 9 } }],
    ['null', { generationConfig: null }, { generationConfig: { maxOutputTokens: 9 } }],
    [
      'without a limit',
      { generationConfig: { topK: 3 } },
      { generationConfig: { maxOutputTokens: 9, topK: 3 } },
    ],
    [
      'above the limit',
      { generationConfig: { maxOutputTokens: 50, topK: 3 } },
      { generationConfig: { maxOutputTokens: 9, topK: 3 } },
    ],
    [
      'in snake case',
      { generation_config: { max_output_tokens: 50, top_k: 3 } },
      { generation_config: { max_output_tokens: 9, top_k: 3 } },
    ],
    [
      'in mixed case',
      { generationConfig: { max_output_tokens: 50 } },
      { generationConfig: { max_output_tokens: 9 } },
    ],
  ])("encodeFor applies the gateway's limit if the caller's settings are %s", (_kind, fields, edited) => {
    expect(readBack(fields, thirdGeneration, 9)).toEqual(makeBody(edited));
  });
});

describe('request validation', () => {
  const part = (fields: object) => ({ contents: [{ parts: [fields] }] });
  it.each([
    ['missing contents', { contents: undefined }, 'contents'],
    ['empty contents', { contents: [] }, 'contents'],
    ['contents that are a string', { contents: 'Hello' }, 'contents[0]'],
    ['a role that is not a string', { contents: [{ role: 1, parts: [] }] }, 'contents[0].role'],
    ['a text that is not a string', part({ text: 3 }), 'contents[0].parts[0].text'],
    [
      'inline data without data',
      part({ inlineData: { mimeType: 'image/png' } }),
      'contents[0].parts[0].inlineData.data',
    ],
    ['a call without a name', part({ functionCall: { args: {} } }), 'contents[0].parts[0].functionCall.name'],
    [
      'arguments that are a string',
      part({ functionCall: { name: 'f', args: '{}' } }),
      'contents[0].parts[0].functionCall.args',
    ],
    [
      'a result that is a string',
      part({ functionResponse: { name: 'f', response: 'x' } }),
      'contents[0].parts[0].functionResponse.response',
    ],
    [
      'a temperature above the maximum',
      { generationConfig: { temperature: 3 } },
      'generationConfig.temperature',
    ],
    ['a topP above the maximum', { generationConfig: { topP: 2 } }, 'generationConfig.topP'],
    [
      'a candidate count of 0',
      { generationConfig: { candidateCount: 0 } },
      'generationConfig.candidateCount',
    ],
    [
      'an output token limit of 0',
      { generationConfig: { maxOutputTokens: 0 } },
      'generationConfig.maxOutputTokens',
    ],
    [
      'a fractional output token limit',
      { generation_config: { max_output_tokens: 1.5 } },
      'generationConfig.maxOutputTokens',
    ],
    [
      'a stop sequence that is not a string',
      { generationConfig: { stopSequences: [3] } },
      'generationConfig.stopSequences[0]',
    ],
    [
      'a negative thinking budget',
      { generationConfig: { thinkingConfig: { thinkingBudget: -2 } } },
      'generationConfig.thinkingConfig.thinkingBudget',
    ],
    [
      'a tool without a name',
      { tools: [{ functionDeclarations: [{}] }] },
      'tools[0].functionDeclarations[0].name',
    ],
    ['an invalid task ID', { task_id: 'x' }, 'task_id'],
    ['a format of another protocol', { format: 'openai' }, 'format'],
    ['a field in both spellings', { generationConfig: {}, generation_config: {} }, 'generationConfig'],
    [
      'a field of a part in both spellings',
      part({ inlineData: { data: 'a' }, inline_data: { data: 'b' } }),
      'contents[0].parts[0].inlineData',
    ],
  ])('parseRequest rejects %s with its param', (_kind, fields, param) => {
    expect(parsingProblem(fields)).toMatchObject({ code: 'invalid_request', param });
  });

  it('parseRequest rejects a stream with the minimal format', () => {
    expect(parsingProblem({ format: 'minimal' }, 'm', true)).toMatchObject({ param: 'format' });
    expect(parsingProblem({ format: 'minimal' }, 'm', false)).toBeNull();
    expect(parse({ format: 'minimal' }).isMinimal).toBe(true);
    expect(parsingProblem({ format: 'gemini' }, 'm', true)).toBeNull();
  });

  it.each([
    ['invalid JSON', '{"contents":', 'invalid_json'],
    ['a duplicate field', '{"contents":[{"parts":[{"text":"a"}]}],"contents":[]}', 'duplicate_field'],
    ['a list', '[]', 'invalid_request'],
    ['invalid UTF-8', Buffer.from([0x7b, 0xff, 0x7d]), 'invalid_json'],
    ['deep nesting', `{"contents":${'['.repeat(300)}`, 'invalid_request'],
  ])('parseRequest rejects %s', (_kind, body, code) => {
    const parsed = parseRequest(Buffer.from(body), { model: 'm', isStream: null });
    expect(parsed).toMatchObject({ ok: false, problem: { code } });
  });

  it('parseRequest accepts fields that only Google supports', () => {
    const fields = {
      tools: [{ googleSearch: {} }, { codeExecution: {} }],
      safetySettings: [{ category: 'HARM_CATEGORY_HATE_SPEECH', threshold: 'BLOCK_NONE' }],
      cachedContent: 'cachedContents/1',
      generationConfig: { speechConfig: {}, responseModalities: ['AUDIO'], novelty: 1 },
      contents: [
        { role: 'user', parts: [{ executableCode: {} }, { videoMetadata: {}, fileData: { fileUri: 'u' } }] },
      ],
    };
    expect(parsingProblem(fields)).toBeNull();
    expect(readBack(fields)).toEqual(makeBody(fields));
  });
});

describe('signatures of other providers in the history', () => {
  const carrier = Buffer.from('anthropic-messages:reasoning::c2ln').toString('base64');
  const history = (signature: string, part: object = {}) => ({
    contents: [
      { role: 'user', parts: [{ text: 'Go' }] },
      {
        role: 'model',
        parts: [{ functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: signature, ...part }],
      },
      { role: 'user', parts: [{ functionResponse: { name: 'f', response: {} } }] },
    ],
  });
  const partsIn = (fields: object, model: string) => readBack(fields, model).contents[1]?.parts;

  it("encodeFor leaves Google's signatures unchanged", () => {
    const fields = history('EiYKJDEyMzQ=');
    const request = parse(fields);
    expect(request.encodeFor(thirdGeneration).toString()).toBe(JSON.stringify(makeBody(fields)));
  });

  it('encodeFor replaces the foreign signature of a call with the placeholder if the model checks signatures', () => {
    expect(partsIn(history(carrier), thirdGeneration)).toEqual([
      { functionCall: { name: 'f', args: { n: 1 } }, thoughtSignature: 'skip_thought_signature_validator' },
    ]);
    expect(partsIn(history(carrier), secondGeneration)).toEqual([
      { functionCall: { name: 'f', args: { n: 1 } } },
    ]);
  });

  it('encodeFor keeps the unchecked placeholder only for models that support it', () => {
    const fields = history('skip_thought_signature_validator');
    expect(partsIn(fields, thirdGeneration)).toEqual(fields.contents[1]?.parts);
    expect(partsIn(fields, secondGeneration)).toEqual([{ functionCall: { name: 'f', args: { n: 1 } } }]);
  });

  it('encodeFor removes foreign thoughts and turns that contain nothing else', () => {
    const thought = { text: 'Hm', thought: true, thoughtSignature: carrier };
    const withText = {
      contents: [{ parts: [{ text: 'Go' }] }, { role: 'model', parts: [thought, { text: 'Hi' }] }],
    };
    expect(partsIn(withText, thirdGeneration)).toEqual([{ text: 'Hi' }]);
    const alone = { contents: [{ parts: [{ text: 'Go' }] }, { role: 'model', parts: [thought] }] };
    expect(readBack(alone).contents).toHaveLength(1);
  });

  it('encodeFor keeps the digits of long numbers when it edits contents', () => {
    const text = JSON.stringify(makeBody(history(carrier))).replace('"n":1', '"n":12345678901234567890');
    const parsed = parseRequest(Buffer.from(text), { model: 'm', isStream: null });
    expect(parsed.ok && parsed.request.encodeFor(thirdGeneration).toString()).toContain(
      '"n":12345678901234567890',
    );
  });

  it('encodeFor recognizes foreign signatures in base64url and under the snake case name', () => {
    const urlSafe = Buffer.from('anthropic-messages:reasoning::>>>???').toString('base64url');
    const fields = history('', { thoughtSignature: undefined, thought_signature: urlSafe });
    expect(partsIn(fields, secondGeneration)).toEqual([{ functionCall: { name: 'f', args: { n: 1 } } }]);
  });
});
