import { objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

type Fields = Record<string, unknown>;

/** Throws `RequestRefused` unless the messages are in the order that Anthropic requires. */
export function checkConversation(messages: Fields[]): void {
  if (messages[0]?.role !== 'user')
    throw invalidRequest(null, null, 'messages: first message must use the "user" role');
  for (const [index, message] of messages.entries()) checkContent(message, index, messages.length - 1);
  checkToolResults(messages);
}

function checkContent({ role, content }: Fields, index: number, last: number): void {
  const isFinalAnswer = role === 'assistant' && index === last;
  if ((content === '' || (Array.isArray(content) && content.length === 0)) && !isFinalAnswer) {
    const rule = 'all messages must have non-empty content except for the optional final assistant message';
    throw invalidRequest(null, `messages[${index}]`, rule);
  }
  const text = typeof content === 'string' ? content : objectsIn(content).at(-1)?.text;
  if (isFinalAnswer && /\s$/.test(String(text ?? '')))
    throw invalidRequest(null, 'messages', 'final assistant content cannot end with trailing whitespace');
}

/** Each tool use must have its result at the start of the next user message, and each result its tool use. */
function checkToolResults(messages: Fields[]): void {
  const seen = new Set<unknown>();
  let open: unknown[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    if (role === 'system') continue;
    const blocks = objectsIn(content);
    checkResults(blocks, open, index);
    open = blocks.flatMap(({ type, id }) => (type === 'tool_use' ? [id] : []));
    for (const id of open) {
      if (seen.has(id)) throw invalidRequest(null, `messages[${index}]`, '`tool_use` ids must be unique');
      seen.add(id);
    }
  }
  checkResults([], open, messages.length);
}

function checkResults(blocks: Fields[], open: unknown[], index: number): void {
  const firstOther = blocks.findIndex(({ type }) => type !== 'tool_result');
  const leading = firstOther < 0 ? blocks : blocks.slice(0, firstOther);
  const answered = leading.map(({ tool_use_id: id }) => id);
  const missing = open.filter((id) => !answered.includes(id));
  if (missing.length > 0) {
    const rule = '`tool_use` ids were found without `tool_result` blocks immediately after';
    throw invalidRequest(null, `messages[${index - 1}]`, `${rule}: ${missing.join(', ')}`);
  }
  const results = blocks.filter(({ type }) => type === 'tool_result').map(({ tool_use_id: id }) => id);
  const foreign = results.find((id) => !open.includes(id));
  if (foreign !== undefined) {
    const rule =
      'unexpected `tool_use_id` found in `tool_result` blocks, the previous message has no such use';
    throw invalidRequest(null, `messages[${index}]`, `${rule}: ${foreign}`);
  }
  if (new Set(results).size < results.length)
    throw invalidRequest(null, `messages[${index}]`, 'each tool_use must have a single result');
}
