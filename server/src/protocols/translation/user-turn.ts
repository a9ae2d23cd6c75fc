import type { ToolResultPart, UserPart } from '../canonical/content.ts';

type SaidPart = Exclude<UserPart, ToolResultPart>;

/** A user's turn for protocols in which each result of a tool is a message of its own. */
export interface SplitTurn {
  readonly results: readonly ToolResultPart[];
  /** What the user says after them. */
  readonly said: readonly SaidPart[];
}

/** What stands for a result whose parts have all gone to the user's message. */
const pointer = { type: 'text', text: 'See the attachments below.' } as const;

/** Results keep the parts that a tool's message may hold; the others follow as the user's. */
export function splitUserTurn(
  parts: readonly UserPart[],
  mayStay: (part: ToolResultPart['parts'][number]) => boolean,
): SplitTurn {
  const results: ToolResultPart[] = [];
  const moved: SaidPart[] = [];
  for (const result of parts.filter((part) => part.type === 'tool-result')) {
    const attachments = result.parts.filter((part) => !mayStay(part));
    const kept = result.parts.filter(mayStay);
    results.push({ ...result, parts: kept.length === 0 && attachments.length > 0 ? [pointer] : kept });
    if (attachments.length > 0)
      moved.push({ type: 'text', text: `Attachments of the tool call ${result.callId}:` }, ...attachments);
  }
  return { results, said: [...moved, ...parts.filter((part) => part.type !== 'tool-result')] };
}
