import { type ApiKey, apiKeyLimits, apiKeyScopes, createNamedApiKeyBody } from '@sluice/contract';
import { z } from 'zod';
import { formatLabelLines, labelLines, linesOf } from '#lib/label-lines.ts';
import { createForm } from './choices.ts';

/** Keeps the current expiry in the edit form. */
export const keepExpiry = 'keep';

/** Converts an empty list to `null`, which allows everything. */
const orAll = <Item>(items: Item[]): Item[] | null => (items.length === 0 ? null : items);

const { models, dialects, allowed_networks } = apiKeyLimits;
const { name, scopes } = createNamedApiKeyBody.shape;

/** Multi-line texts have one entry per line. */
export const namedKeyForm = z.object({
  name,
  scopes: scopes.unwrap(),
  models: z.array(z.string()).transform(orAll).pipe(models),
  dialects: z
    .array(z.string())
    .transform(orAll)
    // safe because the checkboxes offer only the contract's values, and the server validates them again
    .pipe(dialects as z.ZodType<z.output<typeof dialects>, string[] | null>),
  allowed_networks: z
    .string()
    .transform((text) => orAll(linesOf(text)))
    .pipe(allowed_networks),
  task_id: z.string().transform((text) => (text === '' ? null : Number(text))),
  labels: labelLines,
  expires_at: z
    .string()
    .transform((days) => (days === keepExpiry ? undefined : createForm.shape.expires_at.parse(days))),
});

export type NamedKeyBody = z.output<typeof namedKeyForm>;

/** Returns the initial values if `key` is `null`. */
export function toFields(key: ApiKey | null) {
  return {
    name: key?.name ?? '',
    scopes: [...(key?.scopes ?? apiKeyScopes)],
    models: key?.models ?? [],
    dialects: key?.dialects ?? [],
    allowed_networks: key?.allowed_networks?.join('\n') ?? '',
    task_id: key?.task_id ? String(key.task_id) : '',
    labels: formatLabelLines(key?.labels ?? {}),
    expires_at: key ? keepExpiry : '',
  };
}
