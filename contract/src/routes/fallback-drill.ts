import { z } from 'zod';
import { instant } from '../ids.ts';
import { usd } from '../money.ts';

/**
 * Reasons why a request would fail without an instance. `in_cooldown` is temporary: the alternatives become available
 * again soon.
 */
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
 * Simulation of the latest hour of an instance's requests without that instance: each is `served` by another one,
 * `failed`, or `waiting` if all alternatives are in cooldown.
 */
export const fallbackDrill = z.object({
  llm_provider_id: z.number().int(),
  since: instant,
  until: instant,
  /** Total number of requests in that hour; if it exceeds `requests`, only the latest were simulated. */
  requests_in_all: z.number().int(),
  ...drillCounts,
  served: z.number().int(),
  failures: z.array(
    z.object({ reason: z.enum(drillFailures), requests: z.number().int(), models: z.array(z.string()) }),
  ),
  /** Cost in dollars of the served requests with a known price on both sides. */
  cost: z.object({
    before: usd,
    after: usd,
    /** Served requests without a known price. */
    unpriced: z.number().int(),
  }),
  /** Models with the most requests; `fallbacks` are the names of the instances that would serve them. */
  models: z.array(z.object({ model: z.string(), ...drillCounts, fallbacks: z.array(z.string()) })),
  people: z.array(z.object({ user_id: z.number().int().nullable(), user_name: z.string(), ...drillCounts })),
  models_in_all: z.number().int(),
  people_in_all: z.number().int(),
});

export type FallbackDrill = z.infer<typeof fallbackDrill>;
