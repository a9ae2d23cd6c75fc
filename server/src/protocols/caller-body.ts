import { isUtf8 } from 'node:buffer';
import { chatCompletionRequest } from '@sluice/contract';
import { z } from 'zod';
import type { RequestProblem } from './canonical/request.ts';
import {
  editObject,
  type FieldEdits,
  findDuplicateKey,
  nestingMax,
  type ObjectSpan,
  scanObject,
} from './json-object.ts';
import { isObject } from './json-value.ts';

/** A body that has passed the checks which every caller's protocol makes. */
export interface CallerBody<Fields> {
  readonly fields: Fields;
  /** The whole body as it was parsed. */
  readonly value: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  /** Where the top-level fields lie in `bytes`. */
  readonly span: ObjectSpan;
}

export type ReadBody<Fields> =
  | { readonly ok: true; readonly body: CallerBody<Fields> }
  | { readonly ok: false; readonly problem: RequestProblem };

/** What the column of the log holds; a larger number would be refused only there. */
const taskIdMax = 2 ** 31 - 1;
const taskId = chatCompletionRequest.shape.task_id.refine(
  (id) => Number(id ?? 0) <= taskIdMax,
  'must be a task id',
);

/** What is ours in `metadata`. */
export const ownMetadata = z.looseObject({ task_id: taskId });

/** The fields that are ours in every caller's protocol, beside `format`; they never reach a provider. */
export const ownFields = { task_id: taskId, metadata: ownMetadata.nullish() };

type OwnFields = z.infer<z.ZodObject<typeof ownFields>> & { readonly format?: unknown };

/** Checks encoding, depth, syntax, doubled fields and the schema, in this order; a problem names the field. */
export function readCallerBody<Fields>(bytes: Buffer, schema: z.ZodType<Fields>): ReadBody<Fields> {
  if (!isUtf8(bytes)) return refuse('invalid_json', 'The body is not valid UTF-8.');
  const span = scan(bytes);
  if (!span) return refuse('invalid_request', `The body nests deeper than ${nestingMax} levels.`);
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString());
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read';
    return refuse('invalid_json', `The body is not valid JSON: ${reason}.`);
  }
  if (!isRecord(value)) return refuse('invalid_request', 'The body must be a JSON object.');
  const duplicate = findDuplicateKey(span);
  if (duplicate !== null)
    return refuse('duplicate_field', `The body names the field '${duplicate}' twice.`, duplicate);
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { ok: false, problem: describeIssue(parsed.error) };
  return { ok: true, body: { fields: parsed.data, value, bytes, span } };
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return isObject(value);
}

// Before the parser, which works for a second on a text that nests by the million; what is not JSON, it tells better.
function scan(bytes: Buffer): ObjectSpan | null {
  try {
    return scanObject(bytes);
  } catch {
    return { start: 0, end: 0, fields: [] };
  }
}

/** The first issue of a schema as a refusal; `within` is the path of what was parsed. */
export function describeIssue(error: z.ZodError, within: readonly PropertyKey[] = []): RequestProblem {
  const [issue] = error.issues;
  const param = formatPath([...within, ...(issue?.path ?? [])]);
  const message = `Invalid value for '${param}': ${issue?.message ?? 'it cannot be read'}.`;
  return { code: 'invalid_request', message, param };
}

/** `messages[0].content`, as refusals name a field. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${step}]` : `${index === 0 ? '' : '.'}${String(step)}`,
    )
    .join('');
}

/** The task that a body names. */
export function readTaskId({ task_id, metadata }: OwnFields): number | null {
  const named = task_id ?? metadata?.task_id ?? null;
  return named === null ? null : Number(named);
}

/** The edits that take our own fields out of a body. */
export function listOwnFieldEdits(body: CallerBody<OwnFields>): Map<string, Buffer | string | null> {
  const { task_id, format, metadata } = body.fields;
  const edits = new Map<string, Buffer | string | null>();
  if (task_id !== undefined) edits.set('task_id', null);
  if (format !== undefined) edits.set('format', null);
  if (metadata?.task_id !== undefined) {
    const isOnlyTaskId = Object.keys(metadata).length === 1;
    edits.set('metadata', isOnlyTaskId ? null : editField(body, 'metadata', new Map([['task_id', null]])));
  }
  return edits;
}

/** The bytes of an object field with edits of its own fields; `null` where the body has no such field. */
export function editField(body: CallerBody<unknown>, key: string, edits: FieldEdits): Buffer | null {
  const field = body.span.fields.find((candidate) => candidate.key === key);
  const nested = field ? scanObject(body.bytes, field.valueStart) : null;
  return nested ? editObject(body.bytes, nested, edits) : null;
}

/** The body with its edits; the very same buffer when there are none. */
export function editBody(body: CallerBody<unknown>, edits: FieldEdits): Buffer {
  return edits.size === 0 ? body.bytes : editObject(body.bytes, body.span, edits);
}

function refuse(
  code: RequestProblem['code'],
  message: string,
  param: string | null = null,
): { readonly ok: false; readonly problem: RequestProblem } {
  return { ok: false, problem: { code, message, param } };
}
