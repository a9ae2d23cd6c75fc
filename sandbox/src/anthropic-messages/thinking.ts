import { isSigned } from '../generation/signature.ts';
import { isObject, objectsIn } from '../request/checks.ts';
import { invalidRequest } from '../request/problem.ts';

type Fields = Record<string, unknown>;

const isThought = ({ type }: Fields) => type === 'thinking' || type === 'redacted_thinking';

/** Throws `RequestRefused` if thinking is sent back changed, or requested with an incompatible parameter. */
export function checkThinking(body: Fields): void {
  const messages = objectsIn(body.messages);
  for (const [index, { content }] of messages.entries()) {
    for (const [at, block] of objectsIn(content).entries()) {
      if (isThought(block) && !isSigned(String(block.thinking ?? ''), block.signature)) {
        const rule = `Invalid \`signature\` in \`${block.type}\` block`;
        throw invalidRequest(null, `messages[${index}].content[${at}]`, rule);
      }
    }
  }
  const isCountOnly = body.max_tokens === undefined;
  if (isCountOnly || !isObject(body.thinking) || body.thinking.type === 'disabled') return;
  checkSampling(body);
  if (body.thinking.type !== 'enabled') return;
  if (Number(body.max_tokens) <= Number(body.thinking.budget_tokens))
    throw invalidRequest(null, null, '`max_tokens` must be greater than `thinking.budget_tokens`.');
  checkLastTurn(messages);
}

function checkSampling({ temperature, top_k, top_p, tool_choice: choice }: Fields): void {
  if (temperature !== undefined && temperature !== 1)
    throw invalidRequest(null, null, '`temperature` may only be set to 1 when thinking is enabled.');
  if (top_k !== undefined)
    throw invalidRequest(null, null, '`top_k` must be unset when thinking is enabled.');
  if (top_p !== undefined && Number(top_p) < 0.95)
    throw invalidRequest(
      null,
      null,
      '`top_p` must be greater than or equal to 0.95 or unset when thinking is enabled.',
    );
  if (isObject(choice) && (choice.type === 'any' || choice.type === 'tool'))
    throw invalidRequest(null, null, 'Thinking may not be enabled when tool_choice forces tool use.');
}

/** When tool results are sent, the turn that called the tools must begin with its thinking. */
function checkLastTurn(messages: Fields[]): void {
  const index = messages.findLastIndex(({ role }) => role === 'assistant');
  const blocks = objectsIn(messages[index]?.content);
  const [first] = blocks;
  if (!first || isThought(first) || !blocks.some(({ type }) => type === 'tool_use')) return;
  const rule = `Expected \`thinking\` or \`redacted_thinking\`, but found \`${first.type}\`.`;
  const hint = 'When `thinking` is enabled, a final `assistant` message must start with a thinking block.';
  throw invalidRequest(null, `messages[${index}].content[0].type`, `${rule} ${hint}`);
}
