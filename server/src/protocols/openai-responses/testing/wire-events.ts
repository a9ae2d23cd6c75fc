import type { StreamEvent } from '../../canonical/stream-event.ts';
import { decodeEvents } from './exchange.ts';

export const response = (fields: object = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  model: 'gpt-9',
  status: 'in_progress',
  output: [],
  usage: null,
  ...fields,
});
export const created = { type: 'response.created', response: response() };
export const completed = (fields: object = {}) => ({
  type: 'response.completed',
  response: response({ status: 'completed', ...fields }),
});
export const added = (output_index: number, item: object) => ({
  type: 'response.output_item.added',
  output_index,
  item,
});
export const done = (output_index: number, item: object) => ({
  type: 'response.output_item.done',
  output_index,
  item,
});
export const message = (id: string, ...texts: string[]) => ({
  id,
  type: 'message',
  role: 'assistant',
  content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
});
export const textDelta = (output_index: number, delta: string, content_index = 0) => ({
  type: 'response.output_text.delta',
  output_index,
  content_index,
  delta,
});
export const call = (id: string, json = '', name = 'read') => ({
  id,
  type: 'function_call',
  call_id: `call_${id}`,
  name,
  arguments: json,
});
export const jsonDelta = (output_index: number, delta: string) => ({
  type: 'response.function_call_arguments.delta',
  output_index,
  delta,
});
export const thought = (id: string, fields: object = {}) => ({
  id,
  type: 'reasoning',
  summary: [],
  ...fields,
});
export const summaryDelta = (output_index: number, delta: string, summary_index = 0) => ({
  type: 'response.reasoning_summary_text.delta',
  output_index,
  summary_index,
  delta,
});
export const thoughtDelta = (output_index: number, delta: string) => ({
  type: 'response.reasoning_text.delta',
  output_index,
  content_index: 0,
  delta,
});

export const blocksOf = (...events: object[]): StreamEvent[] =>
  decodeEvents(created, ...events, completed()).filter(
    ({ type }) => !['start', 'usage', 'finish', 'end'].includes(type),
  );
export const typesOf = (events: readonly StreamEvent[]): string[] => events.map(({ type }) => type);
