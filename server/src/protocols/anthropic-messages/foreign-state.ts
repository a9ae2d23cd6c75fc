import { type AnyBlock, encodeToolId, isForeignSignature } from './block.ts';
import type { ModelTraits } from './model-traits.ts';
import type { MessagesRequest } from './wire.ts';

type Messages = MessagesRequest['messages'];

/**
 * Removes the thinking of other providers from a conversation, because Anthropic rejects thinking that it did not
 * sign, and maps call ids to Anthropic's format. Returns the same array if nothing changes.
 */
export function dropForeignState(messages: Messages, { checksSignatures }: ModelTraits): Messages {
  const fit = (block: AnyBlock) => (isMadeElsewhere(block, checksSignatures) ? [] : [fitToolId(block)]);
  let isChanged = false;
  const fitted = messages.map((message) => {
    if (typeof message.content === 'string') return message;
    const content = message.content.flatMap(fit);
    if (
      content.length === message.content.length &&
      content.every((block, at) => block === message.content[at])
    )
      return message;
    isChanged = true;
    return { ...message, content };
  });
  if (!isChanged) return messages;
  return fitted.filter(({ content }, index) => content.length > 0 || messages[index]?.content.length === 0);
}

/** Applies only to calls of client tools. The ids of server tools are Anthropic's own. */
function fitToolId(block: AnyBlock): AnyBlock {
  const name = block.type === 'tool_use' ? 'id' : block.type === 'tool_result' ? 'tool_use_id' : null;
  const id = name && block[name];
  if (!name || typeof id !== 'string') return block;
  const fitted = encodeToolId(id);
  return fitted === id ? block : { ...block, [name]: fitted };
}

function isMadeElsewhere({ type, signature, data }: AnyBlock, mustBeSigned: boolean): boolean {
  if (type === 'redacted_thinking') return typeof data === 'string' && isForeignSignature(data);
  if (type !== 'thinking') return false;
  const text = typeof signature === 'string' ? signature : '';
  if (text === '') return mustBeSigned;
  return isForeignSignature(text) || (mustBeSigned && isLookalikeSignature(text));
}

/**
 * Other vendors with this API sign with hexadecimal digests or UUIDs. Anthropic's signatures are longer and in
 * base64.
 */
function isLookalikeSignature(text: string): boolean {
  return /^[0-9a-f-]{16,}$/i.test(text);
}
