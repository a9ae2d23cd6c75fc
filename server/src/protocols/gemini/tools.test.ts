import { describe, expect, it } from 'vitest';
import type { Tool, ToolChoice } from '../canonical/request.ts';
import { decode, decodingProblem, encodeFor, secondGeneration } from './testing/exchange.ts';

const zoom = {
  name: 'zoom',
  description: 'Zooms in',
  parameters: { type: 'OBJECT', properties: { factor: { type: 'NUMBER' } } },
};
const zoomTool: Tool = {
  name: 'zoom',
  description: 'Zooms in',
  parameters: { type: 'object', properties: { factor: { type: 'number' } } },
};
const now: Tool = { name: 'now', parameters: { type: 'object', properties: {} } };

describe('T1: a caller’s tools', () => {
  it('are its functions, of all its tools', () => {
    const tools = [{ functionDeclarations: [zoom] }, { function_declarations: [{ name: 'now' }] }];
    expect(decode({ tools }).tools).toEqual([zoomTool, now]);
  });

  it('may be one, not in a list', () => {
    expect(decode({ tools: { functionDeclarations: { name: 'now' } } }).tools).toEqual([now]);
  });

  it.each(['parametersJsonSchema', 'parameters_json_schema'])(
    'may say their arguments in JSON Schema, as %s',
    (field) => {
      const schema = { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { const: 1 } } };
      const [tool] = decode({ tools: [{ functionDeclarations: [{ name: 'f', [field]: schema }] }] }).tools;
      expect(tool?.parameters).toEqual(schema);
    },
  );

  it('take an object, whatever they say', () => {
    const declared = [
      { name: 'a', parametersJsonSchema: { properties: { x: {} } } },
      { name: 'b', parameters: null },
    ];
    expect(
      decode({ tools: [{ functionDeclarations: declared }] }).tools.map(({ parameters }) => parameters),
    ).toEqual([
      { type: 'object', properties: { x: {} } },
      { type: 'object', properties: {} },
    ]);
  });

  it('without a description have none', () => {
    for (const description of [null, '', undefined])
      expect(decode({ tools: [{ functionDeclarations: [{ name: 'now', description }] }] }).tools).toEqual([
        now,
      ]);
  });

  it.each([
    'googleSearch',
    'google_search',
    'codeExecution',
    'urlContext',
    'fileSearch',
    'computerUse',
    'googleMaps',
    'somethingNew',
  ])('T10: %s is one that only Google runs, and left out with a warning', (name) => {
    const { tools, extensions } = decode({ tools: [{ functionDeclarations: [zoom] }, { [name]: {} }] });
    expect(tools.map((tool) => tool.name)).toEqual(['zoom']);
    expect(extensions).toEqual([`tools.${name}`]);
  });

  it.each(['AUTO', 'NONE', undefined])('that are all left out leave none (%s)', (mode) => {
    const { tools, toolChoice } = decode({
      tools: [{ googleSearch: {} }],
      toolConfig: { functionCallingConfig: { mode } },
    });
    expect(tools).toEqual([]);
    const { body } = encodeFor(secondGeneration, {
      tools,
      ...(toolChoice && { toolChoice }),
      isParallelToolUse: false,
    });
    expect(body).not.toHaveProperty('tools');
    expect(body).not.toHaveProperty('toolConfig');
  });

  it('that are all left out cannot be demanded', () => {
    const toolConfig = { functionCallingConfig: { mode: 'ANY' } };
    expect(decodingProblem({ tools: [{ googleSearch: {} }], toolConfig })).toMatchObject({
      code: 'invalid_request',
      param: 'toolConfig.functionCallingConfig.mode',
    });
  });

  it('one that is null is none', () => {
    expect(decodingProblem({ tools: [{ functionDeclarations: [zoom], googleSearch: null }] })).toBeNull();
  });

  it('what else is said of them is left out with a warning', () => {
    const fields = {
      tools: [
        { functionDeclarations: [{ ...zoom, behavior: 'NON_BLOCKING', response: { type: 'STRING' } }] },
      ],
      toolConfig: {
        retrievalConfig: { languageCode: 'de' },
        includeServerSideToolInvocations: true,
        functionCallingConfig: { mode: 'AUTO', streamFunctionCallArguments: true },
      },
    };
    expect(decode(fields).extensions).toEqual([
      'toolConfig.retrievalConfig',
      'toolConfig.includeServerSideToolInvocations',
      'toolConfig.functionCallingConfig.streamFunctionCallArguments',
      'functionDeclarations.behavior',
      'functionDeclarations.response',
    ]);
  });
});

