import type { Message } from '../canonical/content.ts';
import { makeCallId } from './tool-names.ts';

interface SharedId {
  count: number;
  /** New ids of the calls without a result, oldest first. */
  readonly open: string[];
  latest: string;
}

/**
 * Replaces empty and repeated call ids. Some vendors count from 0 in each response, clients send back what they
 * received, and Anthropic rejects ids that occur twice. A result belongs to the oldest call with its id that has no
 * result yet. New ids depend only on earlier calls, so they are the same in every turn.
 */
export function makeCallIdsUnique(messages: readonly Message[]): readonly Message[] {
  if (haveOwnIds(messages)) return messages;
  const known = new Map<string, SharedId>();
  const call = (id: string) => {
    const shared = known.getOrInsertComputed(id, () => ({ count: 0, open: [], latest: id }));
    const isOwn = id !== '' && shared.count === 0;
    shared.latest = isOwn ? id : makeCallId(`${id}/${shared.count}`);
    shared.count++;
    shared.open.push(shared.latest);
    return shared.latest;
  };
  const answer = (id: string) => {
    const shared = known.get(id);
    return shared?.open.shift() ?? shared?.latest ?? id;
  };
  return messages.map((message): Message => {
    if (message.role === 'assistant')
      return {
        ...message,
        parts: message.parts.map((part) =>
          part.type === 'tool-call' ? { ...part, id: call(part.id) } : part,
        ),
      };
    if (message.role === 'system') return message;
    const parts = message.parts.map((part) =>
      part.type === 'tool-result' ? { ...part, callId: answer(part.callId) } : part,
    );
    return { ...message, parts };
  });
}

function haveOwnIds(messages: readonly Message[]): boolean {
  const seen = new Set<string>(['']);
  for (const { parts } of messages)
    for (const part of parts) {
      if (part.type !== 'tool-call') continue;
      if (seen.has(part.id)) return false;
      seen.add(part.id);
    }
  return true;
}
