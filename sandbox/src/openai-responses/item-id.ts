const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' };

/**
 * Returns the id of an output item. Ids of items that follow reasoning include it, since both are required in the next
 * input.
 */
export function itemId(
  kind: keyof typeof prefixes,
  callId: string,
  index: number,
  isAfterThoughts: boolean,
): string {
  return `${prefixes[kind]}_${callId}_${index}${isAfterThoughts ? 'r' : ''}`;
}

/** Returns the id of the reasoning that an item must be sent back with, or null. */
export function requiredThoughts(id: unknown): string | null {
  const [, callId] = /^(?:msg|fc)_(\d+)_\d+r$/.exec(String(id)) ?? [];
  return callId === undefined ? null : itemId('reasoning', callId, 0, false);
}
