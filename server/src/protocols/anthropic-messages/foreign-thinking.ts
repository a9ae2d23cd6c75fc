import type { AnyBlock } from './block.ts';
import { isForeignSignature } from './signature.ts';
import type { MessagesRequest } from './wire.ts';

type Messages = MessagesRequest['messages'];

/**
 * A conversation without the thinking that another provider did in an earlier turn: Anthropic refuses a request that
 * holds thinking it has not signed. The very same array when there is none.
 */
export function dropForeignThinking(messages: Messages): Messages {
  if (!messages.some(({ content }) => typeof content !== 'string' && content.some(isForeign)))
    return messages;
  return messages
    .map((message) =>
      typeof message.content === 'string'
        ? message
        : { ...message, content: message.content.filter((block) => !isForeign(block)) },
    )
    .filter(({ content }, index) => content.length > 0 || messages[index]?.content.length === 0);
}

function isForeign({ type, signature, data }: AnyBlock): boolean {
  if (type === 'thinking') return typeof signature !== 'string' || isForeignSignature(signature);
  return type === 'redacted_thinking' && typeof data === 'string' && isForeignSignature(data);
}