describe('T3: the choice among them', () => {
  const choose = (functionCallingConfig: object, names = ['zoom', 'now']) =>
    decode({
      tools: [{ functionDeclarations: names.map((name) => ({ name })) }],
      toolConfig: { functionCallingConfig },
    });

  it.each<[string, ToolChoice | undefined]>([
    ['AUTO', { kind: 'auto' }],
    ['auto', { kind: 'auto' }],
    ['NONE', { kind: 'none' }],
    ['ANY', { kind: 'required' }],
    ['VALIDATED', { kind: 'auto' }],
    ['MODE_UNSPECIFIED', undefined],
  ])('%s', (mode, choice) => {
    expect(choose({ mode }).toolChoice).toEqual(choice);
  });

  it('may be one of them', () => {
    const { toolChoice, tools } = choose({ mode: 'ANY', allowedFunctionNames: ['now'] });
    expect(toolChoice).toEqual({ kind: 'tool', name: 'now' });
    expect(tools).toEqual([now]);
  });

  it('may be some of them, which are then all there are', () => {
    const { toolChoice, tools } = choose({ mode: 'ANY', allowed_function_names: ['a', 'c'] }, [
      'a',
      'b',
      'c',
    ]);
    expect(toolChoice).toEqual({ kind: 'required' });
    expect(tools.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('in a mode that nobody knows is refused by name', () => {
    const fields = { tool_config: { function_calling_config: { mode: 'MAYBE' } } };
    expect(decodingProblem(fields)).toMatchObject({ param: 'toolConfig.functionCallingConfig.mode' });
  });

  it('that validates makes them strict', () => {
    expect(choose({ mode: 'VALIDATED' }).tools.every(({ isStrict }) => isStrict)).toBe(true);
    expect(choose({ mode: 'AUTO' }).tools.some(({ isStrict }) => isStrict)).toBe(false);
  });

  it('said nowhere is said to nobody', () => {
    expect(decode({ tools: [{ functionDeclarations: [zoom] }] })).not.toHaveProperty('toolChoice');
  });
});

describe('tools for a provider', () => {
  it('are functions with JSON Schema, without one where there are no arguments', () => {
    expect(encodeFor(secondGeneration, { tools: [zoomTool, now] }).body.tools).toEqual([
      {
        functionDeclarations: [
          { name: 'zoom', description: 'Zooms in', parametersJsonSchema: zoomTool.parameters },
          { name: 'now' },
        ],
      },
    ]);
  });

  it('T2: have their schemas fitted', () => {
    const parameters = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: { kind: { const: 'a' } },
      additionalProperties: false,
    };
    const [tool] = encodeFor(secondGeneration, { tools: [{ name: 'f', parameters }] }).body.tools ?? [];
    expect(tool?.functionDeclarations[0]?.parametersJsonSchema).toEqual({
      type: 'object',
      properties: { kind: { enum: ['a'] } },
      additionalProperties: false,
    });
  });

  it.each<[ToolChoice, object]>([
    [{ kind: 'auto' }, { mode: 'AUTO' }],
    [{ kind: 'none' }, { mode: 'NONE' }],
    [{ kind: 'required' }, { mode: 'ANY' }],
    [
      { kind: 'tool', name: 'now' },
      { mode: 'ANY', allowedFunctionNames: ['now'] },
    ],
  ])('the choice %j', (toolChoice, functionCallingConfig) => {
    expect(encodeFor(secondGeneration, { tools: [zoomTool, now], toolChoice }).body.toolConfig).toEqual({
      functionCallingConfig,
    });
  });

  it('a choice among none is not told', () => {
    const { body } = encodeFor(secondGeneration, { toolChoice: { kind: 'auto' } });
    expect(body).not.toHaveProperty('toolConfig');
    expect(body).not.toHaveProperty('tools');
  });

  it('T4: that calls come one at a time cannot be asked for, which is said', () => {
    expect(encodeFor(secondGeneration, { tools: [now], isParallelToolUse: false }).warnings).toEqual([
      'parallel_tool_calls',
    ]);
    expect(encodeFor(secondGeneration, { tools: [now], isParallelToolUse: true }).warnings).toEqual([]);
    expect(encodeFor(secondGeneration, { isParallelToolUse: false }).warnings).toEqual([]);
  });

  it('that they are strict cannot be asked for, which is said', () => {
    expect(encodeFor(secondGeneration, { tools: [{ ...now, isStrict: true }] }).warnings).toEqual(['strict']);
    expect(encodeFor(secondGeneration, { tools: [{ ...now, isStrict: false }] }).warnings).toEqual([]);
  });
});
