const prefixes = { reasoning: 'rs', message: 'msg', function_call: 'fc' };

/** The id of an item of an answer; one that follows thoughts says so, as it cannot come back without them. */
export function itemId(
  kind: keyof typeof prefixes,
  callId: string,
  index: number,
  isAfterThoughts: boolean,
): string {
  return `${prefixes[kind]}_${callId}_${index}${isAfterThoughts ? 'r' : ''}`;
}

/** The thoughts that an item cannot come back without. */
export function requiredThoughts(id: unknown): string | null {
  const [, callId] = /^(?:msg|fc)_(\d+)_\d+r$/.exec(String(id)) ?? [];
  return callId === undefined ? null : itemId('reasoning', callId, 0, false);
}
