import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, Tool, ToolChoice } from '../canonical/request.ts';
import type { RequestTarget } from '../protocol.ts';
import { encodeTools } from './tools.ts';

const tool: Tool = { name: 'look_up', parameters: { type: 'object', properties: {} } };
const target: RequestTarget = {
  model: 'm',
  isStream: false,
  defaultOutputTokensMax: 4_096,
  isReasoningModel: false,
};
const encode = (fields: Partial<CanonicalRequest>) =>
  encodeTools(
    { messages: [], tools: [], stop: [], sampling: {}, extensions: [], ...fields },
    target,
    () => {},
  );

describe('encodeTools', () => {
  it('encodeTools writes nothing without tools, since providers reject a choice without tools', () => {
    expect(encode({ toolChoice: { kind: 'required' }, isParallelToolUse: false })).toEqual({});
  });

  it.each<[choice: ToolChoice, sent: unknown]>([
    [{ kind: 'auto' }, 'auto'],
    [{ kind: 'none' }, 'none'],
    [{ kind: 'required' }, 'required'],
    [
      { kind: 'tool', name: 'look_up' },
      { type: 'function', function: { name: 'look_up' } },
    ],
  ])('encodeTools writes the choice %j', (toolChoice, sent) => {
    expect(encode({ tools: [tool], toolChoice })).toMatchObject({ tool_choice: sent });
  });

  it.each([true, false])(
    'encodeTools writes parallel tool use (%s) if the caller set it',
    (isParallelToolUse) => {
      expect(encode({ tools: [tool], isParallelToolUse })).toMatchObject({
        parallel_tool_calls: isParallelToolUse,
      });
      expect(encode({ tools: [tool] })).not.toHaveProperty('parallel_tool_calls');
    },
  );

  it('encodeTools writes strict only for tools that set it', () => {
    expect(encode({ tools: [{ ...tool, isStrict: true }] })).toMatchObject({
      tools: [{ function: { strict: true } }],
    });
    expect(JSON.stringify(encode({ tools: [tool] }))).not.toContain('strict');
  });
});
