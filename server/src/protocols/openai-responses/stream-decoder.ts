import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { isObject, parseObject, readText } from '../json-value.ts';
import { classifyStreamError, describeError } from '../openai-chat/errors.ts';
import { type AnswerDecoder, createAnswerDecoder, describeStart, readOutput } from './answer-decoder.ts';
import { readFinish } from './finish-reason.ts';
import { readUsage } from './usage.ts';
import type { WireResponse, WireStreamEvent } from './wire.ts';

const endings: ReadonlySet<string> = new Set([
  'response.completed',
  'response.incomplete',
  'response.failed',
  'response.cancelled',
]);

/** Follows the events of a streamed response. A stream that breaks off ends without `finish` and `end`. */
export function createStreamDecoder(): StreamDecoder {
  let isStarted = false;
  let isOver = false;
  let seed = '';
  const answer = createAnswerDecoder(() => seed);
  const start = (response: WireResponse): StreamEvent[] => {
    if (isStarted) return [];
    isStarted = true;
    seed = readText(response.id);
    return [describeStart(response)];
  };
  const fail = (value: unknown): StreamEvent[] => {
    isOver = true;
    return [...answer.close(), readError(value)];
  };
  return {
    decode({ event: name, data }) {
      if (isOver || data === '' || data === '[DONE]') return [];
      const event: WireStreamEvent | null = parseObject(data);
      if (!event) return fail('The provider sent a stream event that is not JSON.');
      const type = readText(event.type) || name;
      if (type === 'error' || (event.error && !isObject(event.response))) return fail(event);
      const response: WireResponse | null = isObject(event.response) ? event.response : null;
      const began = start(response ?? {});
      if (!response || !endings.has(type))
        return [...began, ...answer.read(event.type === type ? event : { ...event, type })];
      isOver = true;
      return [...began, ...readEnd(type, response, answer)];
    },
    end: () => (isOver ? [] : answer.close()),
  };
}

/** What the whole answer says that stands in a stream's last event. */
function readEnd(type: string, response: WireResponse, answer: AnswerDecoder): StreamEvent[] {
  const untold = answer.hasItems() ? [] : readOutput(response, answer);
  const usage = readUsage(response.usage);
  const last = [...untold, ...answer.close(), ...(usage ? [{ type: 'usage', usage } as const] : [])];
  if (type === 'response.failed' || type === 'response.cancelled') return [...last, readError(response)];
  const status = response.status ?? type.slice('response.'.length);
  const finish = readFinish({ ...response, status }, answer.hasCalls());
  return [...last, { type: 'finish', choice: 0, finish }, { type: 'end' }];
}

function readError(value: unknown): StreamEvent {
  const told = describeError(value);
  if (told) return { type: 'error', code: classifyStreamError(told), message: told.message };
  return {
    type: 'error',
    code: 'upstream_error',
    message: 'The provider reported an error inside the stream.',
  };
}
