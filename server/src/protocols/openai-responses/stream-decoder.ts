import { isObject, parseObject, readText } from '#json/json-value.ts';
import type { StreamDecoder, StreamEvent } from '../canonical/stream-event.ts';
import { readFailure } from '../openai-chat/errors.ts';
import { type AnswerDecoder, createAnswerDecoder, readAnswerStart, readOutput } from './answer-decoder.ts';
import { readFailedResponse, readFinish, readUsage } from './response-object.ts';
import type { WireResponse, WireStreamEvent } from './wire.ts';

const lastStatuses: ReadonlySet<string> = new Set(['completed', 'incomplete', 'failed', 'cancelled']);

/** An incomplete stream produces no `finish` and `end` events. */
export function createStreamDecoder(): StreamDecoder {
  let isStarted = false;
  let isOver = false;
  let seed = '';
  const answer = createAnswerDecoder(() => seed);
  const start = (response: WireResponse): StreamEvent[] => {
    if (isStarted) return [];
    isStarted = true;
    seed = readText(response.id);
    return [readAnswerStart(response)];
  };
  const fail = (value: unknown): StreamEvent[] => {
    isOver = true;
    return [...answer.close(), { type: 'error', ...readFailure(value) }];
  };
  return {
    decode({ event: name, data }) {
      if (isOver || data === '' || data === '[DONE]') return [];
      const event: WireStreamEvent | null = parseObject(data);
      if (!event) return fail('The provider sent a stream event that is not JSON.');
      const type = readText(event.type) || name;
      const response: WireResponse | null = isObject(event.response) ? event.response : null;
      if (type === 'error' || (event.error && !response)) return fail(event);
      if (!response) {
        const told = answer.read(event.type === type ? event : { ...event, type });
        return told.length === 0 ? told : [...start({}), ...told];
      }
      const status = readLastStatus(type, response);
      if (status === null) return start(response);
      isOver = true;
      return [...start(response), ...readEnd({ ...response, status }, answer)];
    },
    end: () => (isOver ? [] : answer.close()),
  };
}

/** Returns `null` while the response is in progress. */
function readLastStatus(type: string, { status }: WireResponse): string | null {
  const words = [readText(status), type.replace(/^response\./, '')];
  return words.find((word) => lastStatuses.has(word)) ?? null;
}

function readEnd(response: WireResponse, answer: AnswerDecoder): StreamEvent[] {
  const untold = answer.hasItems() ? [] : readOutput(response, answer);
  const usage = readUsage(response.usage);
  const last = [...untold, ...answer.close(), ...(usage ? [{ type: 'usage', usage } as const] : [])];
  const finish = readFinish(response, answer.hasCalls());
  if (finish.reason === 'error') return [...last, { type: 'error', ...readFailedResponse(response) }];
  return [...last, { type: 'finish', choice: 0, finish }, { type: 'end' }];
}
