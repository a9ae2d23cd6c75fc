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

describe('T1: tools from a caller', () => {
  it('decodeTools returns the functions of all tools', () => {
    const tools = [{ functionDeclarations: [zoom] }, { function_declarations: [{ name: 'now' }] }];
    expect(decode({ tools }).tools).toEqual([zoomTool, now]);
  });

  it('decodeTools accepts a single tool instead of a list', () => {
    expect(decode({ tools: { functionDeclarations: { name: 'now' } } }).tools).toEqual([now]);
  });

  it.each(['parametersJsonSchema', 'parameters_json_schema'])(
    'decodeTools reads arguments in JSON Schema from %s',
    (field) => {
      const schema = { type: 'object', properties: { a: { $ref: '#/$defs/b' } }, $defs: { b: { const: 1 } } };
      const [tool] = decode({ tools: [{ functionDeclarations: [{ name: 'f', [field]: schema }] }] }).tools;
      expect(tool?.parameters).toEqual(schema);
    },
  );

  it('decodeTools sets the parameters type to object', () => {
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

  it('decodeTools omits an empty description', () => {
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
  ])('T10: decodeTools omits %s with a warning, because only Google can run it', (name) => {
    const { tools, extensions } = decode({ tools: [{ functionDeclarations: [zoom] }, { [name]: {} }] });
    expect(tools.map((tool) => tool.name)).toEqual(['zoom']);
    expect(extensions).toEqual([`tools.${name}`]);
  });

  it.each(['AUTO', 'NONE', undefined])(
    'decodeTools drops the tool choice %s if all tools are omitted',
    (mode) => {
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
    },
  );

  it('decodeTools rejects a required call if all tools are omitted', () => {
    const toolConfig = { functionCallingConfig: { mode: 'ANY' } };
    expect(decodingProblem({ tools: [{ googleSearch: {} }], toolConfig })).toMatchObject({
      code: 'invalid_request',
      param: 'toolConfig.functionCallingConfig.mode',
    });
  });

  it('decodeTools ignores a tool that is null', () => {
    expect(decodingProblem({ tools: [{ functionDeclarations: [zoom], googleSearch: null }] })).toBeNull();
  });

  it('decodeRequest warns about other tool settings', () => {
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
    expect(decode(fields).extensions.toSorted()).toEqual([
      'toolConfig.functionCallingConfig.streamFunctionCallArguments',
      'toolConfig.includeServerSideToolInvocations',
      'toolConfig.retrievalConfig',
      'tools.functionDeclarations.behavior',
      'tools.functionDeclarations.response',
    ]);
  });
});

describe('T3: tool choice', () => {
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
  ])('decodeTools reads the mode %s as a tool choice', (mode, choice) => {
    expect(choose({ mode }).toolChoice).toEqual(choice);
  });

  it('decodeTools returns a single allowed function as the chosen tool', () => {
    const { toolChoice, tools } = choose({ mode: 'ANY', allowedFunctionNames: ['now'] });
    expect(toolChoice).toEqual({ kind: 'tool', name: 'now' });
    expect(tools).toEqual([now]);
  });

  it('decodeTools returns only the allowed functions', () => {
    const { toolChoice, tools } = choose({ mode: 'ANY', allowed_function_names: ['a', 'c'] }, [
      'a',
      'b',
      'c',
    ]);
    expect(toolChoice).toEqual({ kind: 'required' });
    expect(tools.map(({ name }) => name)).toEqual(['a', 'c']);
  });

  it('decodeTools rejects an unknown mode with its param', () => {
    const fields = { tool_config: { function_calling_config: { mode: 'MAYBE' } } };
    expect(decodingProblem(fields)).toMatchObject({ param: 'toolConfig.functionCallingConfig.mode' });
  });

  it('decodeTools makes tools strict for the mode VALIDATED', () => {
    expect(choose({ mode: 'VALIDATED' }).tools.every(({ isStrict }) => isStrict)).toBe(true);
    expect(choose({ mode: 'AUTO' }).tools.some(({ isStrict }) => isStrict)).toBe(false);
  });

  it('decodeTools returns no tool choice by default', () => {
    expect(decode({ tools: [{ functionDeclarations: [zoom] }] })).not.toHaveProperty('toolChoice');
  });
});

describe('tools for a provider', () => {
  it('encodeTools sends functions with JSON Schema and omits empty parameters', () => {
    expect(encodeFor(secondGeneration, { tools: [zoomTool, now] }).body.tools).toEqual([
      {
        functionDeclarations: [
          { name: 'zoom', description: 'Zooms in', parametersJsonSchema: zoomTool.parameters },
          { name: 'now' },
        ],
      },
    ]);
  });

  it('T2: encodeTools converts the schemas', () => {
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
  ])('encodeTools encodes the tool choice %j', (toolChoice, functionCallingConfig) => {
    expect(encodeFor(secondGeneration, { tools: [zoomTool, now], toolChoice }).body.toolConfig).toEqual({
      functionCallingConfig,
    });
  });

  it('encodeTools omits the tool choice without tools', () => {
    const { body } = encodeFor(secondGeneration, { toolChoice: { kind: 'auto' } });
    expect(body).not.toHaveProperty('toolConfig');
    expect(body).not.toHaveProperty('tools');
  });

  it('T4: encodeRequest warns that parallel tool calls cannot be disabled', () => {
    expect(encodeFor(secondGeneration, { tools: [now], isParallelToolUse: false }).warnings).toEqual([
      'parallel_tool_calls',
    ]);
    expect(encodeFor(secondGeneration, { tools: [now], isParallelToolUse: true }).warnings).toEqual([]);
    expect(encodeFor(secondGeneration, { isParallelToolUse: false }).warnings).toEqual([]);
  });

  it('encodeRequest warns that tools cannot be strict', () => {
    expect(encodeFor(secondGeneration, { tools: [{ ...now, isStrict: true }] }).warnings).toEqual(['strict']);
    expect(encodeFor(secondGeneration, { tools: [{ ...now, isStrict: false }] }).warnings).toEqual([]);
  });
});
