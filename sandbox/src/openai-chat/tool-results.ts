import { objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` unless every call is answered right after it, and nothing else is. */
export function checkToolResults(messages: unknown): void {
  let open = new Set<unknown>();
  for (const [index, message] of [...objectsIn(messages), {} as Fields].entries()) {
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) continue;
      const rule = "messages with role 'tool' must be a response to a preceding message with 'tool_calls'";
      throw invalidRequest(null, `messages[${index}].role`, `Invalid parameter: ${rule}.`);
    }
    if (open.size > 0) {
      const missing = [...open].join(', ');
      const rule =
        "An assistant message with 'tool_calls' must be followed by tool messages for each of them";
      throw invalidRequest(null, 'messages', `${rule}. Without a response message: ${missing}.`);
    }
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => id));
  }
}
