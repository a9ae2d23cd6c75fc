import type { ToolResultPart, UserPart } from '../canonical/content.ts';

type SaidPart = Exclude<UserPart, ToolResultPart>;

/** User turn for protocols in which each tool result is a separate message. */
export interface SplitTurn {
  readonly results: readonly ToolResultPart[];
  readonly said: readonly SaidPart[];
}

/** Placeholder for a result whose parts were all moved to the user's message. */
const pointer = { type: 'text', text: 'See the attachments below.' } as const;

/** Keeps the parts that a tool message may contain in the results, and moves the other parts to the user's message. */
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

/** Marks a failed tool result in its text, for protocols without a field for failures. */
export function markFailure(result: ToolResultPart): ToolResultPart {
  if (!result.isError) return result;
  const [first, ...others] = result.parts;
  const parts: ToolResultPart['parts'] =
    first?.type === 'text'
      ? [{ ...first, text: `Tool error: ${first.text}` }, ...others]
      : [{ type: 'text', text: 'Tool error' }, ...result.parts];
  return { ...result, parts };
}
