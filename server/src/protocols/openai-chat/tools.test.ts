import { describe, expect, it } from 'vitest';
import type { CanonicalRequest, Tool, ToolChoice } from '../canonical/request.ts';
import { encodeTools } from './tools.ts';

const tool: Tool = { name: 'look_up', parameters: { type: 'object', properties: {} } };
const encode = (fields: Partial<CanonicalRequest>) =>
  encodeTools({ messages: [], tools: [], stop: [], sampling: {}, extensions: [], ...fields });

describe('the fields about tools', () => {
  it('are none without tools, since a choice among none is refused', () => {
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
  ])('say %o in words of chat completions', (toolChoice, sent) => {
    expect(encode({ tools: [tool], toolChoice })).toMatchObject({ tool_choice: sent });
  });

  it.each([true, false])(
    'say whether calls may come together (%s), where the caller did',
    (isParallelToolUse) => {
      expect(encode({ tools: [tool], isParallelToolUse })).toMatchObject({
        parallel_tool_calls: isParallelToolUse,
      });
      expect(encode({ tools: [tool] })).not.toHaveProperty('parallel_tool_calls');
    },
  );

  it('are strict where the tool is, and say nothing where it does not', () => {
    expect(encode({ tools: [{ ...tool, isStrict: true }] })).toMatchObject({
      tools: [{ function: { strict: true } }],
    });
    expect(JSON.stringify(encode({ tools: [tool] }))).not.toContain('strict');
  });
});
