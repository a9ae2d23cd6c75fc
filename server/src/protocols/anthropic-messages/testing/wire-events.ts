import type { StreamEvent } from '../../canonical/stream-event.ts';
import { decodeStream } from './exchange.ts';

export const messageStart = (fields: object = {}) => ({
  type: 'message_start',
  message: {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    model: 'claude-sonnet-4-5',
    content: [],
    usage: { input_tokens: 10, cache_read_input_tokens: 4, output_tokens: 1 },
    ...fields,
  },
});
export const blockStart = (index: number, block: object) => ({
  type: 'content_block_start',
  index,
  content_block: block,
});
export const textStart = (index: number) => blockStart(index, { type: 'text', text: '' });
export const toolStart = (index: number, name = 'read', input: object = {}) =>
  blockStart(index, { type: 'tool_use', id: `toolu_${index}`, name, input });
export const delta = (index: number, fields: object) => ({
  type: 'content_block_delta',
  index,
  delta: fields,
});
export const textDelta = (index: number, text: string) => delta(index, { type: 'text_delta', text });
export const json = (index: number, partial_json: string) =>
  delta(index, { type: 'input_json_delta', partial_json });
export const blockStop = (index: number) => ({ type: 'content_block_stop', index });
export const messageDelta = (stop_reason: string | null, usage: object = {}, fields: object = {}) => ({
  type: 'message_delta',
  delta: { stop_reason, stop_sequence: null, ...fields },
  usage,
});
export const messageStop = { type: 'message_stop' };

export const blocksOf = (...events: object[]) =>
  decodeStream(messageStart(), ...events, messageDelta('end_turn'), messageStop).filter(
    ({ type }) => !['start', 'usage', 'finish', 'end'].includes(type),
  );
export const typesOf = (events: readonly StreamEvent[]) => events.map(({ type }) => type);
export const finishOf = (...events: object[]) => {
  const finish = decodeStream(messageStart(), ...events, messageStop).find(({ type }) => type === 'finish');
  return finish?.type === 'finish' ? finish.finish : null;
};
