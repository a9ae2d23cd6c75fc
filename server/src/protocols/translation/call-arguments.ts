import { callLimits } from '#json/body-limits.ts';
import { parseWithin } from '#json/exact-json.ts';
import { scanJson } from '#json/json-scan.ts';
import { finish } from '#platform/steps.ts';
import type { Message } from '../canonical/content.ts';
import type { RequestProblem } from '../canonical/request.ts';

/** Missing arguments, in any notation, become an empty object. */
export function fillArguments(json: string): string {
  return json.trim() === '' || json === 'null' ? '{}' : json;
}

/** Returns an object. JSON values that are not objects are wrapped, and invalid JSON is returned as text. */
export function readArguments(json: string): unknown {
  const text = json.trim();
  if (text === '' || text === 'null') return {};
  try {
    const value = parseWithin(text, callLimits);
    return text.startsWith('{') ? value : { value };
  } catch {
    return { invalid_arguments: json };
  }
}

/** Returns a problem if the arguments of a conversation's calls, which are still strings, exceed the limits. */
export function findExcessiveCalls(messages: readonly Message[]): RequestProblem | null {
  let values = 0;
  for (const message of messages) {
    if (message.role !== 'assistant') continue;
    for (const part of message.parts) {
      if (part.type !== 'tool-call') continue;
      const scan = finish(scanJson(Buffer.from(part.arguments), callLimits));
      values += scan.ok ? scan.counts.values : callLimits.values;
      if (values > callLimits.values) return tooManyCallsProblem();
    }
  }
  return null;
}

function tooManyCallsProblem(): RequestProblem {
  const message = `The arguments of the calls in this conversation contain more than ${callLimits.values} values, or nest deeper than ${callLimits.depth} levels.`;
  return { code: 'invalid_request', message, param: 'messages' };
}
