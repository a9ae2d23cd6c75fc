import { z } from 'zod';
import { instant } from '../ids.ts';
import { usd } from '../money.ts';

/** `in_cooldown` is temporary: the alternatives become available again soon. */
export const drillFailures = [
  'no_fallback',
  'blacklisted',
  'not_granted',
  'cannot_carry',
  'in_maintenance',
  'in_cooldown',
  'sender_gone',
] as const;

const drillCounts = { requests: z.number().int(), failed: z.number().int(), waiting: z.number().int() };

/**
 * Simulates the latest hour of requests. Each request is `served` by another instance, `failed`, or `waiting` if all
 * alternatives are in cooldown.
 */
export const fallbackDrill = z.object({
  llm_provider_id: z.number().int(),
  since: instant,
  until: instant,
  /** If the total exceeds `requests`, only the latest requests were simulated. */
  requests_in_all: z.number().int(),
  ...drillCounts,
  served: z.number().int(),
  failures: z.array(
    z.object({ reason: z.enum(drillFailures), requests: z.number().int(), models: z.array(z.string()) }),
  ),
  /** In dollars, for served requests whose price is known at both instances. */
  cost: z.object({
    before: usd,
    after: usd,
    unpriced: z.number().int(),
  }),
  /** `fallbacks` contains the names of the instances that would serve the requests. */
  models: z.array(z.object({ model: z.string(), ...drillCounts, fallbacks: z.array(z.string()) })),
  people: z.array(z.object({ user_id: z.number().int().nullable(), user_name: z.string(), ...drillCounts })),
  models_in_all: z.number().int(),
  people_in_all: z.number().int(),
});

export type FallbackDrill = z.infer<typeof fallbackDrill>;
