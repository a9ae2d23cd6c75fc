import { objectsIn } from './checks.ts';
import { invalidRequest } from './problem.ts';

// Follows the last message, so that its calls without a result are reported as well.
const end: Record<string, unknown> = {};

/** Throws `RequestRefused` unless every call has its result directly after it, and every result its call. */
export function checkToolResults(messages: unknown): void {
  let open = new Set<unknown>();
  for (const [index, message] of [...objectsIn(messages), end].entries()) {
    if (message.role === 'tool') {
      if (open.delete(message.tool_call_id)) continue;
      const rule = "a message with role 'tool' must be a response to a preceding message with 'tool_calls'";
      throw invalidRequest(null, `messages[${index}].role`, rule);
    }
    if (open.size > 0) {
      const missing = [...open].join(', ');
      const rule = "'tool_calls' must be followed by a tool message for each of them";
      throw invalidRequest(null, 'messages', `${rule}, there is none for ${missing}`);
    }
    open = new Set(objectsIn(message.tool_calls).map(({ id }) => id));
  }
}
