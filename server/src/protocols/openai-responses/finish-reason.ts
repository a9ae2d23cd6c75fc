import { type AnswerFailure, type Finish, type FinishReason, failureOf } from '../canonical/response.ts';
import { readText } from '../json/json-value.ts';
import { readFailure } from '../openai-chat/errors.ts';
import type { WireResponse } from './wire.ts';

const reasonsByCause: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: 'length',
  max_tokens: 'length',
  content_filter: 'content-filter',
};

/** Reads the finish reason. Calls do not change the status `completed`; unknown statuses map to `stop`. */
export function readFinish({ status, incomplete_details }: WireResponse, hasCalls: boolean): Finish {
  const word = readText(status) || null;
  if (word === 'failed' || word === 'cancelled') return { reason: 'error', native: word };
  if (word === 'incomplete') {
    const cause = readText(incomplete_details?.reason);
    const reason = Object.hasOwn(reasonsByCause, cause) ? reasonsByCause[cause] : undefined;
    return { reason: reason ?? 'length', native: cause || word };
  }
  return { reason: hasCalls ? 'tool-calls' : 'stop', native: word };
}

/** Reads the error of a response whose status is `failed` or `cancelled`. */
export function readFailedResponse(response: WireResponse): AnswerFailure {
  return response.error
    ? readFailure({ error: response.error })
    : failureOf({ reason: 'error', native: readText(response.status) || null });
}

export type Status = 'completed' | 'incomplete' | 'failed';

/** The status of a response and its details. */
export interface Ending {
  readonly status: Status;
  readonly incomplete_details: { readonly reason: string } | null;
  readonly error: { readonly code: string; readonly message: string } | null;
}

export function writeEnding(finish: Finish): Ending {
  switch (finish.reason) {
    case 'length':
      return incomplete('max_output_tokens');
    case 'content-filter':
      return incomplete('content_filter');
    case 'error': {
      const error = { code: 'server_error', message: failureOf(finish).message };
      return { status: 'failed', incomplete_details: null, error };
    }
    default:
      return { status: 'completed', incomplete_details: null, error: null };
  }
}

function incomplete(reason: string): Ending {
  return { status: 'incomplete', incomplete_details: { reason }, error: null };
}
