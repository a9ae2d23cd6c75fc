import { expect, it } from 'vitest';
import { readNextTurn } from '#test/processes/next-turn.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { cohere } from './index.ts';
import { encodeWishes } from './testing/exchange.ts';

const answer = cohere.provider.decodeResponse(
  Buffer.from(
    JSON.stringify({
      id: 'a1',
      message: {
        role: 'assistant',
        tool_plan: 'I will ask twice.',
        tool_calls: [
          { id: 'now_x1', type: 'function', function: { name: 'now', arguments: 'null' } },
          { id: 'now_x2', type: 'function', function: { name: 'now', arguments: '{"zone":"UTC"}' } },
        ],
      },
      finish_reason: 'TOOL_CALL',
    }),
  ),
)!;

it.each(callerProtocols)(
  'T6, T7: a caller of $id can send back a turn of tool calls with its plan, IDs, and results',
  (protocol) => {
    const { body, warnings } = encodeWishes(readNextTurn(protocol, answer));
    expect(body.messages[1]).toMatchObject({
      role: 'assistant',
      tool_plan: 'I will ask twice.',
      tool_calls: [
        { id: 'now_x1', function: { name: 'now', arguments: '{}' } },
        { id: 'now_x2', function: { name: 'now', arguments: '{"zone":"UTC"}' } },
      ],
    });
    expect(body.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'now_x1', content: 'ten' },
      { role: 'tool', tool_call_id: 'now_x2', content: 'ten' },
    ]);
    expect(warnings).toEqual([]);
  },
);
