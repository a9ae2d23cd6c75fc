import type { AnyBlock } from './block.ts';
import type { ModelTraits } from './model-traits.ts';
import { isForeignSignature } from './signature.ts';
import type { MessagesRequest } from './wire.ts';

type Messages = MessagesRequest['messages'];

/**
 * Removes the thinking of other providers from a conversation, because Anthropic rejects thinking that it did not sign.
 * Returns the same array if there is none.
 */
export function dropForeignThinking(messages: Messages, { checksSignatures }: ModelTraits): Messages {
  const isForeign = (block: AnyBlock) => isMadeElsewhere(block, checksSignatures);
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

function isMadeElsewhere({ type, signature, data }: AnyBlock, mustBeSigned: boolean): boolean {
  if (type === 'redacted_thinking') return typeof data === 'string' && isForeignSignature(data);
  if (type !== 'thinking') return false;
  const text = typeof signature === 'string' ? signature : '';
  return text === '' ? mustBeSigned : isForeignSignature(text);
}
