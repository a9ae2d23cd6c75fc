import { type ApiKeyStatus, createApiKeyBody, regenerateApiKeyBody } from '@sluice/contract';
import { z } from 'zod';

const dayMs = 24 * 3_600_000;

/** In days. An empty value means no expiry. */
const lifetimes = [
  { value: '', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
];

const expires_at = z
  .string()
  .transform((days) => (days === '' ? null : new Date(Date.now() + Number(days) * dayMs).toISOString()));

const { scopes } = createApiKeyBody.shape;

export const createForm = z.object({ scopes, expires_at });

export const regenerateForm = createForm.extend({
  overlap_seconds: z.string().transform(Number).pipe(regenerateApiKeyBody.shape.overlap_seconds.unwrap()),
});

type Key = Pick<NonNullable<ApiKeyStatus['api_key_status']>, 'created_at' | 'expires_at'>;

/** The default is the lifetime of the previous key. */
export function listLifetimes(former: Key | null) {
  const days = former?.expires_at ? lifetimeDays(former.created_at, former.expires_at) : null;
  const value = days === null ? '' : String(days);
  const isListed = lifetimes.some((lifetime) => lifetime.value === value);
  const options = isListed
    ? lifetimes
    : [...lifetimes, { value, label: days === 1 ? 'In a day' : `In ${days} days` }];
  return { options, value };
}

const lifetimeDays = (from: string, to: string) =>
  Math.max(1, Math.round((Date.parse(to) - Date.parse(from)) / dayMs));
