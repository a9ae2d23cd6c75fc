import { expect, test } from 'vitest';
import { seal } from '../generation/signature.ts';
import { findGenerator } from '../models/find-model.ts';
import { RequestRefused } from '../request/problem.ts';
import { callKey } from './conversation.ts';
import { describeError } from './errors.ts';
import { checkRequest } from './generate-content.ts';
import { toCamelCase } from './read-body.ts';

const user = (...parts: object[]) => ({ role: 'user', parts });
const model = (...parts: object[]) => ({ role: 'model', parts });
const text = (words: string) => ({ text: words });
const call = (name: string) => ({ functionCall: { name, args: {} } });
const result = (name: string) => ({ functionResponse: { name, response: { output: 'Sunny' } } });
const picture = (data: string) => ({ inlineData: { mimeType: 'image/png', data } });
const declared = (parameters: unknown) => ({
  tools: [{ functionDeclarations: [{ name: 'weather', parameters }] }],
});
const configured = (generationConfig: object) => ({ generationConfig });
const calling = (functionCallingConfig: object) => ({
  ...declared(undefined),
  toolConfig: { functionCallingConfig },
});

const minimal = { contents: [user(text('Hello'))] };
const schema = {
  type: 'OBJECT',
  properties: {
    city: { type: 'STRING', nullable: true, enum: ['Bern'] },
    days: { type: 'ARRAY', items: { type: 'INTEGER' } },
  },
  required: ['city'],
  propertyOrdering: ['city', 'days'],
};

const everyField = {
  cachedContent: null,
  contents: [
    user(text('Look'), picture('iVBORw0KGgo='), {
      fileData: { fileUri: 'https://youtu.be/a', mimeType: 'video/mp4' },
    }),
    model(text('Hm'), { ...call('weather'), thoughtSignature: seal(callKey('weather', {})) }, call('clock')),
    { role: 'function', parts: [result('weather'), result('clock')] },
    model({ text: '', thoughtSignature: seal('text') }),
    user(text('Thanks')),
  ],
  system_instruction: { parts: [text('Be brief.')] },
  tools: [
    {
      function_declarations: [
        { name: 'weather', description: 'Weather', parameters: schema },
        { name: 'clock', parameters_json_schema: { type: 'object', additionalProperties: false } },
      ],
    },
    { googleSearch: {} },
  ],
  toolConfig: { function_calling_config: { mode: 'ANY', allowed_function_names: ['clock'] } },
  safetySettings: [{ category: 'HARM_CATEGORY_HARASSMENT', threshold: 'BLOCK_NONE' }],
  generationConfig: {
    stopSequences: ['END'],
    responseMimeType: 'application/json',
    response_schema: schema,
    responseModalities: ['TEXT'],
    candidateCount: 2,
    maxOutputTokens: 10,
    temperature: 2,
    topP: 0.5,
    topK: 5,
    seed: 7,
    thinkingConfig: { includeThoughts: true, thinkingBudget: -1 },
  },
};

function problemOf(body: object, name = 'sandbox-normal') {
  try {
    const camel = toCamelCase(JSON.parse(JSON.stringify(body)));
    checkRequest(Object(camel), findGenerator(name));
  } catch (error) {
    if (error instanceof RequestRefused) return describeError(error.problem).error;
    throw error;
  }
  return null;
}

test('checkRequest accepts every documented field and kind of part, in camel case and snake case', () => {
  expect(problemOf(everyField)).toBeNull();
});

