import type { z } from 'zod';
import { isObject } from '#json/json-value.ts';
import { quickParse } from '#json/quick-check.ts';
import { formatPath, toRequestProblem } from '../caller-request/caller-body.ts';
import type { CacheMark, ProtocolId, Signature } from '../canonical/content.ts';
import {
  readCarriedSignature,
  type Signed,
  writeCarriedSignature,
} from '../translation/carried-signature.ts';
import { UntranslatableError } from '../translation/untranslatable.ts';

/** Only the type is validated. */
export interface AnyBlock {
  readonly type: string;
  readonly [field: string]: unknown;
}

/**
 * Parses a block; returns `null` if the schema does not include the block's type. Throws an error with the field's
 * path if the block is invalid.
 */
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
    `The block type '${block.type}' at '${param}' is supported by Anthropic only, and this model belongs to another provider.`,
    param,
  );
}

/** Returns an object without fields if there is no mark. */
export function readCacheMark(holder: object): { readonly cacheMark?: CacheMark } {
  const mark: unknown = Reflect.get(holder, 'cache_control');
  if (!isObject(mark)) return {};
  const ttl: unknown = Reflect.get(mark, 'ttl');
  return { cacheMark: typeof ttl === 'string' ? { ttl } : {} };
}

export function encodeCacheMark({ cacheMark }: { readonly cacheMark?: CacheMark }): object {
  return cacheMark ? { cache_control: { type: 'ephemeral', ...cacheMark } } : {};
}

export function textBlock(text: string): AnyBlock {
  return { type: 'text', text };
}

const own: ProtocolId = 'anthropic-messages';

/**
 * Returns a signature as sent in a thinking block. Anthropic's own are unchanged; others are prefixed with the
 * protocol's name.
 */
export function writeSignature(signature: Signature, signed: Exclude<Signed, 'redacted'>): string {
  return signature.protocol === own ? signature.value : writeCarriedSignature(signature, signed);
}

export function readSignature(
  text: string,
): { readonly signed: Signed; readonly signature: Signature } | null {
  if (text === '') return null;
  return (
    readCarriedSignature(text, own) ?? { signed: 'reasoning', signature: { protocol: own, value: text } }
  );
}

/** Returns whether another protocol created the signature. An empty text means unsigned. */
export function isForeignSignature(text: string): boolean {
  return readCarriedSignature(text, own) !== null;
}

/**
 * Returns a call ID that Anthropic accepts. The mapping is deterministic, so that calls and results also match on
 * other nodes and in later turns.
 */
export function encodeToolId(id: string): string {
  return /^[a-zA-Z0-9_-]+$/.test(id) ? id : `toolu_${Buffer.from(id).toString('base64url')}`;
}
