import { expect, it } from 'vitest';
import { readNextTurn } from '#test/processes/next-turn.ts';
import { callerProtocols } from '#test/requests/through-callers.ts';
import { ollama } from './index.ts';
import { encodeWishes } from './testing/exchange.ts';

const answer = ollama.provider.decodeResponse(
  Buffer.from(
    JSON.stringify({
      model: 'qwen3:8b',
      created_at: '2026-09-01T10:00:00.123456789Z',
      message: {
        role: 'assistant',
        content: '',
        thinking: 'I will ask twice.',
        tool_calls: [
          { function: { name: 'now', arguments: {} } },
          { function: { name: 'now', arguments: { zone: 'UTC' } } },
        ],
      },
      done: true,
      done_reason: 'stop',
    }),
  ),
)!;

it.each(callerProtocols)(
  'T6, T7: a caller of $id receives generated IDs for tool calls without IDs, and the results use the same IDs',
  (protocol) => {
    const { body, warnings } = encodeWishes(readNextTurn(protocol, answer));
    const [, turn, ...results] = body.messages;
    expect(turn).toMatchObject({
      role: 'assistant',
      thinking: 'I will ask twice.',
      tool_calls: [
        { function: { name: 'now', arguments: {} } },
        { function: { name: 'now', arguments: { zone: 'UTC' } } },
      ],
    });
    const ids = turn!.tool_calls!.map(({ id }) => id);
    expect(new Set(ids).size).toBe(2);
    expect(results).toEqual(
      ids.map((id) => ({ role: 'tool', tool_call_id: id, tool_name: 'now', content: 'ten' })),
    );
    expect(warnings).toEqual([]);
  },
);