test.each<[string, object]>([
  ["'contents': this field is required", { contents: undefined }],
  ["'contents': at least 1", { contents: [] }],
  ['Unknown name "messages"', { messages: [] }],
  ['Unknown name "stop" at \'generationConfig\'', configured({ stop: ['a'] })],
  ['Unknown name "streamFunctionCallArguments"', calling({ streamFunctionCallArguments: true })],
  ["'contents[0].parts': at least 1", { contents: [user()] }],
  [
    "'contents[0].role': expected one of user, model",
    { contents: [{ role: 'assistant', parts: [text('x')] }] },
  ],
  ['must have one initialized field', { contents: [user({ thought: true })] }],
  ["oneof field 'data' is already set", { contents: [user({ ...text('x'), ...picture('AAAA') })] }],
  ['Unknown name "imageUrl"', { contents: [user({ image_url: 'x' })] }],
  ['Base64 decoding failed', { contents: [user(picture('data:image/png;base64,iVBORw0KGgo='))] }],
  ['Cannot fetch content', { contents: [user({ fileData: { fileUri: 'https://example.com/a.png' } })] }],
  ['Name cannot be empty', { contents: [user(text('x')), model(call('a')), user(result(''))] }],
  [
    "functionResponse.name': this field is required",
    { contents: [user(text('x')), model(call('a')), user({ functionResponse: { response: {} } })] },
  ],
  [
    "functionResponse.response': expected an object",
    {
      contents: [
        user(text('x')),
        model(call('a')),
        user({ functionResponse: { name: 'a', response: 'Sunny' } }),
      ],
    },
  ],
  [
    "functionCall.args': expected an object",
    { contents: [user(text('x')), model({ functionCall: { name: 'a', args: '{}' } })] },
  ],
  [
    'number of function response parts',
    { contents: [user(text('x')), model(call('a'), call('b')), user(result('a'))] },
  ],
  [
    'number of function response parts',
    { contents: [user(text('x')), model(call('a'), call('b')), user(result('a')), user(result('b'))] },
  ],
  ['number of function response parts', { contents: [user(text('x')), model(call('a')), user(text('y'))] }],
  ['number of function response parts', { contents: [user(text('x')), model(call('a'))] }],
  ['immediately after a function call turn', { contents: [user(result('a'))] }],
  [
    "There was no call of the function 'b'",
    { contents: [user(text('x')), model(call('a')), user(result('b'))] },
  ],
  ['function calls are only allowed', { contents: [user(call('a')), user(result('a'))] }],
  [
    'Corrupted thought signature',
    { contents: [model({ ...text('x'), thoughtSignature: 'AAAA' }), user(text('y'))] },
  ],
  ["'generationConfig.temperature': at most 2", configured({ temperature: 2.1 })],
  ["'generationConfig.candidateCount': at most 8", configured({ candidateCount: 9 })],
  ["'generationConfig.stopSequences': at most 5", configured({ stopSequences: [...'abcdef'] })],
  ["'generationConfig.maxOutputTokens': at least 1", configured({ maxOutputTokens: 0 })],
  ['response_mime_type must be', configured({ responseSchema: schema })],
  [
    'Only one of response_schema',
    configured({ responseMimeType: 'application/json', responseSchema: schema, responseJsonSchema: {} }),
  ],
  ['set only one of thinking', configured({ thinkingConfig: { thinkingBudget: 5, thinkingLevel: 'LOW' } })],
  ['Unknown name "$schema"', declared({ ...schema, $schema: 'x' })],
  ['Unknown name "additionalProperties"', declared({ ...schema, additionalProperties: false })],
  ['Unknown name "const"', declared({ ...schema, properties: { city: { const: 'Bern' } } })],
  [
    "'tools[0].functionDeclarations[0].parameters.type': expected a string",
    declared({ type: ['string', 'null'] }),
  ],
  ['only allowed for STRING', declared({ type: 'INTEGER', enum: ['1'] })],
  ["parameters.items': missing field", declared({ type: 'ARRAY' })],
  ['Invalid function name', { tools: [{ functionDeclarations: [{ name: '1 weather' }] }] }],
  ['Duplicate function declaration', { tools: [{ functionDeclarations: [{ name: 'a' }, { name: 'a' }] }] }],
  ['may only be set when the mode is ANY', calling({ mode: 'AUTO', allowedFunctionNames: ['weather'] })],
  ['which is not declared', calling({ mode: 'ANY', allowedFunctionNames: ['clock'] })],
  ['set without function_declarations', { toolConfig: { functionCallingConfig: { mode: 'ANY' } } }],
])('checkRequest rejects with "%s": %j', (message, change) => {
  const problem = problemOf({ ...minimal, ...change });
  expect(problem).toMatchObject({ code: 400, status: 'INVALID_ARGUMENT' });
  expect(problem?.message).toContain(message);
});

test('checkRequest requires signatures only in the current turn, and only when thinking is enabled', () => {
  const loop = [user(text('Hi')), model(call('a')), user(result('a'))];
  expect(problemOf({ contents: loop }, 'sandbox-reasoning')?.message).toContain(
    'missing a thought_signature',
  );
  expect(problemOf({ contents: loop })).toBeNull();
  expect(
    problemOf({ contents: [...loop, model(text('So')), user(text('And?'))] }, 'sandbox-reasoning'),
  ).toBeNull();
  const unthinking = configured({ thinkingConfig: { thinkingBudget: 0 } });
  expect(problemOf({ contents: loop, ...unthinking }, 'sandbox-reasoning')).toBeNull();
});
