import type { z } from 'zod';
import { formatPath, toRequestProblem } from '../caller-request/caller-body.ts';
import { quickParse } from '../json/quick-check.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';

/** A block of content as it stands on the wire; only its type is known. */
export interface AnyBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A block by its schema, `null` when its type is unknown to it; throws with the field's path when it is malformed. */
export function readBlock<Block>(
  schema: z.ZodType<Block>,
  block: AnyBlock,
  path: readonly PropertyKey[],
): Block | null {
  const parsed = quickParse(schema, block);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue?.path.length === 1 && issue.path[0] === 'type') return null;
  const { message, param } = toRequestProblem(parsed.error, path);
  throw new UntranslatableError(message, param);
}

export function refuseBlock(block: AnyBlock, path: readonly PropertyKey[]): never {
  const param = formatPath([...path, 'type']);
  throw new UntranslatableError(
    `The block type '${block.type}' at '${param}' is known to Anthropic only, and this model is another provider's.`,
    param,
  );
}

export function textBlock(text: string): AnyBlock {
  return { type: 'text', text };
}
