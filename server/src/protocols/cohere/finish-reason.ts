import { type AnswerFailure, type Finish, type FinishReason, failureOf } from '../canonical/response.ts';
import { readText } from '../json/json-value.ts';
import { describeFailure } from '../translation/classify-failure.ts';
import { findCommonCode } from '../translation/error-meanings.ts';

/** Cohere's finish reasons. Unknown values map to `stop`. */
const reasons: Readonly<Record<string, FinishReason>> = {
  COMPLETE: 'stop',
  STOP_SEQUENCE: 'stop',
  MAX_TOKENS: 'length',
  ERROR_LIMIT: 'length',
  TOOL_CALL: 'tool-calls',
  ERROR_TOXIC: 'content-filter',
  ERROR: 'error',
  TIMEOUT: 'error',
};

/** Maps Cohere's finish reason. `hasCalls` decides about calls; `error` explains a failure. */
export function readFinish(native: unknown, hasCalls: boolean, error?: unknown): Finish {
  const word = typeof native === 'string' ? native : null;
  const told = (word !== null && Object.hasOwn(reasons, word) && reasons[word]) || 'stop';
  const message = told === 'error' ? readText(error) : '';
  const isWhole = told === 'stop' || told === 'tool-calls';
  return {
    reason: isWhole ? (hasCalls ? 'tool-calls' : 'stop') : told,
    native: word,
    ...(message !== '' && { message }),
  };
}

/** Reads the failure of a response that Cohere ended with an error; only its message says which. */
export function readFailedFinish(finish: Finish): AnswerFailure {
  const { message = '', native } = finish;
  const code = native === 'TIMEOUT' ? null : findCommonCode([], message);
  return code === null ? failureOf(finish) : describeFailure({ message, code, param: null });
}
